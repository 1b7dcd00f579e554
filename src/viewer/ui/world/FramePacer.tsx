import { useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import type { Overlay, RenderState } from '../../../protocol/render-state.ts';
import { useEngine } from '../common/engine-context.ts';
import { camerasGetReady } from './cameras-first.ts';
import { prepareFirstDraw } from './first-draw.ts';
import { createFramePace } from './frame-pace.ts';
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
 * The only one who draws: when world or view look different, and not while they do not. It draws within its callback, so that the
 * delay of the next one tells what the frame cost. A hidden page has no callbacks.
 */
export function FramePacer({ software, pixelRatio, coarse, governor, viewMoved, onFirstFrame }: FramePacerProps) {
  const { frames, store } = useEngine();
  const advance = useThree((state) => state.advance);
  const renderer = useThree((state) => state.gl);
  const scene = useThree((state) => state.scene);
  const camera = useThree((state) => state.camera);
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
    // What nobody sees yet costs the page nothing, and tells nothing.
    let isSeen = false;
    let ended = false;
    let handle = 0;
    let lookedAtMs = 0;
    let drewLast = false;

    const ratioFor = (resting: boolean): number => {
      const { pixelRatio, coarse } = settings.current;
      if (!software) return Math.min(devicePixelRatio, pixelRatio);
      if (coarse) return LOWEST_SHARPNESS;
      return resting ? sharpness.resting() : sharpness.moving();
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
      if (renderer.getPixelRatio() !== ratio) renderer.setPixelRatio(ratio);
      // With frameloop 'never' the root's clock runs in whatever is given here: seconds, as everything drawn expects.
      advance(nowMs / 1000);
      isSeen = !isFirst;
      if (isFirst) onFirstFrame();
      isFirst = false;
    };
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      if (software && camerasGetReady(store.getState())) return;
      const latest = frames.latest();
      const overlay = frames.overlay();
      const same = latest === drawn || (latest !== null && drawn !== null && samePicture(latest, drawn));
      const changed = viewMoved.current || !same || overlay !== drawnOverlay;
      if (changed) changedAtMs = nowMs;
      const isBlunt = !sharpness.isSure() || renderer.getPixelRatio() < ratioFor(true);
      const sharpens = software && isBlunt && nowMs - changedAtMs > AT_REST_MS;
      const isDue = pace.due(nowMs, changed || sharpens);
      const learnedMs = pace.learnedMs();
      if (learnedMs !== null && isSeen) sharpness.drew(renderer.getPixelRatio(), learnedMs);
      learn(nowMs, isDue);
      if (!isDue) return;
      viewMoved.current = false;
      drawn = latest;
      drawnOverlay = overlay;
      if (sharpens) changedAtMs = nowMs;
      draw(nowMs, ratioFor(sharpens));
    };
    const start = () => {
      if (!ended) handle = requestAnimationFrame(look);
    };
    // What a restored context holds is nothing.
    const redraw = () => {
      viewMoved.current = true;
    };
    renderer.domElement.addEventListener('webglcontextrestored', redraw);
    if (software)
      prepareFirstDraw({
        renderer,
        scene,
        camera,
        draw: () => advance(performance.now() / 1000),
        nextFrame: () => new Promise((resolve) => requestAnimationFrame(() => resolve(!ended))),
      }).then(start, start);
    else start();
    return () => {
      ended = true;
      renderer.domElement.removeEventListener('webglcontextrestored', redraw);
      cancelAnimationFrame(handle);
    };
  }, [frames, store, advance, renderer, scene, camera, software, viewMoved, onFirstFrame]);
  return null;
}
