/** Calls that nobody in his right mind sends: none moves the body, none goes unanswered, none breaks the worker. */
import { describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../../src/protocol/methods.ts';
import { type Chance, createChance } from '../../oracle/chance.ts';
import { robotTruth } from '../oracle.ts';
import type { TestRuntime } from '../test-runtime.ts';
import { control, createWorker, STANDING, startSigned } from './worker-runtime.ts';

const CALLS_PER_SEED = 2_500;

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

function payload(chance: Chance): string {
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

/** Runs the calls, a step now and then; returns how many were answered. */
function bombard(t: TestRuntime, seed: number): number {
  const chance = createChance(seed);
  let answered = 0;
  for (let count = 0; count < CALLS_PER_SEED; count += 1) {
    const method = chance.float() < 0.7 ? 'runtime.tools_call' : chance.oneOf(METHOD_NAMES);
    // Replies are read by the harness; a call that is taken for a while is answered by the steps that follow.
    t.runtime.handle(
      { requestId: `f${count}`, method, payload: payload(chance), callerIdentity: 'stranger', nowMs: t.nowMs },
      () => {
        answered += 1;
      },
    );
    if (count % 50 === 0) t.advance();
  }
  t.advance(10);
  return answered;
}

describe('10,000 fuzzed calls without a signature', () => {
  it.each([1, 2, 3, 4])('move nothing, are answered once each, and stop nobody; seed %i', async (seed) => {
    const t = await createWorker(true);
    t.advance(120);
    const before = robotTruth(t.core);
    // Pictures are drawn elsewhere and never come back here.
    const answered = bombard(t, seed);
    expect(answered + t.jobs.length).toBe(CALLS_PER_SEED);
    expect(robotTruth(t.core).position).toEqual(before.position);
    expect(t.core.world.base.command).toEqual({ vx: 0, vy: 0, wz: 0 });
    expect(control(t)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'policy', timeouts: 0 } });
    expect(t.faults).toEqual([]);
    // It works as before.
    expect(t.finish(startSigned(t, 'set_upper_body', STANDING)).status).toBe('done');
    expect(t.finish(startSigned(t, 'stop', {})).status).toBe('done');
  });
});
