/** The looks of walls and ceiling that a scene may have. */
export const LOOK_IDS = ['plain', 'warehouse', 'hall'] as const;
export type LookId = (typeof LOOK_IDS)[number];
