/** A JSON Schema, limited to the keywords that ours use. */
export interface JsonSchema {
  type?: string | string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  prefixItems?: JsonSchema[];
  items?: JsonSchema | boolean;
}

/**
 * Returns, by path, why a value of `ours` may be invalid in `theirs`; empty if all are valid. Ignores lengths and ranges
 * of theirs.
 */
export function whyNotWithin(ours: JsonSchema, theirs: JsonSchema, path = ''): string[] {
  const at = path === '' ? 'the whole' : path;
  const branches = branchesOf(theirs);
  return branchesOf(ours).flatMap((branch) => {
    const reasons = branches.map((other) => whyNotOne(branch, other, path, at));
    // Reports the closest branch.
    return reasons.sort((a, b) => a.length - b.length)[0] ?? [];
  });
}

function branchesOf(schema: JsonSchema): JsonSchema[] {
  const { anyOf = schema.oneOf } = schema;
  if (anyOf) return anyOf.flatMap(branchesOf);
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}

const isAnything = ({ type, enum: values, ...rest }: JsonSchema): boolean =>
  type === undefined && values === undefined && rest.const === undefined && rest.properties === undefined;

const valuesOf = (schema: JsonSchema): unknown[] | null => (schema.const !== undefined ? [schema.const] : (schema.enum ?? null));

function whyNotOne(ours: JsonSchema, theirs: JsonSchema, path: string, at: string): string[] {
  if (isAnything(theirs)) return [];
  if (isAnything(ours)) return [`${at}: anything is no ${theirs.type}`];
  const allowed = valuesOf(theirs);
  if (allowed) {
    const said = allowed.map((value) => JSON.stringify(value)).join(', ');
    const own = valuesOf(ours);
    if (!own) return [`${at}: any ${ours.type} is not one of ${said}`];
    return own
      .filter((value) => !allowed.includes(value))
      .map((value) => `${at}: ${JSON.stringify(value)} is not one of ${said}`);
  }
  const type = ours.type ?? typeof valuesOf(ours)?.[0];
  if (type !== theirs.type && !(type === 'integer' && theirs.type === 'number')) return [`${at}: ${type} is no ${theirs.type}`];
  if (type === 'object') return whyNotObject(ours, theirs, path);
  if (type === 'array') return whyNotArray(ours, theirs, path, at);
  return [];
}

function whyNotObject(ours: JsonSchema, theirs: JsonSchema, path: string): string[] {
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`);
  const reasons: string[] = [];
  for (const name of theirs.required ?? []) {
    if (!ours.required?.includes(name)) reasons.push(`${inner(name)}: may be missing`);
  }
  for (const [name, schema] of Object.entries(theirs.properties ?? {})) {
    const own = ours.properties?.[name];
    if (own) reasons.push(...whyNotWithin(own, schema, inner(name)));
  }
  if (typeof theirs.additionalProperties !== 'object') return reasons;
  const others = Object.entries(ours.properties ?? {}).filter(([name]) => theirs.properties?.[name] === undefined);
  for (const [name, schema] of others) reasons.push(...whyNotWithin(schema, theirs.additionalProperties, inner(name)));
  if (typeof ours.additionalProperties === 'object') {
    reasons.push(...whyNotWithin(ours.additionalProperties, theirs.additionalProperties, inner('*')));
  }
  return reasons;
}

function whyNotArray(ours: JsonSchema, theirs: JsonSchema, path: string, at: string): string[] {
  const wanted = theirs.prefixItems;
  if (wanted) {
    const own = ours.prefixItems;
    if (!own) return [`${at}: any number of items is not ${wanted.length}`];
    if (own.length !== wanted.length) return [`${at}: ${own.length} items are not ${wanted.length}`];
    return own.flatMap((item, index) => whyNotWithin(item, wanted[index] ?? {}, `${path}[${index}]`));
  }
  if (typeof theirs.items !== 'object') return [];
  const items = ours.prefixItems ?? [typeof ours.items === 'object' ? ours.items : {}];
  return items.flatMap((item) => whyNotWithin(item, theirs.items as JsonSchema, `${path}[]`));
}
