import type { ViewerState } from '../../../engine/types.ts';

/**
 * Whether the robot's cameras are getting ready for clients now. If one CPU draws both, the people's picture waits for them:
 * clients wait for pictures, and people have the blurred backdrop. A robot that runs only in this tab has no clients, so its person
 * comes first.
 */
export const camerasGetReady = ({ phase, loading, local }: Pick<ViewerState, 'phase' | 'loading' | 'local'>): boolean =>
  !local &&
  (phase === 'loading' || phase === 'live') &&
  loading.some(({ id, done, problem }) => id === 'cameras' && !done && problem === undefined);
