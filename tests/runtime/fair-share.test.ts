import { describe, expect, it, vi } from 'vitest';
import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { CAPTURES_WAITING_MAX, JOINED_CALLS_MAX, RESULTS_KEPT_MAX, RESULTS_KEPT_MIN } from '../../src/protocol/wire/limits.ts';
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import type { StoredAction } from '../../src/runtime/runtime.ts';
import { createRcw, rcwStateOf, STANDING } from './rcw/rcw-runtime.ts';
import { createTestRuntime, type TestRuntime } from './test-runtime.ts';

const CAPTURE = 'runtime.cameras_capture';
const PICTURE = { selector: { kind: 'id', id: 'pov' } };
const heldOf = (t: TestRuntime): number => t.core.ledger.ended.size + t.core.ledger.unrepeatable.size;

describe('the ledger is bounded, and each caller has a share of it', () => {
  const speed = (t: TestRuntime, id: string, caller: string) =>
    t.start('set_sim_speed', { speed: 1 }, { action_id: id }, caller).reply;

  it('P5: a flood of one caller costs it its own oldest results, and no other caller’s', async () => {
    const t = await createTestRuntime();
    const quiet = Array.from({ length: 5 }, (_, n) => speed(t, `quiet-${n}`, 'quiet'));
    // Past the judges of the tests, which check every reply.
    for (let n = 0; n < RESULTS_KEPT_MAX + 500; n += 1) {
      const payload = JSON.stringify({ name: 'set_sim_speed', input: { speed: 1 }, options: { action_id: `flood-${n}` } });
      const call = { requestId: 'r', method: 'runtime.tools_call', payload, callerIdentity: 'flood', nowMs: t.nowMs };
      t.runtime.handle(call, () => undefined);
    }
    expect(t.core.ledger.ended.size).toBe(RESULTS_KEPT_MAX);
    for (const [n, reply] of quiet.entries()) {
      expect(t.read('runtime.action', { action_id: `quiet-${n}` })).toEqual(reply);
      expect(speed(t, `quiet-${n}`, 'quiet')).toEqual(reply);
    }
    expect(t.read('runtime.action', { action_id: 'flood-0' }).error.code).toBe('ACTION_NOT_FOUND');
    expect(t.read('runtime.action', { action_id: `flood-${500 + 5}` }).status).toBe('done');
  });

  it('pictures, drawn or failed, take no room from repeatable results, and the last pictures can be read', async () => {
    const t = await createTestRuntime();
    const first = speed(t, 'first', 'one');
    t.nowMs += 1;
    for (let n = 0; n < RESULTS_KEPT_MIN + 50; n += 1) {
      t.send(CAPTURE, PICTURE, 'eye');
      const { actionId } = t.jobs.at(-1) ?? { actionId: '' };
      t.runtime.finishCapture(actionId, n % 2 ? { ok: false, message: 'x' } : { ok: true, byteLength: 1 }, t.nowMs);
    }
    expect([t.core.ledger.ended.size, t.core.ledger.unrepeatable.size]).toEqual([1, RESULTS_KEPT_MIN]);
    const { last_action: last } = t.read('runtime.state').runtime;
    expect(last).toMatchObject({ kind: 'capture', status: 'failed' });
    expect(t.read('runtime.action', { action_id: last.action_id }).error.code).toBe('CAPTURE_FAILED');
    expect(t.read('runtime.action').slice(0, 2)).toMatchObject([{ kind: 'capture' }, { kind: 'capture' }]);
    t.nowMs += 1;
    expect(speed(t, 'second', 'one').status).toBe('done');
    expect(t.read('runtime.action')[0]).toMatchObject({ name: 'set_sim_speed' });
    expect(speed(t, 'first', 'one')).toEqual(first);
  });

  it('a caller without a grant leaves no entry in the ledger of a robot that accepts only signed calls', async () => {
    const t = await createRcw(true);
    for (let n = 0; n < 15; n += 1) {
      for (const method of METHOD_NAMES) t.send(method, {}, 'stranger');
      for (const name of ['set_velocity', 'stop', 'set_upper_body', 'get_state', 'dance']) {
        t.start(name, { ...STANDING, vx: 0.1 }, { action_id: `${name}-${n}` }, 'stranger');
      }
      t.send('runtime.cancel', { options: { action_id: `c-${n}` } }, 'stranger');
    }
    expect(heldOf(t)).toBe(0);
    expect([t.core.ledger.active.size, rcwStateOf(t).packets.size]).toEqual([0, 0]);
  });

  it('a state or a list of the last results reads no more of the ledger than it returns', async () => {
    let looks = 0;
    const stored = Array.from({ length: RESULTS_KEPT_MAX }, (_, n): StoredAction => {
      const meta = { action_id: `s${n}`, started_at_ms: n, finished_at_ms: n, duration_ms: 0 };
      const result = { status: 'done' as const, result: {}, meta };
      const [parametersKey, status] = ['', 'done' as const];
      return {
        ...{
          actionId: `s${n}`,
          kind: 'tool',
          name: 'set_sim_speed',
          input: {},
          caller: unsignedCaller('one'),
          parametersKey,
          status,
        },
        get result() {
          looks += 1;
          return result;
        },
      };
    });
    const t = await createTestRuntime({ storedResults: stored });
    looks = 0;
    t.read('runtime.state');
    expect(looks).toBeLessThan(5);
    looks = 0;
    const reported = t.read('runtime.action').length;
    expect(reported).toBeGreaterThan(50);
    expect(looks).toBeLessThan(4 * reported);
  });
});

