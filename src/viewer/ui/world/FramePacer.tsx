import { useEffect, useRef } from 'react';
import type { Overlay, RenderState } from '../../../protocol/render-state.ts';
import { useEngine } from '../common/engine-context.ts';
import { camerasGetReady } from './cameras-first.ts';
import { createFramePace } from './frame-pace.ts';
import { usePicture } from './picture.ts';
import type { QualityGovernor } from './quality-governor.ts';
import { samePicture } from './same-picture.ts';
import { createSharpness, LOWEST_SHARPNESS } from './sharpness.ts';

/** With nothing new for this long, a picture drawn by the processor is drawn again a few times, as sharp as it can be. */
const AT_REST_MS = 600;

/** Set by whoever moved the view; the pacer clears it when it draws. */
export interface ViewMoved {
  current: boolean;
}

interface FramePacerProps {
  software: boolean;
  /** With a graphics card: most pixels of the canvas per pixel of the page. */
  pixelRatio: number;
  /** With the processor: few pixels at all times. */
  coarse: boolean;
  /** Told of every frame of a graphics card; null when nobody learns from them. */
  governor: QualityGovernor | null;
  viewMoved: ViewMoved;
  /** The first whole frame was drawn. */
  onFirstFrame: () => void;
}

/**
 * The only one who has frames drawn: when world or view look different, not while they do not, and never one before the last is there.
 * What the page draws itself it draws within its callback, so that the delay of the next one tells what the frame cost. A hidden page
 * has no callbacks.
 */
export function FramePacer({ software, pixelRatio, coarse, governor, viewMoved, onFirstFrame }: FramePacerProps) {
  const { frames, store } = useEngine();
  const { picture } = usePicture();
  // Read in every frame: a change of quality must not begin everything anew.
  const settings = useRef({ pixelRatio, coarse, governor });
  useEffect(() => {
    settings.current = { pixelRatio, coarse, governor };
    viewMoved.current = true;
  }, [pixelRatio, coarse, governor, viewMoved]);
  useEffect(() => {
    const pace = createFramePace(software, () => store.getState().phase === 'loading');
    const sharpness = createSharpness();
    let drawn: RenderState | null = null;
    let drawnOverlay: Overlay | null = null;
    let changedAtMs = 0;
    let isFirst = true;
    let handle = 0;
    let lookedAtMs = 0;
    let drawnAtMs = 0;
    let drewLast = false;
    let delayTells = false;

    const ratioFor = (resting: boolean): number => {
      const { pixelRatio, coarse } = settings.current;
      if (!software) return Math.min(devicePixelRatio, pixelRatio);
      if (coarse) return LOWEST_SHARPNESS;
      return resting ? sharpness.resting() : sharpness.moving();
    };
    const cost = (costMs: number) => {
      pace.drew(costMs);
      sharpness.drew(picture.pixelRatio(), costMs);
    };
    /** A graphics card is judged by how frames follow one another while each is drawn. */
    const learn = (nowMs: number, draws: boolean) => {
      const gapMs = nowMs - lookedAtMs;
      lookedAtMs = nowMs;
      const { governor } = settings.current;
      if (draws && drewLast) governor?.frame(gapMs);
      else if (!draws && !drewLast) governor?.idle(gapMs);
      drewLast = draws;
    };
    const draw = (nowMs: number, ratio: number) => {
      const tellShown = picture.steps.run((nowMs - drawnAtMs) / 1000);
      drawnAtMs = nowMs;
      const showsRobot = drawn !== null;
      picture.draw({ timeS: nowMs / 1000, pixelRatio: ratio }, (costMs) => {
        tellShown();
        if (costMs === null) delayTells = true;
        else cost(costMs);
        // Before the physics has told where anything is there is a place and no view of it.
        if (isFirst && showsRobot) {
          isFirst = false;
          onFirstFrame();
        }
      });
    };
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      if (picture.isDrawing() || (software && camerasGetReady(store.getState()))) return;
      // The browser holds the next callback back until the frame before is drawn.
      if (delayTells) cost(nowMs - drawnAtMs);
      delayTells = false;
      const latest = frames.latest();
      const overlay = frames.overlay();
      const same = latest === drawn || (latest !== null && drawn !== null && samePicture(latest, drawn));
      const changed = viewMoved.current || !same || overlay !== drawnOverlay;
      if (changed) changedAtMs = nowMs;
      const isBlunt = !sharpness.isSure() || picture.pixelRatio() < ratioFor(true);
      const sharpens = software && isBlunt && nowMs - changedAtMs > AT_REST_MS;
      const isDue = pace.due(nowMs, changed || sharpens);
      learn(nowMs, isDue);
      if (!isDue) return;
      viewMoved.current = false;
      drawn = latest;
      drawnOverlay = overlay;
      if (sharpens) changedAtMs = nowMs;
      draw(nowMs, ratioFor(sharpens));
    };
    // What a restored context holds is nothing.
    const redraw = () => {
      viewMoved.current = true;
    };
    picture.canvas.addEventListener('webglcontextrestored', redraw);
    handle = requestAnimationFrame(look);
    return () => {
      picture.canvas.removeEventListener('webglcontextrestored', redraw);
      cancelAnimationFrame(handle);
    };
  }, [frames, store, picture, software, viewMoved, onFirstFrame]);
  return null;
}
