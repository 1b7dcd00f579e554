import type { ViewerState } from '../../engine/types.ts';

/** Tells whether whoever is at this page may call the robot: not those whose link only lets them watch. */
export const mayAct = ({ visit }: Pick<ViewerState, 'visit'>): boolean => visit?.access !== 'watch';
