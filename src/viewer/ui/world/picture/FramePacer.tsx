import { useEffect, useRef } from 'react';
import type { Overlay, RenderState } from '../../../../protocol/wire/render-state.ts';
import { useEngine } from '../../common/engine-context.ts';
import { createFramePace } from './frame-pace.ts';
import { usePicture } from './picture.ts';
import { pictureWaits } from './picture-waits.ts';
import type { QualityGovernor } from './quality-governor.ts';
import { samePicture } from './same-picture.ts';
import { createSharpness, LOWEST_SHARPNESS } from './sharpness.ts';

/** If nothing changes for this long, software rendering draws the picture again a few times, at the best possible sharpness. */
const AT_REST_MS = 600;

/** Set by the code that moved the view; the pacer clears it when it draws. */
export interface ViewMoved {
  current: boolean;
}

interface FramePacerProps {
  software: boolean;
  /** With a GPU: most pixels of the canvas per pixel of the page. */
  pixelRatio: number;
  /** With software rendering: few pixels at all times. */
  coarse: boolean;
  /** Receives every frame of a GPU; null if no governor needs them. */
  governor: QualityGovernor | null;
  viewMoved: ViewMoved;
  /** Called when the first complete frame was drawn. */
  onFirstFrame: () => void;
}

/**
 * Requests all frames: only when world or view look different, and never before the previous one is done. The page draws within
 * its callback, so the delay of the next callback shows the frame's cost. A hidden page has no callbacks.
 */
export function FramePacer({ software, pixelRatio, coarse, governor, viewMoved, onFirstFrame }: FramePacerProps) {
  const { frames, store } = useEngine();
  const { picture } = usePicture();
  // Read in every frame, because a change of quality must not restart everything.
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
    let delayIsMeaningful = false;

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
    /** Measures a GPU by the time between frames during continuous drawing. */
    const learn = (nowMs: number, draws: boolean) => {
      const gapMs = nowMs - lookedAtMs;
      lookedAtMs = nowMs;
      const { governor } = settings.current;
      if (draws && drewLast) governor?.frame(gapMs);
      else if (!draws && !drewLast) governor?.idle(gapMs);
      drewLast = draws;
    };
    const draw = (nowMs: number, ratio: number) => {
      const reportShown = picture.steps.run((nowMs - drawnAtMs) / 1000);
      drawnAtMs = nowMs;
      const showsRobot = drawn !== null;
      picture.draw({ timeS: nowMs / 1000, pixelRatio: ratio }, (costMs) => {
        reportShown();
        if (costMs === null) delayIsMeaningful = true;
        else cost(costMs);
        // Before the physics has reported any positions, there is a place but no view of it.
        if (isFirst && showsRobot) {
          isFirst = false;
          onFirstFrame();
        }
      });
    };
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      if (picture.isDrawing() || (software && pictureWaits(store.getState()))) return;
      // The browser delays the next callback until the previous frame is drawn.
      if (delayIsMeaningful) cost(nowMs - drawnAtMs);
      delayIsMeaningful = false;
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
    // A restored context is empty.
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
