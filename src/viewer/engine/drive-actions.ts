/** A person at a stick sends many short commands; people see them as one stroke, from the first push to the standstill. */

/** Id of one command of a stroke. @param number 1 for the first */
export const driveActionId = (stroke: string, number: number): string => `drive/${stroke}/${number}`;

/** Reads what `driveActionId` wrote; null for any other id. */
export function readDriveActionId(actionId: string): { stroke: string; number: number } | null {
  const found = /^drive\/([\w-]+)\/(\d{1,9})$/.exec(actionId);
  return found?.[1] === undefined ? null : { stroke: found[1], number: Number(found[2]) };
}
