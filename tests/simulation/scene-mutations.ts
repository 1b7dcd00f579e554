import type { Chance } from '../oracle/chance.ts';

/** One spoilt text, and the kind of damage. */
export interface Mutation {
  text: string;
  what: string;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Place = { holder: Json[] | { [key: string]: Json }; key: string | number; path: string };

/** Values that readers handle badly. */
const ODD: readonly Json[] = [
  null,
  true,
  '',
  'x'.repeat(2_000),
  '\u202e',
  '__proto__',
  'constructor',
  -1,
  0,
  1e308,
  -1e308,
  0.1,
  2 ** 53,
  [],
  {},
  [[[[]]]],
  { length: 3 },
  [null, null, null],
  'cube_3',
  'robot',
];
const NAMES = ['__proto__', 'constructor', 'toString', 'polluted', 'id', 'position', ''];

function places(value: Json, path = ''): Place[] {
  if (value === null || typeof value !== 'object') return [];
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.map((one, index) => [index, one])
    : Object.entries(value);
  return entries.flatMap(([key, inner]) => {
    const here = `${path}/${key}`;
    return [{ holder: value, key, path: here }, ...places(inner, here)];
  });
}

/** Spoils a valid text in many ways: its values, its names, its letters. */
export function* mutations(good: string, count: number, chance: Chance): Generator<Mutation> {
  for (let index = 0; index < count; index += 1) yield chance.happens(0.2) ? inLetters(good, chance) : inValues(good, chance);
}

function inValues(good: string, chance: Chance): Mutation {
  const file = JSON.parse(good) as { [key: string]: Json };
  const reported: string[] = [];
  const changes = 1 + chance.below(2);
  for (let change = 0; change < changes; change += 1) {
    const { holder, key, path } = chance.oneOf(places(file));
    const how = chance.oneOf(['delete', 'odd', 'twice', 'name', 'negative', 'huge', 'swap'] as const);
    reported.push(`${how} ${path}`);
    const at = holder as { [key: string | number]: Json };
    switch (how) {
      case 'delete':
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete at[key];
        break;
      case 'odd':
        at[key] = chance.oneOf(ODD);
        break;
      case 'twice':
        if (Array.isArray(holder)) holder.push(structuredClone(at[key] ?? null));
        else at[`${key}2`] = at[key] ?? null;
        break;
      case 'name':
        Object.defineProperty(holder, chance.oneOf(NAMES), {
          value: { polluted: true },
          enumerable: true,
          configurable: true,
          writable: true,
        });
        break;
      case 'negative':
        at[key] = typeof at[key] === 'number' ? -at[key] - chance.float() : [-1];
        break;
      case 'huge':
        at[key] = Array.from({ length: 1_000 }, () => structuredClone(at[key] ?? null));
        break;
      case 'swap': {
        const other = chance.oneOf(places(file));
        at[key] = structuredClone((other.holder as { [key: string | number]: Json })[other.key] ?? null);
      }
    }
  }
  // A text for which JSON has no number: Infinity.
  const text = JSON.stringify(file);
  return { text: chance.happens(0.05) ? text.replace(/\d+\.\d+/, '1e999') : text, what: reported.join(', ') };
}

function inLetters(good: string, chance: Chance): Mutation {
  const at = chance.below(good.length);
  const length = 1 + chance.below(20);
  switch (chance.below(3)) {
    case 0:
      return { text: good.slice(0, at) + good.slice(at + length), what: `${length} letters gone at ${at}` };
    case 1:
      return { text: good.slice(0, at) + good.slice(at, at + length) + good.slice(at), what: `${length} letters twice at ${at}` };
    default:
      return {
        text: good.slice(0, at) + String.fromCharCode(chance.below(0x3000)) + good.slice(at + 1),
        what: `a letter at ${at}`,
      };
  }
}
