import { describe, expect, it } from 'vitest';
import { CANCELS_REPORTED_FROM, CANCELS_WITHIN_MS, type CancelsRepeated } from '../../src/protocol/room/room-events.ts';
import { ask } from './lease-calls.ts';
import { createRcw } from './rcw/rcw-runtime.ts';
import { createTestRuntime, type TestRuntime } from './test-runtime.ts';

const reported = (t: TestRuntime): CancelsRepeated[] =>
  t.events.flatMap((event) => (event.type === 'cancels_repeated' ? [event] : []));

/** A command of one participant that another one stops at once. */
function stopped(t: TestRuntime, by: string, how: 'runtime.cancel' | 'cancel' = 'runtime.cancel', of = 'ann') {
  const walk = t.start('set_velocity', { vx: 0.2, duration_s: 5 }, undefined, of);
  t.advance(2);
  if (how === 'cancel') t.start('cancel', {}, undefined, by);
  else t.send('runtime.cancel', {}, by);
  return t.finish(walk, 2);
}

describe('a participant that repeatedly stops actions of others', () => {
  it('a participant that repeatedly stops others is never rejected, and each stopped action names its author', async () => {
    const t = await createTestRuntime();
    ask(t, 'ann', 'take');
    for (let i = 0; i < 2 * CANCELS_REPORTED_FROM; i += 1) {
      expect(stopped(t, 'eve').error).toMatchObject({
        code: 'CANCELLED',
        details: { cancelled_by: 'eve', canceller: { kind: 'participant', identity: 'eve' } },
      });
    }
  });

  it.each(['runtime.cancel', 'cancel'] as const)(
    'a participant that repeatedly stops others is reported to the whole room, by %s',
    async (how) => {
      const t = await createTestRuntime();
      for (let i = 1; i < CANCELS_REPORTED_FROM; i += 1) stopped(t, 'eve', how);
      expect(reported(t)).toEqual([]);
      stopped(t, 'eve', how);
      expect(reported(t)).toMatchObject([
        {
          type: 'cancels_repeated',
          by: { identity: 'eve', name: 'eve' },
          cancelled: CANCELS_REPORTED_FROM,
          within_ms: CANCELS_WITHIN_MS,
          last: { name: 'set_velocity', caller: 'ann' },
        },
      ]);
    },
  );

  it('repeated stops are reported once in ten seconds, with the number of stopped actions', async () => {
    const t = await createTestRuntime();
    const untilMs = t.nowMs + 2 * CANCELS_WITHIN_MS;
    while (t.nowMs < untilMs) stopped(t, 'eve');
    const times = reported(t).map(({ at_ms }) => at_ms);
    expect(times.length).toBeGreaterThan(1);
    expect(Math.min(...times.slice(1).map((atMs, i) => atMs - (times[i] ?? 0)))).toBeGreaterThanOrEqual(CANCELS_WITHIN_MS);
  });

  it('stops of own actions, and stops by the driver, by the page and by the service are not reported', async () => {
    const t = await createTestRuntime();
    for (let i = 0; i < CANCELS_REPORTED_FROM; i += 1) stopped(t, 'ann');
    const page = (method: string) =>
      t.runtime.handle({ requestId: 'page', method, payload: '{}', callerIdentity: null, nowMs: t.nowMs }, () => {});
    for (let i = 0; i < CANCELS_REPORTED_FROM; i += 1) {
      const walk = t.start('set_velocity', { vx: 0.2, duration_s: 5 }, undefined, 'ann');
      t.advance(2);
      page('runtime.cancel');
      t.finish(walk, 2);
    }
    // A head that bob turned before ann took the robot continues: she stops it as the driver.
    for (let i = 0; i < CANCELS_REPORTED_FROM; i += 1) {
      const walk = t.start('set_velocity', { vx: 0.2, duration_s: 5 }, undefined, 'bob');
      ask(t, 'ann', 'take');
      t.send('runtime.cancel', {}, 'ann');
      t.finish(walk, 2);
      ask(t, 'ann', 'release');
      t.advance(200);
    }
    expect(reported(t)).toEqual([]);
  });
});

describe('the stop of a physical robot by a participant that does not drive', () => {
  it('repeated stops of a physical robot by another participant are reported to the whole room', async () => {
    const t = await createRcw();
    for (let i = 0; i < CANCELS_REPORTED_FROM; i += 1) {
      t.finish(t.start('set_velocity', { vx: 0.2 }, undefined, 'ann'));
      t.finish(t.start('stop', {}, undefined, 'eve'));
    }
    expect(reported(t)).toMatchObject([{ by: { identity: 'eve' }, cancelled: CANCELS_REPORTED_FROM }]);
  });
});