describe('calls that join one action', () => {
  const drive = (t: TestRuntime, caller: string) =>
    t.start('set_velocity', { vx: 0.1, duration_s: 0.2 }, { action_id: 'drive' }, caller);

  it('P9: calls that join an action are bounded for each caller; those of others join, and the action is unaffected', async () => {
    const t = await createTestRuntime();
    const mine = Array.from({ length: JOINED_CALLS_MAX + 3 }, () => drive(t, 'many'));
    const other = drive(t, 'other');
    const refused = mine.filter(({ reply }) => reply !== null);
    expect(refused).toHaveLength(3);
    expect(refused[0]?.reply.error).toMatchObject({
      code: 'BUSY',
      details: {
        limit: 'calls_on_one_action',
        allowed: { calls_on_one_action: JOINED_CALLS_MAX },
        retry_after_ms: expect.any(Number),
        retryable: true,
      },
    });
    const end = t.finish(other);
    expect(end.status).toBe('done');
    for (const { reply, replies } of mine.slice(0, JOINED_CALLS_MAX)) expect([reply, replies]).toEqual([end, 1]);
  });

  it('P7: a cancel with too many before it stops the robot all the same', async () => {
    const t = await createTestRuntime();
    const driving = t.start('set_velocity', { vx: 0.5, duration_s: 100 }, { action_id: 'drive' }, 'other');
    t.advance(60);
    for (let n = 1; n < JOINED_CALLS_MAX + 1; n += 1) {
      t.start('set_velocity', { vx: 0.5, duration_s: 100 }, { action_id: 'drive' }, 'many');
    }
    expect(t.send('runtime.cancel', { options: { action_id: 'drive' } }, 'many').reply.error.code).toBe('BUSY');
    expect(t.finish(driving, 0.6).error).toMatchObject({ code: 'CANCELLED', details: { cancelled_by: 'many' } });
  });

  it('calls that join an action are answered with a text that is made once', async () => {
    const t = await createTestRuntime();
    const all = Array.from({ length: JOINED_CALLS_MAX }, () => drive(t, 'many'));
    const written = vi.spyOn(JSON, 'stringify');
    t.finish(all[0] as never);
    const ends = written.mock.calls.filter(([value]) => (value as { status?: string } | null)?.status === 'done');
    written.mockRestore();
    expect(all.at(-1)?.replies).toBe(1);
    expect(ends).toHaveLength(1);
  });
});

describe('pictures that wait', () => {
  it('waiting pictures are bounded for each caller, and a cancelled one counts until it leaves the queue', async () => {
    const t = await createTestRuntime();
    const ask = (caller: string) => t.send(CAPTURE, PICTURE, caller);
    const many = Array.from({ length: CAPTURES_WAITING_MAX }, () => ask('many'));
    expect(many.every(({ reply }) => reply === null)).toBe(true);
    expect(ask('many').reply.error).toMatchObject({
      code: 'BUSY',
      details: { limit: 'captures_waiting', allowed: { captures_waiting: CAPTURES_WAITING_MAX }, retry_after_ms: 1_000 },
    });
    t.send('runtime.cancel', { options: { action_id: t.jobs[0]?.actionId } }, 'many');
    expect(many[0]?.reply.error.code).toBe('CANCELLED');
    expect(ask('many').reply.error.code).toBe('BUSY');
    expect(ask('other').reply).toBeNull();
    t.runtime.finishCapture(t.jobs[0]?.actionId ?? '', { ok: false, message: 'cancelled' }, t.nowMs);
    expect(ask('many').reply).toBeNull();
  });
});
