/** A person at a stick sends many short commands. People see them as one stroke, from the first push to the standstill. */

/** Returns a readable id for one command of a stroke. `HandMark` is what marks it as one. @param number 1 for the first */
export const driveActionId = (stroke: string, number: number): string => `drive/${stroke}/${number}`;
