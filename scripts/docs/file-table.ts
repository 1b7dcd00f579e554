/** Rows of the reference of a file format, generated from its JSON Schema. */
import type { FileNotes } from './file-notes.ts';
import { markdownTable } from './markdown.ts';
import { jsonCode, type JsonSchema as PlainSchema, rangeOf, TYPE_TEXTS } from './schema-table.ts';

/** A JSON Schema with the keywords that zod writes for strings and for recursive parts. */
export interface JsonSchema extends Omit<PlainSchema, 'properties' | 'oneOf' | 'anyOf' | 'prefixItems' | 'items'> {
  properties?: Record<string, JsonSchema>;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  items?: JsonSchema | boolean;
  pattern?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** The shared data of the rows of one page. */
export interface FileContext {
  notes: FileNotes;
  /** Paths of the notes that a row has used. */
  used: Set<string>;
  /** Returns a link to the section that describes this part once; null for a part that is described by its own rows. */
  sharedLink(schema: JsonSchema): string | null;
}

export const choicesOf = ({ oneOf, anyOf }: JsonSchema): JsonSchema[] => oneOf ?? anyOf ?? [];

/** The kinds that a part of a union may have, such as `rug, mat`; null for a part without a kind. */
export function kindsOf({ properties }: JsonSchema): string | null {
  const kind = properties?.kind;
  if (kind?.const !== undefined) return String(kind.const);
  return kind?.enum ? kind.enum.join(', ') : null;
}

/** Returns whether a value is one of several objects with a kind. */
export const isUnion = (schema: JsonSchema): boolean => {
  const choices = choicesOf(schema);
  return choices.length > 0 && choices.every((choice) => kindsOf(choice) !== null);
};

export const itemsOf = ({ items }: JsonSchema): JsonSchema | null => (typeof items === 'object' ? items : null);

/** Descriptions of the strings that match a pattern. A pattern that is not in this list is shown unchanged. */
const PATTERNS: readonly (readonly [start: string, phrase: string, range: string])[] = [
  ['^[A-Za-z][A-Za-z0-9_-]{0,39}$', 'id', 'a letter, then at most 39 letters, digits, `_` and `-`'],
  ['^[A-Za-z0-9_-]{1,64}$', 'id', '1 … 64 letters, digits, `_` and `-`'],
  ['^[a-z][a-z0-9_]{0,31}$', 'word', 'a small letter, then at most 31 small letters, digits and `_`'],
  ['^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$', 'text on one line', ''],
  ['^[\\P{Cc}\\n\\t]*$', 'text without control characters', ''],
  ['^[0-9a-f]{16}$', '16 hexadecimal digits', ''],
  ['^[0-9a-f]{64}$', '64 hexadecimal digits', ''],
  ['^[0-9a-f]*$', 'hexadecimal digits', ''],
];

/** Returns the type of a value, in a few words. */
export function typeText(schema: JsonSchema, context: FileContext): string {
  const link = context.sharedLink(schema);
  if (link !== null) return link;
  const { const: constant, enum: values, prefixItems, type, pattern } = schema;
  if (constant !== undefined) return jsonCode(constant);
  if (values) return values.map(jsonCode).join(', ');
  if (isUnion(schema)) return `object, one of ${choicesOf(schema).length} kinds`;
  if (choicesOf(schema).length > 0)
    return choicesOf(schema)
      .map((one) => typeText(one, context))
      .join(' or ');
  if (prefixItems) return `list of ${prefixItems.length} numbers`;
  if (type === 'array') return `list of ${listedText(itemsOf(schema), context)}`;
  if (pattern !== undefined) return PATTERNS.find(([start]) => start === pattern)?.[1] ?? 'text';
  if (type === undefined || schema.$ref !== undefined) return 'any JSON value';
  return [type]
    .flat()
    .map((name) => TYPE_TEXTS[name] ?? name)
    .join(' or ');
}

/** Returns the type of a list's items, in the plural. */
function listedText(items: JsonSchema | null, context: FileContext): string {
  if (items === null) return 'values';
  if (isUnion(items)) return choicesOf(items).length === 1 ? 'objects' : `objects of ${choicesOf(items).length} kinds`;
  if (choicesOf(items).length > 0 && context.sharedLink(items) === null) return 'lists';
  const text = typeText(items, context);
  return text.replace(/^(list|text|id|object)\b/, '$1s');
}

function limitsOf(schema: JsonSchema): string {
  const { pattern, minItems, maxItems } = schema;
  const known = PATTERNS.find(([start]) => start === pattern);
  const least = minItems !== undefined && minItems !== maxItems ? `at least ${minItems}` : '';
  const range = rangeOf(schema as PlainSchema).replace('1 … 1 characters', '1 character');
  const ofPattern = known ? known[2] : pattern === undefined ? '' : `\`${pattern}\``;
  return [least, range, ofPattern].filter((part) => part !== '').join('; ');
}

export interface FileRow {
  path: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** The kind of the union to which it belongs, for its meaning. */
  kind: string | null;
  /** Its name in the notes. */
  note: string;
}

/** Whether the descriptions of the parts of a schema suffice. */
const isDescribed = ({ description }: JsonSchema): boolean => description !== undefined;

/** Returns the rows of an object: each property, and its nested properties. */
export function* fileRows(
  schema: JsonSchema,
  context: FileContext,
  at: { path: string; note: string; kind: string | null } = { path: '', note: '', kind: null },
): Generator<FileRow> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (name === 'kind' && kindsOf(schema) !== null && schema.required?.includes(name)) continue;
    const inside = { path: `${at.path}${name}`, note: `${at.note}${name}`, kind: at.kind };
    yield { ...inside, schema: field, isRequired: schema.required?.includes(name) ?? false };
    yield* rowsInside(field, context, inside);
  }
}

