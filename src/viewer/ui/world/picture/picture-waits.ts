import { isPhysicsBroken } from '../../../engine/loading.ts';
import type { ViewerState } from '../../../engine/types.ts';

/**
 * Returns whether the picture for people waits, if one processor computes and draws everything. Clients wait for the robot and
 * then for its cameras, while people see the coarse picture. A robot that runs only in this tab has no clients, so its person
 * waits for the robot alone. A failed robot delays nothing.
 */
export const pictureWaits = ({ phase, loading, local }: Pick<ViewerState, 'phase' | 'loading' | 'local'>): boolean => {
  if (isPhysicsBroken(loading)) return false;
  if (local) return phase === 'loading';
  return (
    (phase === 'loading' || phase === 'live') &&
    loading.some(({ id, done, problem }) => id === 'cameras' && !done && problem === undefined)
  );
};
