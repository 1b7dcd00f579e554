import { useEffect, useRef } from 'react';
import { useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useToast } from '../common/Toasts.tsx';

/** Reports a freeze of the tab, which ends actions. A person must decide which of them are still wanted. */
export function useSuspensionNotice(): void {
  const suspendedMs = useViewer((state) => state.runtime?.robot.extra.sim.suspended_ms ?? 0);
  const knownMs = useRef(suspendedMs);
  const toast = useToast();
  useEffect(() => {
    const gapMs = suspendedMs - knownMs.current;
    knownMs.current = suspendedMs;
    if (gapMs < 1_000) return;
    toast(
      `The browser froze this tab for ${wholeSeconds(gapMs)}`,
      'The robot stood still meanwhile, and running actions have ended. Send the command again if you still want it.',
    );
  }, [suspendedMs, toast]);
}
