/** The parameter of an address that names a task for the robot of this tab: `?try=1&task=hall-both-reds`. */
const PARAMETER = 'task';

export const readTaskId = (href: string): string | null => new URL(href).searchParams.get(PARAMETER);

/** Returns the address with this task, or without one; the rest is unchanged. */
export function markTask(href: string, id: string | null): string {
  if (readTaskId(href) === id) return href;
  const url = new URL(href);
  if (id === null) url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, id);
  return url.href;
}
