import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import { EMPTY_OVERLAY, type Overlay, type RenderState } from '../../../protocol/render-state.ts';
import { useEngine } from '../common/engine-context.ts';
import { samePicture } from './same-picture.ts';

/** A processor that draws leaves time for the simulation and the robot's cameras, which it draws too. */
const SOFTWARE_FRAME_MS = 80;
/** Now and then a frame although nothing moved: fonts of signs, restored contexts and other late comers get drawn. */
const REST_FRAME_MS = 1_000;

/** Asks for a frame when the world looks different, and for none while it does not. A hidden page has no frames at all. */
export function FramePacer({ software }: { software: boolean }) {
  const { frames } = useEngine();
  const invalidate = useThree((state) => state.invalidate);
  useEffect(() => {
    let drawn: RenderState | null = null;
    let drawnOverlay: Overlay = EMPTY_OVERLAY;
    let drawnAtMs = Number.NEGATIVE_INFINITY;
    let handle = 0;
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      const sinceMs = nowMs - drawnAtMs;
      if (software && sinceMs < SOFTWARE_FRAME_MS) return;
      const latest = frames.latest();
      const overlay = frames.overlay();
      const same = latest === drawn || (latest !== null && drawn !== null && samePicture(latest, drawn));
      if (same && overlay === drawnOverlay && sinceMs < REST_FRAME_MS) return;
      drawn = latest;
      drawnOverlay = overlay;
      drawnAtMs = nowMs;
      invalidate();
    };
    handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [frames, invalidate, software]);
  return null;
}
