import type { ViewerState } from '../../engine/types.ts';

/**
 * Do the robot's cameras get ready for clients at the moment? Where one processor draws both, the people's picture waits for them: clients
 * wait for pictures, people have the blurred hall. A robot of this tab alone has no clients, and its person comes first.
 */
export const camerasGetReady = ({ phase, loading, local }: Pick<ViewerState, 'phase' | 'loading' | 'local'>): boolean =>
  !local &&
  (phase === 'loading' || phase === 'live') &&
  loading.some(({ id, done, problem }) => id === 'cameras' && !done && problem === undefined);
