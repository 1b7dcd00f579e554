/**
 * Every limit of every schema: the limit itself is accepted, one step past it is rejected by name, and the rejection changes
 * nothing.
 */
import { z } from 'zod';
import { METHOD_REQUESTS } from '../../src/protocol/wire/methods.ts';
import { stateHash } from '../../src/simulation/world.ts';
import type { Reply, TestRuntime } from '../runtime/test-runtime.ts';
import { METHOD_EXAMPLES, SKILL_EXAMPLES } from './ranges-examples.ts';
import { type Json, type Limit, limitsOf, takesBranches, UNIT_LISTS, valuesAround, withValue } from './ranges-schema.ts';

/** A way to send an input, and the names of its fields in rejections. */
interface Subject {
  name: string;
  schema: Json;
  examples: readonly Json[];
  prefix: string;
  /** Whether null stands for an absent field. */
  nullIsAbsent: boolean;
  send(input: Json): ReturnType<TestRuntime['send']>;
}

/** Returns everything that can be called: the skills as tools_list describes them, the methods as the protocol does. */
export function subjectsOf(t: TestRuntime): Subject[] {
  let ids = 0;
  const skills = t.read('runtime.tools_list').map(
    ({ name, input_schema: schema }: Reply): Subject => ({
      name,
      schema,
      examples: SKILL_EXAMPLES[name] ?? [],
      prefix: 'input.',
      nullIsAbsent: false,
      send: (input) => t.start(name, input),
    }),
  );
  const methods = Object.entries(METHOD_REQUESTS).map(
    ([name, request]): Subject => ({
      name,
      schema: z.toJSONSchema(request, { io: 'input' }) as Json,
      examples: METHOD_EXAMPLES[name] ?? [],
      prefix: '',
      nullIsAbsent: true,
      // A new id each time, unless the id itself is tried.
      send: (input) =>
        t.send(name, JSON.parse(JSON.stringify(input).replace('"action_id":"example"', `"action_id":"example-${++ids}"`))),
    }),
  );
  return [...skills, ...methods];
}

/** All existing limits, for the check that each has a case. */
export const allLimits = (t: TestRuntime): Limit[] => subjectsOf(t).flatMap(({ name, schema }) => [...limitsOf(name, schema)]);

/**
 * Fields with a narrower rule that depends on the moment: a cube is put down on something, a robot is handed to a caller that
 * asks.
 */
const NARROWER = new Set(['place_entity.target[pose].pose.position[2]', 'runtime.control.action']);

/** Tries every limit; @returns how many values were tried, and the faults of the answers. */
export function sweep(t: TestRuntime): { cases: number; failures: string[] } {
  const failures: string[] = [];
  let cases = 0;
  const before = stateHash(t.core.world);
  for (const subject of subjectsOf(t)) {
    for (const limit of limitsOf(subject.name, subject.schema)) {
      const example = subject.examples.find((candidate) => takesBranches(candidate, limit));
      if (example === undefined) {
        failures.push(`${limit.key}: there is no example of a call with this field`);
        continue;
      }
      for (const input of inputsPast(subject, limit, example)) {
        cases += 1;
        const problem = refusalProblem(subject, limit, input);
        if (problem) failures.push(`${limit.key} (${JSON.stringify(limit.value)}) with ${short(input)}: ${problem}`);
      }
      for (const at of valuesAround(limit).at) {
        cases += 1;
        const input = withLimit(example, limit, at);
        const call = subject.send(input);
        if (call.reply?.error?.code === 'INVALID_INPUT' && !NARROWER.has(limit.key.slice(0, -limit.keyword.length - 1))) {
          failures.push(
            `${limit.key} (${JSON.stringify(limit.value)}) refuses the limit itself, ${short(input)}: ${call.reply.error.message}`,
          );
        }
        // No steps are made, so accepted actions end where they began.
        t.start('cancel');
      }
    }
  }
  // reset and select_scene are among the calls, so the world is a new one; it must be untouched.
  t.send('runtime.control', { action: 'release' });
  t.invoke('cancel');
  t.invoke('reset', { seed: 1 });
  if (before !== stateHash(t.core.world)) failures.push('after the sweep a reset world is another than before it');
  return { cases, failures };

  function refusalProblem(subject: Subject, limit: Limit, input: Json): string | null {
    const [endedBefore, hash] = [t.ended.length, stateHash(t.core.world)];
    const { reply } = subject.send(input);
    if (reply === null) return 'it is not answered at once';
    if (reply.error?.code !== 'INVALID_INPUT') return `the answer is ${short(reply)} instead of INVALID_INPUT`;
    if (reply.meta !== undefined || t.ended.length !== endedBefore) return 'it became an action';
    if (stateHash(t.core.world) !== hash) return 'it changed the world';
    return namingProblem(subject, limit, reply.error);
  }
}

