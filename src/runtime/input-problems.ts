import { z } from 'zod';
import type { RuntimeError } from '../protocol/error-codes.ts';
import * as errors from '../protocol/error-texts.ts';
import type { JsonSchema } from '../protocol/json-schema.ts';
import { branchOf, pathText, type SchemaStyle, wantedWords } from '../protocol/schema-words.ts';
import { shownId } from '../protocol/shown-text.ts';

type Issue = z.core.$ZodIssue;
export type Validated<T> = { ok: true; value: T } | { ok: false; error: RuntimeError };

const MOST_SENTENCES = 3;
/** How many findings are put into words; several may give the same sentence. */
const MOST_READ = 32;
const ECHO_MAX_CHARS = 40;

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

/** Returns the branch of a union that the value's discriminating constants choose. */
function branchFor(schema: JsonSchema, value: unknown): JsonSchema {
  const branches = schema.oneOf ?? schema.anyOf ?? [];
  return branches[branchOf(branches, value)] ?? schema;
}

function schemaAt(root: JsonSchema, path: readonly PropertyKey[], value: unknown): JsonSchema | null {
  let schema = root;
  let inner = value;
  for (const key of path) {
    schema = branchFor(schema, inner);
    const next = typeof key === 'number' ? (schema.prefixItems?.[key] ?? schema.items) : schema.properties?.[String(key)];
    if (typeof next !== 'object') return null;
    schema = next;
    inner = member(inner, key);
  }
  return branchFor(schema, inner);
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown => path.reduce(member, value);

const quoted = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** Shortens text of somebody else to fit a sentence. */
const shortened = (text: string): string => shownId(text.length > ECHO_MAX_CHARS ? `${text.slice(0, ECHO_MAX_CHARS)}…` : text);

/** Returns a name as the beginning of a path; no name is none. */
const under = (name: string): string[] => (name === '' ? [] : [name]);

const STYLE: SchemaStyle = { number: String, options: quoted };

/** Returns the range as data, for programs: the constraints of the schema without its structure. */
function allowedOf({ properties: _p, prefixItems: _i, items: _t, oneOf: _o, anyOf: _a, ...constraints }: JsonSchema): unknown {
  return Object.keys(constraints).length === 0 ? undefined : constraints;
}

function echo(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'an object';
  return shortened(JSON.stringify(value) ?? 'nothing');
}

/** Suggests the object that was meant by a text where an object that takes a text is wanted. */
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

function sentence(
  issue: Issue,
  root: JsonSchema,
  value: unknown,
  prefix: string,
): { text: string; path: string; allowed: unknown } {
  const path = pathText([...under(prefix), ...issue.path]);
  const subject = path === '' ? 'The payload' : `"${shownId(path)}"`;
  const schema = schemaAt(root, issue.path, value);
  if (issue.code === 'unrecognized_keys') {
    const takes = Object.keys(schema?.properties ?? {});
    const names = quoted(issue.keys.slice(0, 5).map(shortened));
    const text = `${subject} has the unknown ${issue.keys.length === 1 ? 'property' : 'properties'} ${names}; it takes ${takes.length === 0 ? 'none' : takes.join(', ')}.`;
    return { text, path: pathText([...under(path), ...issue.keys.slice(0, 1).map(shortened)]), allowed: { properties: takes } };
  }
  const found = echo(valueAt(value, issue.path));
  if (issue.code === 'invalid_union') {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
    return { text: `${subject} must be one of ${quoted(options)}; it is ${found}.`, path, allowed: { enum: options } };
  }
  // A rule that no keyword of JSON Schema expresses has its own words, and the range as data.
  if (issue.code === 'custom') return { text: `${subject} ${issue.message}.`, path, allowed: issue.params };
  if (!schema) return { text: `${subject}: ${issue.message}.`, path, allowed: undefined };
  const example = meant(schema, valueAt(value, issue.path));
  return {
    text: `${subject} must be ${wantedWords(schema, STYLE)}${example}; it is ${found}.`,
    path,
    allowed: allowedOf(schema),
  };
}

/**
 * Checks a value against a schema of the wire.
 * @param prefix the value's name in sentences: "input" for a skill's input, "" for a whole payload.
 * @returns the value with defaults filled in, or INVALID_INPUT with a sentence that names path and allowed range
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, prefix = ''): Validated<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const root = jsonSchemaOf(schema);
  const seen = new Map<string, ReturnType<typeof sentence>>();
  for (const issue of parsed.error.issues.slice(0, MOST_READ)) {
    const problem = sentence(issue, root, value, prefix);
    if (!seen.has(problem.text)) seen.set(problem.text, problem);
  }
  const problems = [...seen.values()];
  const rest = problems.length - MOST_SENTENCES + Math.max(0, parsed.error.issues.length - MOST_READ);
  const message = problems
    .slice(0, MOST_SENTENCES)
    .map(({ text }) => text)
    .concat(rest > 0 ? [`${rest} more problems.`] : [])
    .join(' ');
  const [first] = problems;
  return {
    ok: false,
    error: errors.invalidInput(message || 'The payload is not what the schema asks for.', {
      ...(first ? { path: first.path } : {}),
      ...(first?.allowed === undefined ? {} : { allowed: first.allowed }),
    }),
  };
}
