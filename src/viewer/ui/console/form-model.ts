import { capitalise } from '../../../common/capitalise.ts';
import { branchOf, isRecord } from '../../../common/schema-texts.ts';
import type { EntityKind } from '../../../protocol/wire/entity-kind.ts';
import type { FormSchema } from '../../../protocol/wire/field-facts.ts';
import { keyText } from '../common/value.ts';
import { branchName, type JsonSchema } from './json-schema.ts';

interface FieldBase {
  key: string;
  label: string;
  /** One line about it, from the schema. */
  help: string;
  required: boolean;
  schema: FormSchema;
}

/** One field of a form, made from a JSON schema. */
export type Field = FieldBase &
  (
    | { kind: 'number'; unit: string; slotOfPadIn: string | null }
    | { kind: 'text'; entityKinds: readonly EntityKind[] | null }
    | { kind: 'enum'; options: readonly string[] }
    | { kind: 'flag' }
    | { kind: 'fixed'; value: unknown }
    | { kind: 'set'; options: readonly string[] }
    | { kind: 'words' }
    | { kind: 'tuple'; items: readonly Field[] }
    | { kind: 'object'; fields: readonly Field[] }
    | { kind: 'choice'; branches: readonly Field[] }
    | { kind: 'json' }
  );

/** A person's input for a field so far: text as typed, even before it is a valid value. */
export type Draft =
  | { kind: 'text'; text: string }
  | { kind: 'flag'; value: '' | 'true' | 'false' }
  | { kind: 'set'; values: readonly string[] }
  | { kind: 'group'; given: boolean; parts: readonly Draft[] }
  | { kind: 'choice'; given: boolean; chosen: number; branches: readonly Draft[] };

/** Returns the form of a schema. A schema without a form becomes a field of JSON text. */
export function fieldOf(schema: FormSchema, key = '', required = true): Field {
  const { facts = {} } = schema;
  const base = { key, label: capitalise(facts.label ?? keyText(key)), help: schema.description ?? '', required, schema };
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches?.every(({ type }) => type === 'object'))
    return { ...base, kind: 'choice', branches: branches.map((branch) => fieldOf(branch, branchName(branch), true)) };
  if (schema.const !== undefined) return { ...base, kind: 'fixed', value: schema.const };
  if (schema.enum?.every((option) => typeof option === 'string')) return { ...base, kind: 'enum', options: schema.enum };
  switch (schema.type) {
    case 'number':
    case 'integer':
      return { ...base, kind: 'number', unit: facts.unit ?? '', slotOfPadIn: facts.slotOfPadIn ?? null };
    case 'string':
      return { ...base, kind: 'text', entityKinds: facts.entityKinds ?? null };
    case 'boolean':
      return { ...base, kind: 'flag' };
    case 'array':
      return listField(base);
    case 'object':
      return isRecord(schema.properties) ? { ...base, kind: 'object', fields: fieldsOf(schema) } : { ...base, kind: 'json' };
    default:
      return { ...base, kind: 'json' };
  }
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  const all = Object.entries(properties).map(([key, inner]) => fieldOf(inner, key, required.includes(key)));
  // A fixed value that may be left out needs no input.
  return all.filter((field) => field.kind !== 'fixed' || field.required);
}

function listField(base: FieldBase): Field {
  const { prefixItems, items, facts = {} } = base.schema;
  const number = (schema: FormSchema, index: number): Field => ({
    key: String(index),
    label: capitalise(facts.parts?.[index] ?? String(index + 1)),
    help: '',
    required: true,
    schema,
    kind: 'number',
    unit: schema.facts?.unit ?? facts.unit ?? '',
    slotOfPadIn: null,
  });
  if (prefixItems?.every(({ type }) => type === 'number' || type === 'integer'))
    return { ...base, kind: 'tuple', items: prefixItems.map(number) };
  if (typeof items === 'object' && items.type === 'number' && isShortTuple(base.schema))
    return { ...base, kind: 'tuple', items: Array.from({ length: base.schema.minItems ?? 0 }, (_, i) => number(items, i)) };
  if (typeof items === 'object' && items.enum?.every((option) => typeof option === 'string'))
    return { ...base, kind: 'set', options: items.enum };
  if (typeof items === 'object' && items.type === 'string') return { ...base, kind: 'words' };
  return { ...base, kind: 'json' };
}

