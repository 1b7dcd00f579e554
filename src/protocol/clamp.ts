/** Returns the nearest number to a value that lies between two bounds. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Returns a command's nearest value that is no larger than a limit in either direction; nothing is 0, never -0. */
export const withinLimit = (value: number, limit: number): number => clamp(value, -limit, limit) || 0;
