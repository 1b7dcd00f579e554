import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../src/common/schema-texts.ts';

/** The parts of the result of a tool that a client shows to its model. */
export const VIEWS = ['text', 'structured', 'both', 'sentence'] as const;
export type View = (typeof VIEWS)[number];

/** The facts that a model reads. */
export type Facts = Record<string, unknown>;

/** Returns the bytes that a client shows. */
export function shownBy(view: View, result: unknown): string {
  const { content = [], structuredContent } = (isRecord(result) ? result : {}) as {
    content?: { type: string; text?: string }[];
    structuredContent?: unknown;
  };
  const text = content.map((block) => block.text ?? '').join('\n');
  const structured = JSON.stringify(structuredContent ?? null);
  if (view === 'text') return text;
  if (view === 'structured') return structured;
  return view === 'both' ? `${text}\n${structured}` : (text.split('\n')[0] ?? '');
}

/** Returns the facts in shown bytes. @throws Error if two representations differ */
export function readShown(view: View, shown: string): Facts {
  const [said = '', first = '{}', second = '{}'] = shown.split('\n');
  if (view === 'structured') return JSON.parse(shown) as Facts;
  if (view === 'sentence') return readSentence(said);
  const facts = { said, ...(JSON.parse(first) as Facts) };
  if (view === 'both' && !isDeepStrictEqual(facts, JSON.parse(second)))
    throw new Error(`The text and the structured data differ: ${shown.slice(0, 400)}`);
  return facts;
}

/** An entity in a sentence: `cube_1 (red cube) at x 1.00 m, y 2.00 m, 0.50 m away`. Only unusual names are quoted. */
const ENTITY =
  /"?([^"\s(;]+)"? \(([^)]*)\) (held by the robot|on "?([^",]+)"?|at x (-?[\d.]+) m, y (-?[\d.]+) m), ([\d.]+) m away/g;
const FAILURE = /^(?:Could not|Did not|It is unknown)/;
const RUNNING = /is still running/;

/** Reads a sentence as a model does that sees nothing else. Places of things on a pad are unknown. */
function readSentence(said: string): Facts {
  const entities = [...said.matchAll(ENTITY)].map(([, id, words = '', where = '', on, x, y, distance]) => ({
    id,
    ...readWords(words.replaceAll('"', '').split(' ')),
    held: where.startsWith('held'),
    on: on ?? null,
    x: x === undefined ? null : Number(x),
    y: y === undefined ? null : Number(y),
    distance_m: Number(distance),
  }));
  const [, code] = /^Could not .*? \((\w+)\):/.exec(said) ?? [];
  const [, running] = /action_id "([^"]+)"/.exec(said) ?? [];
  const [, robotX, robotY, yaw] = /at x (-?[\d.]+) m, y (-?[\d.]+) m, heading (-?\d+)°/.exec(said) ?? [];
  return {
    said,
    status: RUNNING.test(said) ? 'running' : FAILURE.test(said) ? 'failed' : 'done',
    ...(code === undefined ? {} : { code }),
    ...(running === undefined ? {} : { action_id: running }),
    ...(robotX === undefined ? {} : { pose: { x: Number(robotX), y: Number(robotY), yaw_deg: Number(yaw) } }),
    entities,
    regions: [],
  };
}

/** Reads `red cube`, `green destination pad` or `yellow basket`. */
function readWords(words: string[]): Facts {
  const what = words.at(-1) ?? '';
  const role = words.find((word) => word === 'source' || word === 'destination');
  const colour = words.length > (role === undefined ? 1 : 2) ? words[0] : null;
  const isKind = what === 'cube' || what === 'pad';
  return { colour, kind: isKind ? what : 'object', category: isKind ? null : what, ...(role === undefined ? {} : { role }) };
}