/** The name of the list of unit length that a limit bounds a number of, and the path to it. */
function unitListOf({ path }: Limit): readonly (string | number)[] | null {
  const list = path.slice(0, -1);
  return UNIT_LISTS.includes(String(list.at(-1))) ? list : null;
}

/** An input with a value exactly at a limit; in a list of unit length it is the only one that is not 0. */
function withLimit(example: Json, limit: Limit, value: Json): Json {
  if (Array.isArray(value) && UNIT_LISTS.includes(String(limit.path.at(-1)))) return example;
  const list = unitListOf(limit);
  if (list === null || typeof value !== 'number') return withValue(example, limit.path, value);
  return withValue(
    example,
    list,
    [0, 1, 2, 3].map((index) => (index === limit.path.at(-1) ? value : 0)),
  );
}

function* inputsPast({ nullIsAbsent }: Subject, limit: Limit, example: Json): Generator<Json> {
  if (limit.keyword === 'additionalProperties') yield withValue(example, [...limit.path, 'no_such_property'], 1);
  else if (limit.keyword === 'required') yield withValue(example, [...limit.path, String(limit.value)], undefined);
  else
    for (const past of valuesAround(limit).past) {
      if (past !== null || !nullIsAbsent) yield withValue(example, limit.path, past);
    }
}

/** Returns whether a rejection names the field and its range, in the sentence and as data. */
function namingProblem({ prefix }: Subject, limit: Limit, error: Reply): string | null {
  const field = limit.path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .slice(1);
  const named =
    limit.keyword === 'additionalProperties'
      ? [field, 'no_such_property'].filter((part) => part !== '').join('.')
      : limit.keyword === 'required'
        ? [field, String(limit.value)].filter((part) => part !== '').join('.')
        : field;
  const { path, allowed } = error.details;
  const list = typeof error.details.allowed?.length === 'object' ? unitListOf(limit) : null;
  if (list !== null) {
    const isNamed = path === `${prefix}${list.join('.')}` && error.message.includes(path) && /length/.test(error.message);
    return isNamed ? null : `the answer does not tell the length of ${list.join('.')}: ${error.message}`;
  }
  const expected = prefix + named;
  if (path !== expected) return `details.path is ${JSON.stringify(path)} instead of "${expected}"`;
  const last = limit.keyword === 'additionalProperties' ? 'no_such_property' : expected;
  if (!error.message.includes(last)) return `the sentence does not name "${last}": ${error.message}`;
  if (limit.keyword === 'required' || limit.keyword === 'additionalProperties') return null;
  const values = Array.isArray(limit.value) ? limit.value : [limit.value];
  const missing = values.find((value) => !error.message.includes(String(value)));
  if (missing !== undefined) return `the sentence does not tell ${limit.keyword} ${JSON.stringify(missing)}: ${error.message}`;
  const reported = JSON.stringify(allowed ?? null);
  const unreported = values.find((value) => !reported.includes(JSON.stringify(value)));
  return unreported === undefined ? null : `details.allowed does not tell ${JSON.stringify(unreported)}: ${reported}`;
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
