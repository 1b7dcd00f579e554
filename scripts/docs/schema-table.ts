/** Renders schemas as tables of a manual: one row per field, at any depth. */

import { markdownTable } from './markdown.ts';

export interface JsonSchema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  items?: JsonSchema | boolean;
}

/** Returns a value as JSON, as code. */
export const jsonCode = (value: unknown): string => `\`${JSON.stringify(value)}\``;
/** The words for the types of JSON Schema that are not words for readers. */
export const TYPE_TEXTS: Readonly<Record<string, string>> = { integer: 'whole number', boolean: 'true or false', string: 'text' };
const choicesOf = ({ oneOf, anyOf }: JsonSchema): JsonSchema[] | undefined => oneOf ?? anyOf;
const kindOf = ({ properties }: JsonSchema): unknown => properties?.kind?.const;

/** Returns the type of a value in a schema, in a few words. */
function valueText(schema: JsonSchema): string {
  if (schema.const !== undefined) return jsonCode(schema.const);
  if (schema.enum) return schema.enum.map(jsonCode).join(' or ');
  const choices = choicesOf(schema);
  if (choices) return choices.every(kindOf) ? `object, one of ${choices.length} kinds` : choices.map(valueText).join(' or ');
  if (schema.prefixItems) return `list of ${schema.prefixItems.length} numbers`;
  if (schema.type === 'array') return `list of ${typeof schema.items === 'object' ? valueText(schema.items) : 'any'}`;
  if (schema.type === undefined) return 'any';
  return [schema.type]
    .flat()
    .map((type) => TYPE_TEXTS[type] ?? type)
    .join(' or ');
}

/** Returns the range of a value, in a few words; empty if it has none. */
export function rangeOf(schema: JsonSchema): string {
  const parts: string[] = [];
  const ofItems = [...new Set(schema.prefixItems?.map(rangeOf) ?? [])];
  if (ofItems.length === 1 && ofItems[0] !== '') parts.push(`each ${ofItems[0]}`);
  const { minimum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (least !== undefined && maximum !== undefined) parts.push(`${least} … ${maximum}`);
  else if (exclusiveMinimum !== undefined)
    parts.push(`above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`);
  else if (least !== undefined) parts.push(`at least ${least}`);
  else if (maximum !== undefined) parts.push(`at most ${maximum}`);
  if (maxLength !== undefined) parts.push(`${minLength ?? 0} … ${maxLength} characters`);
  if (maxItems !== undefined && maxItems !== minItems) parts.push(`at most ${maxItems}`);
  return parts.join('; ');
}

interface Row {
  path: string;
  schema: JsonSchema;
  isRequired: boolean;
  note: string;
  /** Whether it has a description, or a part that contains it has one. */
  isDescribed: boolean;
}

function* rowsOf(schema: JsonSchema, prefix = '', note = '', isCovered = false): Generator<Row> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = prefix + name;
    const isRequired = schema.required?.includes(name) ?? false;
    const isDescribed = isCovered || field.description !== undefined;
    yield { path, schema: field, isRequired, note, isDescribed };
    yield* rowsOf(field, `${path}.`, note, isDescribed);
    for (const choice of choicesOf(field) ?? []) {
      if (kindOf(choice) !== undefined) yield* rowsOf(choice, `${path}.`, `kind ${jsonCode(kindOf(choice))}: `, isDescribed);
    }
    if (typeof field.items === 'object') yield* rowsOf(field.items, `${path}[].`, note, isDescribed);
    if (typeof field.additionalProperties === 'object')
      yield* rowsOf(field.additionalProperties, `${path}.<id>.`, note, isDescribed);
  }
}

/**
 * Returns a Markdown table with a row for every field of an object, nested ones by their path.
 * @param withGiven whether to show if a field is required, and its default otherwise: for values that callers send
 * @param undescribed called with the path of each field without a description
 * @param noteOf returns the meaning of a field, given the description in its schema
 */
export function schemaTable(
  schema: JsonSchema,
  withGiven: boolean,
  undescribed: (path: string) => void = () => {},
  noteOf: (path: string, description: string | undefined) => string = (_path, description = '') => description,
): string {
  const rows = [...rowsOf(schema)];
  if (rows.length === 0) return 'No fields: `{}`.';
  const cells = rows.map(({ path, schema: field, isRequired, note, isDescribed }) => {
    const isPlain = field.properties === undefined && field.const === undefined && choicesOf(field) === undefined;
    if (isPlain && !isDescribed) undescribed(path);
    return [
      `\`${path}\``,
      valueText(field),
      withGiven ? givenText(field, isRequired) : isRequired ? 'always' : 'at times',
      rangeOf(field),
      note + noteOf(path, field.description),
    ];
  });
  const head = withGiven ? ['field', 'value', 'given', 'range', 'meaning'] : ['field', 'value', 'there', 'range', 'meaning'];
  return markdownTable(head, cells);
}

const givenText = ({ default: unless }: JsonSchema, isRequired: boolean): string =>
  unless !== undefined ? `default ${JSON.stringify(unless)}` : isRequired ? 'required' : 'optional';

const ONE_LINE_CHARS = 100;

/** Formats JSON for reading: values that fit a line stay on one line. */
export function readableJson(value: unknown, indent = ''): string {
  const line = spaced(value);
  if (indent.length + line.length <= ONE_LINE_CHARS || value === null || typeof value !== 'object') return line;
  const inner = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => readableJson(item, inner))]
    : ['{', '}', Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${readableJson(item, inner)}`)];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** Formats JSON on one line, with a space after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
