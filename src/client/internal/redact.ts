/** The symbol by which Node's `util.inspect` and `console.log` ask an object for its text; other engines ignore it. */
export const inspectSymbol: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

export const REDACTED = '[redacted]';

/**
 * Returns the same data with the named fields hidden when it is printed with `console.log` or `util.inspect`. The fields
 * themselves and `JSON.stringify` stay unchanged, because the caller must be able to pass them on.
 */
export function hideWhenPrinted<T extends object>(data: T, secretFields: readonly (keyof T & string)[]): T {
  const shown = () => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, isSecret(key) ? REDACTED : value]));
  const isSecret = (key: string) => secretFields.some((field) => field === key);
  Object.defineProperty(data, inspectSymbol, { value: shown, enumerable: false });
  return data;
}

const DEEPEST = 64;

/**
 * Returns the same JSON value with the secret removed from all its texts. Values nested deeper than any valid answer are left
 * out. Parse JSON first, because a secret can be encoded in many ways in JSON text.
 */
export function redact<T>(value: T, secret: string, depth?: number): T;
export function redact(value: unknown, secret: string, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll(secret, REDACTED);
  if (depth === DEEPEST) return null;
  if (Array.isArray(value)) return value.map((each) => redact(each, secret, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name, secret), redact(each, secret, depth + 1)]));
}

/** Returns the cause of a failure; undefined if it repeats the secret, as an engine's error about received data may do. */
export function withoutSecret(cause: unknown, secret: string): unknown {
  return holds(cause, secret, new Set()) ? undefined : cause;
}

function holds(value: unknown, secret: string, seen: Set<object>): boolean {
  if (typeof value === 'string') return value.includes(secret);
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value).includes(secret);
  return Object.getOwnPropertyNames(value).some((name) => holds(Reflect.get(value, name), secret, seen));
}
