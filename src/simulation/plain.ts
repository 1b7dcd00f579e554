/**
 * Returns a copy of plain data that shares nothing with it: numbers, texts, truth values, null, arrays, arrays of numbers, and
 * objects of these. Fields keep their order, which the state hash depends on.
 */
export function copyPlain<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float64Array) return value.slice() as T;
  if (Array.isArray(value)) return value.map(copyPlain) as T;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copyPlain(field)])) as T;
}
