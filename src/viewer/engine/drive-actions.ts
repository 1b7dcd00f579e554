/** A person at a stick sends many short commands; people see them as one stroke, from the first push to the standstill. */

/** Id of one command of a stroke, for whoever reads it; that it is one is told by `HandMark`. @param number 1 for the first */
export const driveActionId = (stroke: string, number: number): string => `drive/${stroke}/${number}`;
