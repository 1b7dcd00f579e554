import { type Chance, createChance } from '../oracle/chance.ts';
import { stands } from '../oracle/judge-ends.ts';
import { readTruth, requireFinite } from '../oracle/truth.ts';
import { createTestRuntime, type PendingCall, type TestRuntime } from '../runtime/test-runtime.ts';
import { type Json, type Limit, limitsOf, takesBranches, withValue } from './ranges-schema.ts';
import { subjectsOf } from './ranges-sweep.ts';
import type { PromiseSuite } from './suite.ts';

/**
 * Numbers that no reasonable program sends: into every field of every call that takes one, in both profiles, as text of the wire,
 * while the robot works. Each call is answered once, the world keeps finite numbers, and the robot then drives as before.
 */

const CALLS = 50;
/** As they appear in the JSON text: too large for a double, invalid in JSON, tiny, signed zeros, the limits of whole numbers. */
const NUMBERS = [
  ...['0', '-0', '5e-324', '-5e-324', '2.2250738585072014e-308', '1e-160', '1e-45'],
  ...['1e38', '3.5e38', '-3.5e38', '1e154', '1.4e154', '1e160', '1e308', '-1e308', '1.7976931348623157e308'],
  ...['1e999', '-1e999', 'NaN', 'Infinity', '-Infinity'],
  ...['4294967295', '4294967296', '9007199254740991', '9007199254740993', '18446744073709551616', '1e21', '0.1', '1.5'],
];
/** The place of a hostile number in the text of a call. */
const HOLE = '<number>';

interface NumberField {
  name: string;
  prefix: string;
  path: readonly (string | number)[];
  limits: number[];
  example: Json;
}

export const hostile: PromiseSuite = {
  name: 'hostile',
  promises: ['P1', 'P3', 'P11'],
  title: 'hostile numbers in every field are answered once, the world stays finite and the robot drives on',
  seeds: { smoke: 3, full: 300 },
  async run(seed) {
    const chance = createChance(seed);
    const profile = seed % 3 === 0 ? 'worker' : 'simulator';
    const t = await createTestRuntime({ seed, profile, signedControlRequired: false });
    t.advance(5);
    const fields = fieldsOf(t, profile === 'worker');
    const failures: string[] = [];
    const calls: { text: string; call: PendingCall }[] = [];
    for (let count = 0; count < CALLS; count += 1) {
      const field = chance.oneOf(fields);
      const text = callText(chance, field);
      calls.push({ text, call: t.sendText(field.prefix === '' ? field.name : 'runtime.tools_call', text) });
      for (let step = chance.below(50); step > 0; step -= 1) {
        t.advance();
        readTruth(t.core, null);
      }
      requireFinite(t.core);
      for (const method of ['runtime.state', 'runtime.scene_state']) {
        const { error } = t.read(method);
        if (error) failures.push(`after ${text}: ${method} answers ${error.message}`);
      }
    }
    t.invoke(profile === 'worker' ? 'stop' : 'cancel');
    for (const { actionId } of t.jobs) t.runtime.finishCapture(actionId, { ok: false, message: 'nobody draws here' }, t.nowMs);
    for (const { text, call } of calls) if (call.replies !== 1) failures.push(`${text} is answered ${call.replies} times`);
    for (const { thrown } of t.faults) failures.push(`a fault: ${String(thrown)}`);
    failures.push(...drivesOn(t, profile));
    t.runtime.dispose();
    return { cases: calls.length, failures };
  },
};

/** Every field of every call that takes a number, with the limits that it has. */
function fieldsOf(t: TestRuntime, isRcw: boolean): NumberField[] {
  return subjectsOf(t).flatMap(({ name, schema, examples: ofSimulator, prefix }) => {
    const examples = isRcw && name === 'set_velocity' ? [{ vx: 0.1, vy: 0.1, vyaw: 0.1 }] : ofSimulator;
    const byPath = new Map<string, NumberField>();
    for (const example of examples) {
      for (const path of numbersIn(example))
        byPath.set(JSON.stringify([path, example]), { name, prefix, path, limits: [], example });
    }
    const numeric = (limit: Limit) => typeof limit.value === 'number' && /imum|clamp/.test(limit.keyword);
    for (const limit of [...limitsOf(name, schema)].filter(numeric)) {
      for (const field of byPath.values()) {
        if (JSON.stringify(field.path) === JSON.stringify(limit.path) && takesBranches(field.example, limit))
          field.limits.push(Number(limit.value));
      }
    }
    return [...byPath.values()];
  });
}

function numbersIn(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value === 'number') return [path];
  if (Array.isArray(value)) return value.flatMap((inner, index) => numbersIn(inner, [...path, index]));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, [...path, key]));
}

/** The text of a call with a hostile number in one of its fields, and sometimes in its neighbours. */
function callText(chance: Chance, { name, prefix, path, limits, example }: NumberField): string {
  const paths = [path, ...numbersIn(example).filter(() => chance.happens(0.3))];
  const holed = paths.reduce((input, at) => withValue(input, at, HOLE), example);
  const call = prefix === '' ? holed : { name, input: holed };
  return JSON.stringify(call).replaceAll(`"${HOLE}"`, () => numberText(chance, limits));
}

function numberText(chance: Chance, limits: readonly number[]): string {
  if (limits.length === 0 || chance.happens(0.6)) return chance.oneOf(NUMBERS);
  const limit = chance.oneOf(limits);
  const ulp = 2 ** (Math.floor(Math.log2(Math.abs(limit) || 1)) - 52);
  return String(chance.oneOf([limit, -limit, limit + ulp, limit - ulp]));
}

/** A short drive that must be visible in the bodies. */
function drivesOn(t: TestRuntime, profile: string): string[] {
  if (profile === 'worker') t.start('set_velocity', { vx: 0, vyaw: 0.5 });
  else {
    t.stepUntil(() => t.core.ledger.active.size === 0, 600);
    t.start('set_velocity', { wz: 0.5, duration_s: 1 });
  }
  t.advance(60);
  const { robot } = readTruth(t.core, null);
  const drives = robot.yawRateRps > 0.3 ? [] : [`it turns at ${robot.yawRateRps.toFixed(3)} rad/s and not at 0.5`];
  t.invoke(profile === 'worker' ? 'stop' : 'cancel');
  return stands(readTruth(t.core, null)) ? drives : [...drives, 'it does not stop'];
}
