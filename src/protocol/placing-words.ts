/** The words of placements in a scene file: where a thing is, and how it is to another. */
export const PLACINGS = ['on', 'in'] as const;
export const RELATIONS = ['left_of', 'near', 'facing', 'clear_of'] as const;
/** Something is facing another when it points there within this, unless the file says how exactly. */
export const FACING_WITHIN_DEG = 10;
