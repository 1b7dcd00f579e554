import { useEffect, useRef } from 'react';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';

/** A simulation that broke down is started afresh by itself: whoever was working with it has to know. What became of the world another notice says. */
export function useRestartNotice(): void {
  const restartedAtMs = useViewer((state) => state.restartedAtMs);
  const known = useRef(restartedAtMs);
  const toast = useToast();
  useEffect(() => {
    if (restartedAtMs === known.current) return;
    known.current = restartedAtMs;
    if (restartedAtMs === null) return;
    toast('The simulation was restarted', 'It had failed, and running actions have ended.');
  }, [restartedAtMs, toast]);
}
