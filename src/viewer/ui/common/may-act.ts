import type { ViewerState } from '../../engine/types.ts';

/** Whether whoever is at this page may call the robot: not those who look at one that lives elsewhere. */
export const mayAct = ({ visit }: Pick<ViewerState, 'visit'>): boolean => visit === null;