function* rowsInside(
  field: JsonSchema,
  context: FileContext,
  { path, note, kind }: { path: string; note: string; kind: string | null },
): Generator<FileRow> {
  if (context.sharedLink(field) !== null) return;
  yield* fileRows(field, context, { path: `${path}.`, note: `${note}.`, kind });
  if (isUnion(field))
    for (const choice of choicesOf(field))
      yield* fileRows(choice, context, { path: `${path}.`, note: `${note}<${kindsOf(choice)}>.`, kind: kindsOf(choice) });
  const items = itemsOf(field);
  if (items) yield* rowsInside(items, context, { path: `${path}[]`, note: `${note}[]`, kind });
}

const HEAD = ['property', 'type', 'range', 'default', 'meaning'];

/** Returns the table of these rows. @throws if a property has a meaning neither in the schema nor in the notes */
export function fileTable(rows: Iterable<FileRow>, context: FileContext): string {
  const cells = [...rows].map(({ path, schema, isRequired, kind, note }) => {
    const own = context.notes[note];
    if (own) context.used.add(note);
    const meaning = own?.meaning ?? schema.description ?? describedItems(schema);
    if (meaning === undefined) throw new Error(`The property ${note} has no description. Add one to scripts/docs/file-notes.ts.`);
    return [
      `\`${path}\``,
      typeText(schema, context),
      limitsOf(schema),
      schema.default !== undefined ? jsonCode(schema.default) : isRequired ? 'required' : (own?.default ?? 'none'),
      `${kind === null ? '' : `of \`${kind.replaceAll(', ', '`, `')}\`: `}${meaning}`,
    ];
  });
  return markdownTable(HEAD, cells);
}

/** A list has the meaning of its items. */
function describedItems(schema: JsonSchema): string | undefined {
  const items = itemsOf(schema);
  if (items && isDescribed(items)) return items.description;
  return schema.const !== undefined ? '' : undefined;
}
