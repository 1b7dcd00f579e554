import { describe, expect, test } from 'vitest';
import { LINK_PRESS_PATH } from '../../../src/protocol/service/link-press.ts';
import { type PressOutcome, SILENT, STANDS } from '../../../src/remote-robot/press.ts';
import { pressOverHttp } from '../../../src/viewer/engine/visitor/press-http.ts';
import {
  PRESS_AGAIN_AFTER_MS,
  PRESSED_FOR_MS,
  pressByEveryPath,
  STOP_GIVEN_UP,
  STOP_UNANSWERED,
  type StopReport,
} from '../../../src/viewer/engine/visitor/press-paths.ts';

const LATCHED: PressOutcome = { status: 'latched', problem: 'It moves.', isFinal: false };
const REFUSED: PressOutcome = { status: 'refused', problem: 'Not signed.', isFinal: false };
const NO_RIGHT: PressOutcome = { status: 'refused', problem: null, isFinal: true };

/** Presses with a clock of the test, on paths that answer the given outcomes in order and repeat the last one. */
async function pressed(room: PressOutcome[], http: PressOutcome[] | null) {
  const reported: StopReport[] = [];
  const tries = { room: 0, http: 0 };
  let nowMs = 0;
  const path = (name: 'room' | 'http', outcomes: readonly PressOutcome[]) => async () => {
    const outcome = outcomes[Math.min(tries[name], outcomes.length - 1)] as PressOutcome;
    tries[name] += 1;
    return outcome;
  };
  await pressByEveryPath(
    { room: path('room', room), http: http && path('http', http) },
    {
      report: (stop) => reported.push(stop),
      nowMs: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  );
  return { reported, last: reported.at(-1), tries };
}

describe('an emergency stop over both paths', () => {
  test('both paths answer: the page shows nothing, and neither path presses again', async () => {
    const { last, tries } = await pressed([STANDS], [STANDS]);
    expect(last).toEqual({ problem: null, done: null });
    expect(tries).toEqual({ room: 1, http: 1 });
  });

  test('the room is cut off: the platform’s answer counts, and the page names its source', async () => {
    const { reported, last, tries } = await pressed([SILENT], [STANDS]);
    expect(last?.problem).toBeNull();
    expect(last?.done).toContain('The platform reports');
    expect(tries.http).toBe(1);
    expect(reported.some(({ problem }) => problem === STOP_GIVEN_UP)).toBe(false);
  });

  test('the platform is cut off or missing: the robot’s answer counts', async () => {
    for (const http of [[SILENT], null]) {
      const { last } = await pressed([STANDS], http);
      expect(last).toEqual({ problem: null, done: null });
    }
  });

  test('no path answers: the press is repeated, and then the page reports that it gives up', async () => {
    const { reported, last, tries } = await pressed([SILENT], [SILENT]);
    expect(reported[0]?.problem).toBe(STOP_UNANSWERED);
    expect(last).toEqual({ problem: STOP_GIVEN_UP, done: null, settledBy: 'latch' });
    expect(tries.room).toBeGreaterThan(PRESSED_FOR_MS / PRESS_AGAIN_AFTER_MS / 2 - 2);
    expect(tries.http).toBeGreaterThan(PRESSED_FOR_MS / PRESS_AGAIN_AFTER_MS / 2 - 2);
  });

  test('the stop is latched and the motion of the robot is unknown: the page never claims that the robot stands', async () => {
    const { reported, last } = await pressed([SILENT], [LATCHED]);
    expect(reported.every(({ done }) => done === null)).toBe(true);
    expect(reported.some(({ problem }) => problem?.includes('keeps sending'))).toBe(true);
    // The message does not describe a finished attempt as running.
    expect(last?.problem).toMatch(/no answer confirms that the robot stands, and the page has stopped sending it/);
  });

  test('one path is rejected: the other path continues until it reaches the robot', async () => {
    expect((await pressed([REFUSED], [SILENT, LATCHED, STANDS])).last?.problem).toBeNull();
    expect((await pressed([SILENT, SILENT, STANDS], [NO_RIGHT])).last).toEqual({ problem: null, done: null });
    expect((await pressed([REFUSED], null)).last?.problem).toBe('Not signed.');
  });

  test('a robot that rejects a press may accept it a moment later: its words are shown, and it is pressed again', async () => {
    const { reported, last, tries } = await pressed([REFUSED, REFUSED, STANDS], null);
    expect(reported[0]?.problem).toBe('Not signed.');
    expect(last).toEqual({ problem: null, done: null });
    expect(tries.room).toBe(3);
  });

  test('a link without the right to press over HTTP tries that path once', async () => {
    const { tries, last } = await pressed([REFUSED], [NO_RIGHT]);
    expect(tries.http).toBe(1);
    expect(last?.problem).toBe('Not signed.');
  });
});

describe('a press over HTTP', () => {
  const answer = (body: unknown, status = 200) => pressOverHttp('a.b.c', async () => Response.json(body, { status }));
  const result = { robot_id: 'r1', emergency_stop: { by: 'me', since_ms: 1, reason: null }, stands: true, runtimes: [] };

  test('a press over HTTP has the token in its body and nothing in its address', async () => {
    const asked: [string, RequestInit | undefined][] = [];
    await pressOverHttp('a.b.c', async (url, init) => {
      asked.push([String(url), init]);
      return Response.json({ stop: result });
    });
    expect(asked).toMatchObject([[LINK_PRESS_PATH, { method: 'POST', body: '{"token":"a.b.c"}' }]]);
  });

  test('a press over HTTP reads what the platform answers, and accepts no other response', async () => {
    expect(await answer({ stop: result })).toEqual(STANDS);
    expect(await answer({ stop: { ...result, stands: false } })).toMatchObject({ status: 'latched', isFinal: false });
    expect(await answer({ stop: { ...result, stands: null } })).toMatchObject({ status: 'latched', isFinal: true });
    expect(await answer({ stop: null })).toEqual(NO_RIGHT);
    for (const [body, status] of [[{}], [{ stop: {} }], [{ stop: true }], [{ stop: null }, 503], ['x']] as const)
      expect(await answer(body, status)).toEqual(SILENT);
    const dead = pressOverHttp('a.b.c', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await dead).toEqual(SILENT);
  });
});
