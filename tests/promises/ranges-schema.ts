/** Walks advertised JSON Schemas and names every limit in them; shares no code with the runtime's own reading of schemas. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One limit of one field. */
export interface Limit {
  /** "go_to.target[pose].pose.yaw_deg.maximum": skill or method, path with the branch of a union in brackets, keyword. */
  key: string;
  keyword: string;
  /** Of the limit: a number, a list of choices, a constant. */
  value: Json;
  /** The schema of the field. */
  schema: { [key: string]: Json };
  /** Where the field is in an input; numbers are positions in a list. */
  path: readonly (string | number)[];
  /** The union branches on the way, by path of the union joined with dots. */
  branches: Readonly<Record<string, string>>;
}

/** Keywords that bound a value. */
const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'enum',
  'const',
];
/** Keywords that are walked through or do not restrict values. */
const KNOWN = new Set([
  ...BOUNDS,
  ...['type', 'properties', 'required', 'additionalProperties', 'oneOf', 'prefixItems', 'items', 'description', 'default'],
  ...['$schema', 'propertyNames'],
]);
/** A range to which values are clamped is in the description. */
const CLAMPED = /beyond ±([\d.]+) it is clamped/;

/** A list of numbers that are limited only by its length: a value past one of them is reported for the whole list. */
export const UNIT_LISTS = ['orientation_xyzw'];

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every limit of a schema. An unknown keyword is a limit of its own kind, so that it needs a case too. */
export function* limitsOf(
  name: string,
  schema: Json | undefined,
  at: Pick<Limit, 'path' | 'branches'> = { path: [], branches: {} },
): Generator<Limit> {
  if (!isObject(schema)) return;
  const here = (keyword: string, value: Json): Limit => ({ key: `${name}.${keyword}`, keyword, value, schema, ...at });
  for (const [keyword, value] of Object.entries(schema)) {
    if (BOUNDS.includes(keyword) && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER) yield here(keyword, value);
    if (!KNOWN.has(keyword)) yield here(keyword, value);
  }
  if (schema.additionalProperties === false) yield here('additionalProperties', false);
  const clamp = CLAMPED.exec(String(schema.description ?? ''));
  if (clamp) yield here('clamp', Number(clamp[1]));
  for (const required of Array.isArray(schema.required) ? schema.required : []) yield here('required', required);
  for (const [property, inner] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    yield* limitsOf(`${name}.${property}`, inner, { ...at, path: [...at.path, property] });
  }
  for (const branch of Array.isArray(schema.oneOf) ? schema.oneOf : []) {
    const kind =
      isObject(branch) && isObject(branch.properties) && isObject(branch.properties.kind)
        ? String(branch.properties.kind.const)
        : '?';
    yield* limitsOf(`${name}[${kind}]`, branch, { ...at, branches: { ...at.branches, [at.path.join('.')]: kind } });
  }
  for (const [index, item] of (Array.isArray(schema.prefixItems) ? schema.prefixItems : []).entries()) {
    yield* limitsOf(`${name}[${index}]`, item, { ...at, path: [...at.path, index] });
  }
  if (isObject(schema.items)) yield* limitsOf(`${name}[]`, schema.items, { ...at, path: [...at.path, 0] });
}

/** The value at a path of an input; undefined if there is none. */
export function valueAt(input: Json, path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = input;
  for (const key of path) value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  return value;
}

/** A copy of an input with another value at a path; undefined removes the property. */
export function withValue(input: Json, path: readonly (string | number)[], value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (Array.isArray(input)) return input.map((inner, index) => (index === key ? withValue(inner, rest, value) : inner));
  const copy: { [key: string]: Json } = isObject(input) ? { ...input } : {};
  const next = rest.length === 0 ? value : withValue(copy[key] ?? {}, rest, value);
  if (next === undefined) delete copy[key];
  else copy[key] = next;
  return copy;
}

/** Returns whether an input uses the union branches behind which a limit lies. */
export const takesBranches = (input: Json, { branches }: Limit): boolean =>
  Object.entries(branches).every(([path, kind]) => valueAt(input, [...path.split('.'), 'kind']) === kind);

/** A value exactly at the limit, and the nearest ones that break it. Undefined if no value can. */
export function valuesAround({ keyword, value, schema }: Limit): { at: Json[]; past: (Json | undefined)[] } {
  const limit = Number(value);
  const step = schema.type === 'integer' ? 1 : 1e-6;
  const items = (count: number): Json =>
    Array.from({ length: count }, () => sampleOf(isObject(schema.items) ? schema.items : (schema.prefixItems as Json[])[0]));
  switch (keyword) {
    case 'minimum':
      return { at: [limit], past: [limit - step, limit - 1_000, '1', null] };
    case 'maximum':
      return { at: [limit], past: [limit + step, limit + 1_000] };
    case 'exclusiveMinimum':
      return { at: [limit + 1e-6], past: [limit, limit - 1] };
    case 'minLength':
      return { at: ['x'.repeat(limit)], past: ['x'.repeat(limit - 1), 7] };
    case 'maxLength':
      return { at: ['x'.repeat(limit)], past: ['x'.repeat(limit + 1)] };
    case 'minItems':
      return { at: [items(limit)], past: [items(limit - 1), 'a text'] };
    case 'maxItems':
      return { at: [items(limit)], past: [items(limit + 1)] };
    case 'enum':
      return { at: value as Json[], past: ['no_such_choice', 3] };
    case 'const':
      return { at: [value], past: ['no_such_choice'] };
    default:
      return { at: [], past: [] };
  }
}

/** Any value that is valid for the items of a list's schema. */
function sampleOf(schema: Json | undefined): Json {
  if (!isObject(schema)) return null;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  return schema.type === 'string' ? 'x' : 0.075;
}
