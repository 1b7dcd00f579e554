/** The words of placements in a scene file: where a thing is, and its relation to another thing. */
export const PLACINGS = ['on', 'in'] as const;
export const RELATIONS = ['left_of', 'near', 'facing', 'clear_of'] as const;
/** A thing faces another if it points there within this angle, unless the file sets its own. */
export const FACING_WITHIN_DEG = 10;
