import type { z } from 'zod';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the parts of a value that a model refuses: the path, the reason, and the value. */
export function problemsOf(model: z.ZodType, value: unknown, at: readonly PropertyKey[] = []): string[] {
  const { error } = model.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => {
    const there = path.reduce<unknown>((inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined), value);
    const name = [...at, ...path].map(String).join('.');
    return `${name === '' ? 'the whole' : name}: ${message}; it is ${JSON.stringify(there)?.slice(0, 200)}`;
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
