/** A person at a joystick sends many short commands. The page shows them as one stroke, from the first push to the standstill. */

/**
 * Returns a readable id for one command of a stroke. `HandMark` marks the command as part of the stroke. @param number 1 for the
 * first
 */
export const driveActionId = (stroke: string, number: number): string => `drive/${stroke}/${number}`;
