import { asksFor } from './asks-for.ts';

/** The parameter of an address that opens the robot in this tab only. */
const PARAMETER = 'try';

/** Tells whether this address asks for a robot in this tab only: `?try`, with any value but 0. */
export const asksForLocal = (href: string): boolean => asksFor(href, PARAMETER);

/**
 * Returns the address with or without the mark, so that a reload brings back the robot, or the gate. The rest of the address is
 * unchanged.
 */
export function markLocal(href: string, local: boolean): string {
  const url = new URL(href);
  if (local === asksForLocal(href)) return href;
  if (local) url.searchParams.set(PARAMETER, '1');
  else url.searchParams.delete(PARAMETER);
  return url.href;
}
