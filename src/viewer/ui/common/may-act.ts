import type { ViewerState } from '../../engine/types.ts';

/** Returns whether the person at this page may call the robot. A watch link does not allow it. */
export const mayAct = ({ visit }: Pick<ViewerState, 'visit'>): boolean => visit?.access !== 'watch';
