import type { JsonSchema } from '../../../common/json-schema.ts';
import { branchOf, isRecord, type Path, rangeText, type SchemaStyle, wantedText } from '../../../common/schema-texts.ts';
import { decimal } from '../common/format.ts';

export type { JsonSchema };

/** One problem of a value, shown next to its field. */
export interface Problem {
  path: Path;
  text: string;
  /** The value is still absent, as before any typing. */
  missing: boolean;
}

/** Parses a path: "target.position[2]" → ["target", "position", 2]. */
export const pathOf = (text: string): Path =>
  (text.match(/[^.[\]]+|\[\d+\]/g) ?? []).map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part));

const figure = (value: number): string => decimal(value, Math.min(6, (String(value).split('.')[1] ?? '').length));

const STYLE: SchemaStyle = { number: figure, options: (values) => values.map(String).join(', ') };

const wanted = (schema: JsonSchema): string => wantedText(schema, STYLE);

/** Describes the range of a number: "from 0 to 5"; empty without one. */
export const rangeOf = (schema: JsonSchema): string => rangeText(schema, STYLE).trim();

/**
 * Returns all problems of a value by its schema. It generates no code at run time, so it works in a page with a strict policy.
 */
export function problemsOf(schema: JsonSchema, value: unknown, path: Path = []): Problem[] {
  const wrong = (text: string, missing = false): Problem[] => [{ path, text, missing }];
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return unionProblems(branches, value, path);
  if (value === undefined) return wrong(missingTexts(schema), true);
  if (schema.const !== undefined && value !== schema.const) return wrong(`This must be ${wanted(schema)}.`);
  if (schema.enum && !schema.enum.includes(value)) return wrong(`This must be ${wanted(schema)}.`);
  if (!isOfType(schema, value) || !isInRange(schema, value))
    return wrong(`This must be ${wanted(schema)}; it is ${echo(value)}.`);
  if (Array.isArray(value)) return listProblems(schema, value, path);
  if (isRecord(value) && schema.type === 'object') return objectProblems(schema, value, path);
  return [];
}

/** Returns the instruction for an empty field. */
function missingTexts(schema: JsonSchema): string {
  if (schema.enum || schema.type === 'boolean') return `Choose ${wanted(schema)}.`;
  // The length limits of an id do not help to find one.
  return schema.type === 'string' ? 'Fill this in.' : `Fill in ${wanted(schema)}.`;
}

function unionProblems(branches: readonly JsonSchema[], value: unknown, path: Path): Problem[] {
  const chosen = branches[branchOf(branches, value)];
  if (chosen) return problemsOf(chosen, value, path);
  if (branches.some((branch) => problemsOf(branch, value, path).length === 0)) return [];
  return [{ path, text: `Choose ${branches.map(branchName).join(' or ')}.`, missing: value === undefined }];
}

/** Returns the name of a branch: the text of its fixed field, otherwise its title or type. */
export function branchName(branch: JsonSchema): string {
  const fixed = Object.values(branch.properties ?? {}).find(({ const: only }) => typeof only === 'string');
  return typeof fixed?.const === 'string' ? fixed.const : (branch.title ?? wanted(branch));
}

function isOfType({ type }: JsonSchema, value: unknown): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function isInRange(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    return (
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity) &&
      value > (exclusiveMinimum ?? -Infinity) &&
      value < (exclusiveMaximum ?? Infinity)
    );
  }
  const [size, least, most] =
    typeof value === 'string'
      ? [value.length, schema.minLength, schema.maxLength]
      : [Array.isArray(value) ? value.length : 0, schema.minItems, schema.maxItems];
  return size >= (least ?? 0) && size <= (most ?? Infinity);
}

function listProblems(schema: JsonSchema, value: readonly unknown[], path: Path): Problem[] {
  return value.flatMap((item, index) => {
    const inner = schema.prefixItems?.[index] ?? (typeof schema.items === 'object' ? schema.items : undefined);
    return inner ? problemsOf(inner, item, [...path, index]) : [];
  });
}

function objectProblems(schema: JsonSchema, value: Record<string, unknown>, path: Path): Problem[] {
  const { properties = {}, required = [] } = schema;
  const unknown =
    schema.additionalProperties === false ? Object.keys(value).filter((key) => !Object.hasOwn(properties, key)) : [];
  return [
    ...unknown.map((key) => ({
      path: [...path, key],
      text: `There is no field “${key}” here${takesText(properties)}.`,
      missing: false,
    })),
    ...Object.entries(properties).flatMap(([key, inner]) =>
      value[key] === undefined && (!required.includes(key) || inner.default !== undefined)
        ? []
        : problemsOf(inner, value[key], [...path, key]),
    ),
  ];
}

function takesText(properties: Record<string, JsonSchema>): string {
  const names = Object.keys(properties);
  return names.length === 0 ? '; there is none at all' : `; there are ${names.join(', ')}`;
}

function echo(value: unknown): string {
  if (typeof value === 'number') return decimal(value, Math.min(6, (String(value).split('.')[1] ?? '').length));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
