import { useEffect, useRef } from 'react';
import { useViewer } from '../common/engine-context.ts';
import { useToast } from '../common/Toasts.tsx';

/** Reports that a failed simulation was restarted automatically. Another notice reports what happened to the world. */
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
