import { expect, it } from 'vitest';
import { isDead } from '../../src/control-service/holder-life.ts';
import type { Holder } from '../../src/control-service/sfu-admin.ts';
import { HOLDER_BUSY_ATTRIBUTE } from '../../src/protocol/room/holder-question.ts';

const HOLDER: Holder = { joinId: 'PA_1', joinedAtMs: 0, isConnected: true, isAgent: false, attributes: {} };
/** LiveKit gives up a question that is not acknowledged within this time. */
const ACKNOWLEDGED_WITHIN_MS = 2_000;
const ASKED_AT_MS = 60_000;

/** Simulates a holder that answers questions in this way, with a clock that runs as fast as possible. */
async function judge({
  stopsForMs = 0,
  latencyMs = 20,
  undelivered = false,
  present = HOLDER as Holder | null,
  asked = HOLDER,
  joinedAtMs = 0,
  mayBeJoining = true,
}) {
  let nowMs = ASKED_AT_MS;
  const waits: { dueAtMs: number; wake: () => void }[] = [];
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      waits.push({ dueAtMs: nowMs + ms, wake: resolve });
    });
  let questions = 0;
  const verdict = isDead(
    { ...asked, joinedAtMs },
    {
      pause,
      ageMs: (holder) => nowMs - holder.joinedAtMs,
      mayBeJoining: () => mayBeJoining,
      look: async () => present && { ...present, joinedAtMs },
      async answers(withinMs) {
        questions += 1;
        if (undelivered) return false;
        const answersAtMs = Math.max(nowMs, ASKED_AT_MS + stopsForMs) + latencyMs;
        const givenUpAtMs = nowMs + Math.min(withinMs, ACKNOWLEDGED_WITHIN_MS);
        await pause(Math.min(answersAtMs, givenUpAtMs) - nowMs);
        return answersAtMs <= givenUpAtMs;
      },
    },
  );
  let outcome: boolean | null = null;
  void verdict.then((is) => {
    outcome = is;
  });
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (outcome !== null) return { isDead: outcome, tookMs: nowMs - ASKED_AT_MS, questions };
    waits.sort((one, other) => one.dueAtMs - other.dueAtMs);
    const next = waits.shift();
    if (!next) throw new Error('it waits for nothing');
    nowMs = next.dueAtMs;
    next.wake();
  }
}

it('a holder that answers is known to be alive at once, after one question', async () => {
  expect(await judge({})).toEqual({ isDead: false, tookMs: 20, questions: 1 });
});

it('a holder that never answers is dead after 3 s', async () => {
  expect(await judge({ stopsForMs: Number.POSITIVE_INFINITY })).toMatchObject({ isDead: true, tookMs: 3_000 });
});

it.each([500, 1_500, 1_999, 2_001, 2_500, 2_900])(
  'a holder whose main thread is blocked for %d ms keeps the robot',
  async (stopsForMs) => {
    expect(await judge({ stopsForMs })).toMatchObject({ isDead: false, tookMs: stopsForMs + 20 });
  },
);

it.each([500, 1_000, 1_900])('a holder that answers each question after %d ms keeps the robot', async (latencyMs) => {
  expect(await judge({ latencyMs })).toMatchObject({ isDead: false });
});

it('a holder whose main thread is blocked for longer keeps the robot if its worker reports that it is busy', async () => {
  const present = { ...HOLDER, attributes: { [HOLDER_BUSY_ATTRIBUTE]: '2' } };
  expect(await judge({ stopsForMs: Number.POSITIVE_INFINITY, present })).toMatchObject({ isDead: false });
  const asked = { ...HOLDER, attributes: { [HOLDER_BUSY_ATTRIBUTE]: '2' } };
  expect(await judge({ stopsForMs: Number.POSITIVE_INFINITY, present, asked })).toMatchObject({ isDead: true });
});

it('a question that the SFU could not deliver proves nothing before the timeout', async () => {
  expect(await judge({ undelivered: true })).toMatchObject({ isDead: true, tookMs: 3_000 });
});

it('a holder that is not connected is dead once it can no longer be joining', async () => {
  const present = { ...HOLDER, isConnected: false };
  expect(await judge({ stopsForMs: Number.POSITIVE_INFINITY, present, mayBeJoining: false })).toMatchObject({ isDead: true });
});

it.each([
  ['has left meanwhile', { present: null }],
  ['joined again meanwhile', { present: { ...HOLDER, joinId: 'PA_2' } }],
  ['has no connection yet', { present: { ...HOLDER, isConnected: false } }],
  ['joined a moment ago', { joinedAtMs: ASKED_AT_MS - 1_000 }],
])('a holder that %s is not dead', async (_what, facts) => {
  expect(await judge({ stopsForMs: Number.POSITIVE_INFINITY, ...facts })).toMatchObject({ isDead: false });
});
