/** How `util.inspect` and `console.log` of Node ask an object for its text; other engines ignore it. */
export const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

export const REDACTED = '[redacted]';

/**
 * The same data, whose named fields do not show when it is printed with `console.log` or `util.inspect`. The fields themselves and
 * `JSON.stringify` stay as they are, for the caller has to pass them on.
 */
export function hideWhenPrinted<T extends object>(data: T, secretFields: readonly (keyof T & string)[]): T {
  const shown = () => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, isSecret(key) ? REDACTED : value]));
  const isSecret = (key: string) => secretFields.some((field) => field === key);
  Object.defineProperty(data, inspectSymbol, { value: shown, enumerable: false });
  return data;
}
