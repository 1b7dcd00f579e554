import type { ViewerState } from '../../engine/types.ts';

/**
 * Do the robot's cameras get ready at the moment? Where one processor draws both, the people's picture waits for them: clients wait for
 * the robot, people have the blurred hall.
 */
export const camerasGetReady = ({ phase, loading }: Pick<ViewerState, 'phase' | 'loading'>): boolean =>
  phase === 'loading' && loading.some(({ id, done, problem }) => id === 'cameras' && !done && problem === undefined);