const TUPLE_MAX = 6;
const isShortTuple = ({ minItems, maxItems }: JsonSchema): boolean =>
  minItems !== undefined && minItems === maxItems && minItems > 0 && minItems <= TUPLE_MAX;

/**
 * Returns the draft of a value; without a value, an empty form with its required parts opened.
 * @param value may be anything; parts that do not fit their field are left out
 */
export function draftOf(field: Field, value?: unknown): Draft {
  switch (field.kind) {
    case 'flag':
      return { kind: 'flag', value: typeof value === 'boolean' ? (`${value}` as const) : '' };
    case 'set':
      return { kind: 'set', values: Array.isArray(value) ? value.filter((item) => field.options.includes(item as string)) : [] };
    case 'words':
      return { kind: 'text', text: Array.isArray(value) ? value.join(', ') : '' };
    case 'tuple': {
      const list = Array.isArray(value) ? value : [];
      return {
        kind: 'group',
        given: field.required || list.length > 0,
        parts: field.items.map((item, i) => draftOf(item, list[i])),
      };
    }
    case 'object': {
      const parts = isRecord(value) ? value : {};
      const given = field.required || isRecord(value);
      return { kind: 'group', given, parts: field.fields.map((part) => draftOf(part, parts[part.key])) };
    }
    case 'choice': {
      const chosen = Math.max(
        0,
        branchOf(
          field.branches.map(({ schema }) => schema),
          value,
        ),
      );
      const branches = field.branches.map((branch, i) => draftOf(branch, i === chosen ? value : undefined));
      return { kind: 'choice', given: field.required || isRecord(value), chosen, branches };
    }
    case 'json':
      return { kind: 'text', text: value === undefined ? '' : JSON.stringify(value) };
    default:
      return { kind: 'text', text: textOf(value) };
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the value of a draft; undefined when it is left out. Text that is not yet a number stays as typed. */
export function filledValue(field: Field, draft: Draft): unknown {
  switch (field.kind) {
    case 'fixed':
      return field.value;
    case 'flag':
      return draft.kind === 'flag' && draft.value !== '' ? draft.value === 'true' : undefined;
    case 'set':
      return draft.kind === 'set' && draft.values.length > 0 ? [...draft.values] : undefined;
    case 'tuple':
      return draft.kind === 'group' && draft.given ? field.items.map((item, i) => partValue(item, draft.parts[i])) : undefined;
    case 'object':
      return draft.kind === 'group' && draft.given ? objectValue(field.fields, draft.parts) : undefined;
    case 'choice': {
      if (draft.kind !== 'choice' || !draft.given) return undefined;
      const branch = field.branches[draft.chosen];
      return branch && partValue(branch, draft.branches[draft.chosen]);
    }
    default:
      return draft.kind === 'text' ? typedValue(field, draft.text) : undefined;
  }
}

const partValue = (field: Field, draft: Draft | undefined): unknown => (draft ? filledValue(field, draft) : undefined);

function objectValue(fields: readonly Field[], parts: readonly Draft[]): Record<string, unknown> {
  const entries = fields.map((field, i) => [field.key, partValue(field, parts[i])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function typedValue(field: Field, text: string): unknown {
  const typed = text.trim();
  if (typed === '') return undefined;
  switch (field.kind) {
    case 'number': {
      // Accepts a comma as the decimal sign, and the typographic minus that this page itself writes.
      const number = Number(typed.replace(',', '.').replace('\u2212', '-'));
      return Number.isFinite(number) ? number : typed;
    }
    case 'words':
      return typed.split(/[\s,]+/).filter((word) => word !== '');
    case 'json':
      try {
        return JSON.parse(typed) as unknown;
      } catch {
        return typed;
      }
    default:
      return typed;
  }
}
