/** Calls that no reasonable client sends: none moves the body, none remains unanswered, none breaks the worker. */
import { describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../../src/protocol/wire/methods.ts';
import { createChance } from '../../oracle/chance.ts';
import { robotTruth } from '../oracle.ts';
import type { TestRuntime } from '../test-runtime.ts';
import { control, createRcw, STANDING, startSigned } from './rcw-runtime.ts';
import { strangePayload } from './strange-calls.ts';

/** After an emergency stop nothing else happens until a person releases it. */
const FUZZED = METHOD_NAMES.filter((method) => method !== 'runtime.emergency_stop');

const CALLS_PER_SEED = 2_500;

/** Runs the calls, with a step from time to time; returns how often each was answered. */
function bombard(t: TestRuntime, seed: number): number[] {
  const chance = createChance(seed);
  const answers = new Array<number>(CALLS_PER_SEED).fill(0);
  for (let count = 0; count < CALLS_PER_SEED; count += 1) {
    const method = chance.float() < 0.7 ? 'runtime.tools_call' : chance.oneOf(FUZZED);
    // The harness reads replies; a call that is accepted for some time is answered by the steps that follow.
    t.runtime.handle(
      { requestId: `f${count}`, method, payload: strangePayload(chance), callerIdentity: 'stranger', nowMs: t.nowMs },
      () => {
        answers[count] = (answers[count] ?? 0) + 1;
      },
    );
    if (count % 50 === 0) t.advance();
  }
  t.advance(10);
  // Pictures are drawn elsewhere and never come back here.
  for (const { actionId } of t.jobs) t.runtime.finishCapture(actionId, { ok: false, message: 'nobody draws here' }, t.nowMs);
  return answers;
}

describe('10,000 fuzzed calls without a signature', () => {
  it.each([1, 2, 3, 4])(
    '10,000 unsigned calls move nothing, are answered once each, and stop no other caller; seed %i',
    async (seed) => {
      const t = await createRcw(true);
      t.advance(120);
      const before = robotTruth(t.core);
      expect(bombard(t, seed).filter((answers) => answers !== 1)).toEqual([]);
      expect(robotTruth(t.core).position).toEqual(before.position);
      expect(t.core.world.base.command).toEqual({ vx: 0, vy: 0, wz: 0 });
      expect(control(t)).toMatchObject({ velocity_holds: false, upper_body: { mode: 'policy', timeouts: 0 } });
      expect(t.faults).toEqual([]);
      // It works as before.
      expect(t.finish(startSigned(t, 'set_upper_body', STANDING)).status).toBe('done');
      expect(t.finish(startSigned(t, 'stop', {})).status).toBe('done');
    },
  );
});
