import { z } from 'zod';
import type { JsonSchema } from './schema-table.ts';

/** A longer list of choices is shown elsewhere. */
const CHOICES_LISTED_MAX = 12;

/**
 * Returns a schema for a table: a nullable value shows its fields, and a long list of choices becomes text.
 * @param io whether callers send the value, or read it
 */
export const plainSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  plain(z.toJSONSchema(schema, { io }) as JsonSchema);

function plain(schema: JsonSchema): JsonSchema {
  const { anyOf, enum: choices, properties, items, additionalProperties, ...rest } = withoutNullChoice(schema);
  return {
    ...rest,
    ...(anyOf && { anyOf: anyOf.map(plain) }),
    ...(choices && (choices.length > CHOICES_LISTED_MAX ? { type: 'string' } : { enum: choices })),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, plain(field)])),
    }),
    ...(items !== undefined && { items: typeof items === 'object' ? plain(items) : items }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? plain(additionalProperties) : additionalProperties,
    }),
  };
}

/** Turns a choice between a value and null into a nullable value. Lists and choices stay unchanged. */
function withoutNullChoice(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const [value, ...others] = anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (!value || others.length > 0 || anyOf?.length !== 2) return schema;
  if (value.type !== undefined && value.type !== 'array' && value.enum === undefined && value.const === undefined)
    return { ...value, ...rest, type: [...new Set([value.type, 'null'].flat())] };
  const description = rest.description ?? value.description;
  return { ...schema, ...(description === undefined ? {} : { description }) };
}
