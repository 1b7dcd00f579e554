import { useThree } from '@react-three/fiber';
import { useEffect } from 'react';
import type { Overlay, RenderState } from '../../../protocol/render-state.ts';
import { useEngine } from '../common/engine-context.ts';
import { createFramePace } from './frame-pace.ts';
import { samePicture } from './same-picture.ts';

/** Set by whoever moved the view; the pacer clears it when it draws. */
export interface ViewMoved {
  current: boolean;
}

/**
 * The only one who draws: when world or view look different, and not while they do not. It draws within its callback, so that the
 * delay of the next one tells what the frame cost. A hidden page has no callbacks.
 */
export function FramePacer({ software, viewMoved }: { software: boolean; viewMoved: ViewMoved }) {
  const { frames, store } = useEngine();
  const advance = useThree((state) => state.advance);
  useEffect(() => {
    const pace = createFramePace(software, () => store.getState().phase === 'loading');
    let drawn: RenderState | null = null;
    let drawnOverlay: Overlay | null = null;
    let handle = 0;
    const look = (nowMs: number) => {
      handle = requestAnimationFrame(look);
      const latest = frames.latest();
      const overlay = frames.overlay();
      const same = latest === drawn || (latest !== null && drawn !== null && samePicture(latest, drawn));
      if (!pace.due(nowMs, viewMoved.current || !same || overlay !== drawnOverlay)) return;
      viewMoved.current = false;
      drawn = latest;
      drawnOverlay = overlay;
      // With frameloop 'never' the root's clock runs in whatever is given here: seconds, as everything drawn expects.
      advance(nowMs / 1000);
    };
    handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [frames, store, advance, software, viewMoved]);
  return null;
}
