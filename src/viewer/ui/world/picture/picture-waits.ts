import { isPhysicsBroken } from '../../../engine/loading.ts';
import type { ViewerState } from '../../../engine/types.ts';

/**
 * Whether the people's picture waits, where one processor computes and draws everything. Clients wait for the robot and then for
 * its cameras, and people see the coarse picture meanwhile. A robot that runs only in this tab has no clients, so its person waits for the
 * robot alone. Nobody waits for a robot that has failed.
 */
export const pictureWaits = ({ phase, loading, local }: Pick<ViewerState, 'phase' | 'loading' | 'local'>): boolean => {
  if (isPhysicsBroken(loading)) return false;
  if (local) return phase === 'loading';
  return (
    (phase === 'loading' || phase === 'live') &&
    loading.some(({ id, done, problem }) => id === 'cameras' && !done && problem === undefined)
  );
};
