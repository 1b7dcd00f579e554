import { keyWords } from '../common/value.ts';
import { branchName, branchOf, isRecord, type JsonSchema } from './json-schema.ts';

/** The source of a text field's values. */
export type IdSource = 'entity' | 'pad';

interface FieldFacts {
  key: string;
  label: string;
  /** One line about it, from the schema. */
  help: string;
  required: boolean;
  schema: JsonSchema;
}

/** One field of a form, made from a JSON schema. */
export type Field = FieldFacts &
  (
    | { kind: 'number'; unit: string; source: 'slot' | null }
    | { kind: 'text'; source: IdSource | null }
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

/** A person's input for a field so far: text as typed, even while it is no value yet. */
export type Draft =
  | { kind: 'text'; text: string }
  | { kind: 'flag'; value: '' | 'true' | 'false' }
  | { kind: 'set'; values: readonly string[] }
  | { kind: 'group'; given: boolean; parts: readonly Draft[] }
  | { kind: 'choice'; given: boolean; chosen: number; branches: readonly Draft[] };

/** Returns the form of a schema. A schema without a form becomes a field of JSON text. */
export function fieldOf(schema: JsonSchema, key = '', required = true): Field {
  const facts = { key, label: labelOf(key), help: schema.description ?? '', required, schema };
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches?.every(({ type }) => type === 'object'))
    return { ...facts, kind: 'choice', branches: branches.map((branch) => fieldOf(branch, branchName(branch), true)) };
  if (schema.const !== undefined) return { ...facts, kind: 'fixed', value: schema.const };
  if (schema.enum?.every((option) => typeof option === 'string')) return { ...facts, kind: 'enum', options: schema.enum };
  switch (schema.type) {
    case 'number':
    case 'integer':
      return { ...facts, kind: 'number', unit: unitOf(key, facts.help), source: isSlotIndex(facts.help) ? 'slot' : null };
    case 'string':
      return { ...facts, kind: 'text', source: sourceOf(facts.help) };
    case 'boolean':
      return { ...facts, kind: 'flag' };
    case 'array':
      return listField(facts);
    case 'object':
      return isRecord(schema.properties) ? { ...facts, kind: 'object', fields: fieldsOf(schema) } : { ...facts, kind: 'json' };
    default:
      return { ...facts, kind: 'json' };
  }
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  const all = Object.entries(properties).map(([key, inner]) => fieldOf(inner, key, required.includes(key)));
  // One fixed value that may be left out needs no input.
  return all.filter((field) => field.kind !== 'fixed' || field.required);
}

function listField(facts: FieldFacts): Field {
  const { prefixItems, items } = facts.schema;
  const unit = unitOf(facts.key, facts.help);
  if (prefixItems?.every(({ type }) => type === 'number' || type === 'integer')) {
    const names = /\[([^\]]+)\]/.exec(facts.help)?.[1]?.split(/,\s*/) ?? [];
    const fields = prefixItems.map((item, index): Field => {
      const label = names[index] ?? String(index + 1);
      return { key: String(index), label, help: '', required: true, schema: item, kind: 'number', unit, source: null };
    });
    return { ...facts, kind: 'tuple', items: fields };
  }
  if (typeof items === 'object' && items.type === 'number' && isShortTuple(facts.schema)) {
    // The words after the colon in its description name the numbers, if their count matches.
    const listed = /: ([^;]+)/.exec(facts.help)?.[1]?.split(/,\s*/) ?? [];
    const fields = Array.from({ length: facts.schema.minItems ?? 0 }, (_, index): Field => {
      const name = listed.length === facts.schema.minItems ? listed[index] : undefined;
      const label = name === undefined ? String(index + 1) : name.charAt(0).toUpperCase() + name.slice(1);
      return { key: String(index), label, help: '', required: true, schema: items, kind: 'number', unit, source: null };
    });
    return { ...facts, kind: 'tuple', items: fields };
  }
  if (typeof items === 'object' && items.enum?.every((option) => typeof option === 'string'))
    return { ...facts, kind: 'set', options: items.enum };
  if (typeof items === 'object' && items.type === 'string') return { ...facts, kind: 'words' };
  return { ...facts, kind: 'json' };
}

const TUPLE_MAX = 6;
const isShortTuple = ({ minItems, maxItems }: JsonSchema): boolean =>
  minItems !== undefined && minItems === maxItems && minItems > 0 && minItems <= TUPLE_MAX;

const labelOf = (key: string): string => {
  const words =
    { vx: 'forward', vy: 'left', wz: 'turn left', vyaw: 'turn left', r_arm: 'right arm', l_arm: 'left arm' }[key] ??
    keyWords(key.replace(/_px$/, ''));
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const sourceOf = (help: string): IdSource | null =>
  help.includes('runtime.scene_state') ? 'entity' : help.includes('a pad of') ? 'pad' : null;

const isSlotIndex = (help: string): boolean => help.includes('slots of the pad');

const KEY_UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ['_mps', 'm/s'],
  ['_deg', '°'],
  ['_ms', 'ms'],
  ['_px', 'px'],
  ['_m', 'm'],
  ['_s', 's'],
];
const WORD_UNITS: readonly (readonly [pattern: RegExp, unit: string])[] = [
  [/\brad\/s\b/, 'rad/s'],
  [/\bm\/s\b/, 'm/s'],
  [/\bradians\b/, 'rad'],
  [/\bmetres\b/, 'm'],
  [/\bpixels\b/, 'px'],
];

function unitOf(key: string, help: string): string {
  const byKey = KEY_UNITS.find(([ending]) => key.endsWith(ending))?.[1];
  return byKey ?? WORD_UNITS.find(([pattern]) => pattern.test(help))?.[1] ?? '';
}

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

/** Returns the value of a draft; undefined when it is left out. Text that is no number yet stays as typed. */
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
      // Accepts a comma as the decimal sign, and the true minus that this page itself writes.
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
