import { z } from 'zod';

/**
 * A list whose length is checked before its items, so that a list that is too long costs nothing. Zod's own list checks every
 * item first and creates a finding for each invalid item.
 */
const BoundedArray = z.core.$constructor<z.ZodArray>('BoundedArray', (schema, definition) => {
  z.ZodArray.init(schema, definition);
  const parseItems = schema._zod.parse;
  const maximum = mostItems(definition.checks ?? []);
  schema._zod.parse = (payload, context) => {
    const { value } = payload;
    if (!Array.isArray(value) || value.length <= maximum) return parseItems(payload, context);
    payload.issues.push({ code: 'too_big', origin: 'array', maximum, inclusive: true, input: value, inst: schema });
    return payload;
  };
});

const mostItems = (checks: readonly z.core.$ZodCheck[]): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...checks.map(({ _zod: { def } }) => {
      if (def.check === 'max_length') return (def as z.core.$ZodCheckMaxLengthDef).maximum;
      return def.check === 'length_equals' ? (def as z.core.$ZodCheckLengthEqualsDef).length : Number.POSITIVE_INFINITY;
    }),
  );

/** A list of at most this many items. */
export const boundedArray = <T extends z.ZodType>(item: T, maxItems: number): z.ZodArray<T> =>
  new BoundedArray({ type: 'array', element: item }).max(maxItems) as z.ZodArray<T>;

/** A list of exactly this many items. */
export const arrayOfLength = <T extends z.ZodType>(item: T, items: number): z.ZodArray<T> =>
  new BoundedArray({ type: 'array', element: item }).length(items) as z.ZodArray<T>;
