/** Returns the nearest number to a value that lies between two bounds. */
export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Returns the value nearest to a command that does not exceed a limit in either direction; zero is 0, never -0. */
export const withinLimit = (value: number, limit: number): number => clamp(value, -limit, limit) || 0;
