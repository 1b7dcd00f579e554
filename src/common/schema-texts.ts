/** A JSON Schema in words, for the sentences of the robot and of the page. */
import type { JsonSchema } from './json-schema.ts';

/** Names the place of a part in a value: keys and indices from the outside in. */
export type Path = readonly PropertyKey[];

/** How the reader sees a number and a value of an enumeration. */
export interface SchemaStyle {
  number: (value: number) => string;
  options: (values: readonly unknown[]) => string;
}

/** Formats a path: "target.position[2]". */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (left, key) => (typeof key === 'number' ? `${left}[${key}]` : left === '' ? String(key) : `${left}.${String(key)}`),
    '',
  );

/** Whether a value is an object with keys, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the index of the union branch that matches a value's constant fields, such as `kind`; -1 for none. */
export const branchOf = (branches: readonly JsonSchema[], value: unknown): number =>
  branches.findIndex(
    ({ properties = {} }) =>
      isRecord(value) &&
      Object.entries(properties).some(
        ([key, { const: only }]) => only !== undefined && Object.hasOwn(value, key) && only === value[key],
      ),
  );

/** Describes what a value must be: "a whole number from 0 to 5". */
export function wantedText(schema: JsonSchema, style: SchemaStyle): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.length === 1 ? style.options(schema.enum) : `one of ${style.options(schema.enum)}`;
  switch (schema.type) {
    case 'number':
    case 'integer':
      return `${schema.type === 'integer' ? 'a whole number' : 'a number'}${rangeText(schema, style)}`;
    case 'string':
      return schema.maxLength === undefined ? 'a text' : `a text of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${countText(schema)}`;
    default:
      return 'an object';
  }
}

/** A whole number without its own limit has the limits of exact whole numbers, which carry no information. */
const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;

/** Describes the range of a number: " from 0 to 5", " above 0 and at most 3600", or an empty text. */
export function rangeText(schema: JsonSchema, { number }: Pick<SchemaStyle, 'number'>): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (isBound(minimum) && isBound(maximum)) return ` from ${number(minimum)} to ${number(maximum)}`;
  const parts = [
    isBound(exclusiveMinimum) && `above ${number(exclusiveMinimum)}`,
    isBound(minimum) && `at least ${number(minimum)}`,
    isBound(maximum) && `at most ${number(maximum)}`,
    isBound(exclusiveMaximum) && `below ${number(exclusiveMaximum)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

function countText({ minItems, maxItems }: JsonSchema): string {
  if (minItems !== undefined && minItems === maxItems) return ` of ${minItems} values`;
  return maxItems === undefined ? '' : ` of ${minItems ?? 0} to ${maxItems} values`;
}
