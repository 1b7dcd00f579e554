/** Returns whether an address contains a parameter with any value but 0. */
export function asksFor(href: string, parameter: string): boolean {
  const value = new URL(href).searchParams.get(parameter);
  return value !== null && value !== '0';
}
