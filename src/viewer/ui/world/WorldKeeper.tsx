import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { WorldBoundary, WorldMissing } from './WorldBoundary.tsx';

/**
 * A context that is lost again within this time is not restored automatically, because the next one would probably be lost too.
 */
const AGAIN_WITHIN_MS = 20_000;

/**
 * Keeps the world drawn. When the browser loses the drawing context, for lack of memory or with the GPU process, everything is
 * rebuilt in a new one. If the world cannot be drawn, shows that and offers to try again. The robot is not affected.
 */
export function WorldKeeper({ children }: { children: ReactNode }) {
  const [round, setRound] = useState(0);
  const [gone, setGone] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const lostAtMs = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const element = holder.current;
    const onLost = () => {
      const nowMs = performance.now();
      const soon = nowMs - lostAtMs.current < AGAIN_WITHIN_MS;
      lostAtMs.current = nowMs;
      if (soon) setGone(true);
      else setRound((before) => before + 1);
    };
    // The event does not bubble, but it passes here in the capture phase.
    element?.addEventListener('webglcontextlost', onLost, { capture: true });
    return () => element?.removeEventListener('webglcontextlost', onLost, { capture: true });
  }, []);

  const drawAgain = useCallback(() => {
    lostAtMs.current = Number.NEGATIVE_INFINITY;
    setGone(false);
    setRound((before) => before + 1);
  }, []);

  return (
    <div className="world-keeper" ref={holder} data-round={round}>
      {gone ? (
        <WorldMissing
          sentence="The browser keeps stopping the drawing of the world, usually because memory is short. The robot keeps running."
          onDrawAgain={drawAgain}
        />
      ) : (
        <WorldBoundary key={round} onDrawAgain={drawAgain}>
          {children}
        </WorldBoundary>
      )}
    </div>
  );
}
