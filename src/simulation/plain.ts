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

/** Collects the numbers of a plain value in the order of its fields; other values count by kind, so that their presence shows. */
export function collectNumbers(value: unknown, out: number[]): void {
  if (typeof value === 'number') out.push(value);
  else if (typeof value === 'boolean') out.push(value ? 1 : 0);
  else if (typeof value === 'string') for (const letter of value) out.push(letter.charCodeAt(0));
  else if (value instanceof Float64Array) for (const number of value) out.push(number);
  else if (typeof value === 'object' && value !== null) for (const field of Object.values(value)) collectNumbers(field, out);
  else out.push(-1);
}
