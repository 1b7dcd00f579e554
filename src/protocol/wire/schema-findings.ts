/** Findings of a schema in words: where a value is wrong, why, and what would be right. */
import { z } from 'zod';
import type { JsonSchema } from '../../common/json-schema.ts';
import { IS_JSON_TEXT, isJsonText } from '../../common/json-text.ts';
import { branchOf, pathText, type SchemaStyle, wantedText } from '../../common/schema-texts.ts';
import { shownId } from '../../common/shown-text.ts';

type Issue = z.core.$ZodIssue;

/** How many findings are put into words; several may give the same sentence. */
const MOST_READ = 32;
const ECHO_MAX_CHARS = 40;

/** One fault of a value. */
export interface Finding {
  /** The part that the reason describes: "target.position[2]"; empty for the whole value. */
  subject: string;
  /** The faulty part: the subject, or an unknown property of it. */
  path: string;
  /** A description of the fault, after the subject: "must be a number from 0 to 5; it is 7." */
  reason: string;
  /** The range as data, for programs. */
  allowed: unknown;
}

/** The findings in a value, without repeated sentences, and the number of further findings. */
export interface Findings {
  found: Finding[];
  moreCount: number;
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const made = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  jsonSchemas.set(schema, made);
  return made;
}

const member = (value: unknown, key: PropertyKey): unknown =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;

const DEFS = '#/$defs/';

/** Returns the schema to which a reference points, or the schema itself. */
const referred = (root: JsonSchema, schema: JsonSchema): JsonSchema =>
  (schema.$ref?.startsWith(DEFS) ? root.$defs?.[schema.$ref.slice(DEFS.length)] : undefined) ?? schema;

/** Returns the branch of a union that the value's discriminating constants choose. */
function branchFor(schema: JsonSchema, value: unknown): JsonSchema {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  return branches[branchOf(branches, value)] ?? schema;
}

function schemaAt(root: JsonSchema, path: readonly PropertyKey[], value: unknown): JsonSchema | null {
  let schema = root;
  let inner = value;
  for (const key of path) {
    schema = branchFor(referred(root, schema), inner);
    const next = typeof key === 'number' ? (schema.prefixItems?.[key] ?? schema.items) : schema.properties?.[String(key)];
    if (typeof next !== 'object') return null;
    schema = next;
    inner = member(inner, key);
  }
  return branchFor(referred(root, schema), inner);
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => path.reduce(member, value);

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** Shortens foreign text to fit a sentence. */
const shortened = (text: string): string => shownId(text.length > ECHO_MAX_CHARS ? `${text.slice(0, ECHO_MAX_CHARS)}…` : text);

/** Returns a name as the beginning of a path; empty for no name. */
const under = (name: string): string[] => (name === '' ? [] : [name]);

const STYLE: SchemaStyle = { number: String, options: quoted };

/** Returns the range as data, for programs: the constraints of the schema without its structure. */
function allowedOf(schema: JsonSchema): unknown {
  const { properties: _p, prefixItems: _i, items: _t, oneOf: _o, anyOf: _a, $defs: _d, ...constraints } = schema;
  return Object.keys(constraints).length === 0 ? undefined : constraints;
}

function echo(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'an object';
  return shortened(JSON.stringify(value) ?? 'nothing');
}

/** Suggests the intended object for a text, if an object with a text field is required. */
function meant(schema: JsonSchema, value: unknown): string {
  if (typeof value !== 'string' || value.length > ECHO_MAX_CHARS) return '';
  for (const { properties = {}, required = [] } of schema.oneOf ?? schema.anyOf ?? [schema]) {
    const members = required.map((name) => [name, properties[name]?.const ?? value]);
    const texts = required.filter((name) => properties[name]?.const === undefined);
    const [only] = texts;
    if (only === undefined || texts.length > 1 || properties[only]?.type !== 'string') continue;
    return `, such as ${shownId(JSON.stringify(Object.fromEntries(members)))}`;
  }
  return '';
}

/** Returns whether an object is required, or one of several objects. */
const takesObject = ({ type, oneOf, anyOf }: JsonSchema): boolean =>
  type === 'object' || (oneOf ?? anyOf ?? []).some((branch) => branch.type === 'object');

function findingOf(issue: Issue, root: JsonSchema, value: unknown, prefix: string): Finding {
  const path = pathText([...under(prefix), ...issue.path]);
  const schema = schemaAt(root, issue.path, value);
  if (issue.code === 'unrecognized_keys') {
    const takes = Object.keys(schema?.properties ?? {});
    const names = quoted(issue.keys.slice(0, 5).map(shortened));
    return {
      subject: path,
      path: pathText([...under(path), ...issue.keys.slice(0, 1).map(shortened)]),
      reason: `has the unknown ${issue.keys.length === 1 ? 'property' : 'properties'} ${names}; it takes ${takes.length === 0 ? 'none' : takes.join(', ')}.`,
      allowed: { properties: takes },
    };
  }
  const found = echo(valueAt(value, issue.path));
  if (issue.code === 'invalid_union' && !isJsonText(valueAt(value, issue.path))) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
    return {
      subject: path,
      path,
      reason: `must be one of ${quoted(options)}; it is ${found}.`,
      allowed: { enum: options },
    };
  }
  // A rule that no keyword of JSON Schema expresses has its own words, and the range as data.
  if (issue.code === 'custom') return { subject: path, path, reason: `${issue.message}.`, allowed: issue.params };
  // The same applies to the form of a text, if the schema names it.
  if (issue.code === 'invalid_format' && issue.message.startsWith('must '))
    return { subject: path, path, reason: `${issue.message}; it is ${found}.`, allowed: schema ? allowedOf(schema) : undefined };
  if (!schema) return { subject: path, path, reason: `is wrong: ${issue.message}.`, allowed: undefined };
  if (isJsonText(valueAt(value, issue.path)) && takesObject(schema))
    return { subject: path, path, reason: IS_JSON_TEXT, allowed: allowedOf(schema) };
  const example = meant(schema, valueAt(value, issue.path));
  return {
    subject: path,
    path,
    reason: `must be ${wantedText(schema, STYLE)}${example}; it is ${found}.`,
    allowed: allowedOf(schema),
  };
}

/**
 * Describes in words what a schema found wrong with a value.
 * @param issues at least one, as `safeParse` gives them
 * @param prefix the value's name in paths; empty for none
 * @param told the schema as its callers know it, if that has more details than the schema itself
 */
export function findingsIn(
  schema: z.ZodType,
  issues: readonly Issue[],
  value: unknown,
  prefix = '',
  ownSchema: JsonSchema | null = null,
): Findings {
  const root = ownSchema ?? jsonSchemaOf(schema);
  const seen = new Map<string, Finding>();
  for (const issue of issues.slice(0, MOST_READ)) {
    const finding = findingOf(issue, root, value, prefix);
    const sentence = `${finding.subject} ${finding.reason}`;
    if (!seen.has(sentence)) seen.set(sentence, finding);
  }
  return { found: [...seen.values()], moreCount: Math.max(0, issues.length - MOST_READ) };
}
