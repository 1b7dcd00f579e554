/** The parameter of an address that opens the robot in the tab alone. */
const PARAMETER = 'try';

/** Does this address ask for a robot of the tab alone? `?try`, with any value but 0. */
export function asksForLocal(href: string): boolean {
  const value = new URL(href).searchParams.get(PARAMETER);
  return value !== null && value !== '0';
}

/** The address with or without the mark, so that a reload brings the robot back, or the gate. Everything else of it stays as it is. */
export function markLocal(href: string, local: boolean): string {
  const url = new URL(href);
  if (local === asksForLocal(href)) return href;
  if (local) url.searchParams.set(PARAMETER, '1');
  else url.searchParams.delete(PARAMETER);
  return url.href;
}
