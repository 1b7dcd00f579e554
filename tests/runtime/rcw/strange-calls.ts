import type { Chance } from '../../oracle/chance.ts';

const TEXTS = [
  '',
  'x',
  '__proto__',
  'constructor',
  'stop',
  'set_velocity',
  '\u0000',
  '💥',
  '../..',
  'NaN',
  '1e999',
  '-0',
  ' '.repeat(300),
];
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '0.5',
  '1e308',
  '-1e308',
  '1e999',
  'NaN',
  'Infinity',
  '-Infinity',
  '9007199254740993',
  '.5',
  '01',
  '0x10',
];
const NAMES = ['set_velocity', 'stop', 'set_upper_body', 'get_state', 'go_to', 'cancel', 'reset', 'toString', ''];

/** JSON, or nearly. */
function anything(chance: Chance, depth: number): string {
  const roll = chance.float();
  if (depth <= 0 || roll < 0.3) return chance.oneOf(NUMBERS);
  if (roll < 0.45) return JSON.stringify(chance.oneOf(TEXTS));
  if (roll < 0.55) return chance.oneOf(['null', 'true', 'false', 'undefined', '{', ']', '"']);
  const parts = Array.from({ length: chance.below(7) }, () => anything(chance, depth - 1));
  if (roll < 0.8) return `[${parts.join(',')}]`;
  return `{${parts.map((part) => `${JSON.stringify(chance.oneOf([...TEXTS, 'vx', 'vyaw', 'r_arm', 'l_arm', 'name', 'input', 'options']))}:${part}`).join(',')}}`;
}

const arm = (chance: Chance): string =>
  `[${Array.from({ length: chance.oneOf([0, 4, 5, 5, 5, 6, 40]) }, () => chance.oneOf(NUMBERS)).join(',')}]`;

/** Returns a payload that no reasonable client sends. */
export function strangePayload(chance: Chance): string {
  const roll = chance.float();
  if (roll < 0.3) return anything(chance, 5);
  if (roll < 0.35) return `${'['.repeat(4_000)}`;
  if (roll < 0.4) return `{"name":"set_velocity","input":{"vx":1,"pad":"${'x'.repeat(20_000)}"}}`;
  const input =
    roll < 0.7
      ? `{"r_arm":${arm(chance)},"l_arm":${arm(chance)}}`
      : roll < 0.85
        ? `{"vx":${chance.oneOf(NUMBERS)},"vyaw":1}`
        : anything(chance, 3);
  const options =
    chance.float() < 0.5 ? '' : `,"options":{"action_id":${anything(chance, 1)},"deadline_s":${chance.oneOf(NUMBERS)}}`;
  const text = `{"name":${JSON.stringify(chance.oneOf(NAMES))},"input":${input}${options}}`;
  return chance.float() < 0.15 ? text.slice(0, Math.floor(chance.float() * text.length)) : text;
}
