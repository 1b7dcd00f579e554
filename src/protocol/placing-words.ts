/** The words of placements in a scene file: where a thing is, and how it is to another. */
export const PLACINGS = ['on', 'in'] as const;
export const RELATIONS = ['left_of', 'near', 'facing', 'clear_of'] as const;
