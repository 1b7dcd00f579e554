import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ArmPose } from '../../src/client/index.ts';
import { actionIdOf, doneReply, type FakeCall, FakeRoom, failedReply, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pose = (n: number): ArmPose => ({ r_arm: [n, 0, 0, 0, 0], l_arm: [-n, 0, 0, 0, 0] });
/** The arms while the robot stands. */
const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
const ZERO = { vx: 0, vy: 0, vyaw: 0 };

/** Creates arms that record each call and its time. */
function createArms(
  answer: (call: FakeCall, index: number) => ReturnType<ConstructorParameters<typeof FakeRoom>[0]> | null = () => null,
) {
  const sent: { name: string; input: unknown; atMs: number }[] = [];
  const startedMs = performance.now();
  const room = new FakeRoom((call, index) => {
    const { name, input } = call.payload as { name: string; input: unknown };
    sent.push({ name, input, atMs: Math.round(performance.now() - startedMs) });
    return answer(call, index) ?? { reply: doneReply(actionIdOf(call)) };
  });
  return { room, sent, poses: () => sent.filter(({ name }) => name === 'set_upper_body').map(({ input }) => input) };
}
const settle = async <T>(promise: Promise<T>, ms: number): Promise<T> => {
  promise.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(ms);
  return promise;
};

describe('streamUpperBody', () => {
  it('streamUpperBody stops the drive first, and ends with the standing pose and then a velocity', async () => {
    const { room, sent } = createArms();
    const { session } = await fakeSession(room);
    expect(await settle(session.streamUpperBody([pose(1), pose(2)]), 1_000)).toEqual({ packets: 3 });
    expect(sent.map(({ name, input }) => [name, input])).toEqual([
      ['stop', {}],
      ['set_upper_body', pose(1)],
      ['set_upper_body', pose(2)],
      ['set_upper_body', STANDING],
      ['set_velocity', ZERO],
    ]);
  });

  it('streamUpperBody repeats the current pose 50 times a second by default', async () => {
    const { room, sent } = createArms();
    const { session } = await fakeSession(room);
    async function* slow() {
      yield pose(1);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      yield pose(2);
    }
    await settle(session.streamUpperBody(slow()), 3_000);
    const times = sent.filter(({ name, input }) => name === 'set_upper_body' && input !== STANDING).map(({ atMs }) => atMs);
    expect(times.length).toBeGreaterThanOrEqual(52);
    const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(21);
    const slower = createArms();
    const other = await fakeSession(slower.room);
    await settle(other.session.streamUpperBody(slow(), { rateHz: 10 }), 3_000);
    expect(slower.poses().length).toBeGreaterThanOrEqual(12);
    expect(slower.poses().length).toBeLessThanOrEqual(14);
  });

  it('streamUpperBody keeps its rate while replies are slow, and is not overrun by a source that never waits', async () => {
    const { room, poses, sent } = createArms((call) => {
      const reply = doneReply(actionIdOf(call));
      return new Promise((resolve) => setTimeout(() => resolve(reply), 300));
    });
    const { session } = await fakeSession(room);
    const giveUp = new AbortController();
    async function* endless() {
      for (let n = 0; ; n += 1) yield pose(n);
    }
    const streaming = session.streamUpperBody(endless(), { signal: giveUp.signal });
    await vi.advanceTimersByTimeAsync(1_310);
    giveUp.abort();
    await settle(streaming, 2_000);
    expect(poses().length).toBeGreaterThanOrEqual(50);
    expect(poses().length).toBeLessThanOrEqual(54);
    expect(poses().at(-1)).toEqual(STANDING);
    // The velocity does not wait for the reply to the standing pose, past which the arms would go limp.
    const [last, velocity] = sent.slice(-2);
    expect((velocity?.atMs ?? 0) - (last?.atMs ?? 0)).toBeLessThanOrEqual(21);
  });

  it('streamUpperBody ends in good order when it is aborted before the first pose', async () => {
    const { room, sent } = createArms();
    const { session } = await fakeSession(room);
    const giveUp = new AbortController();
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const streaming = session.streamUpperBody(never, { signal: giveUp.signal });
    await vi.advanceTimersByTimeAsync(100);
    giveUp.abort();
    await settle(streaming, 100);
    expect(sent.map(({ name }) => name)).toEqual(['stop', 'set_upper_body', 'set_velocity']);
  });

  it.each([
    ['a guard', () => ({ reply: guardReply('NOT_READY') }), 'NOT_READY'],
    [
      'a failed action',
      (call: FakeCall) => ({ reply: failedReply(actionIdOf(call), 'TRAJECTORY_TIMEOUT') }),
      'TRAJECTORY_TIMEOUT',
    ],
  ])(
    'streamUpperBody ends when a pose is rejected by %s: the arms return, a velocity follows, the rejection is reported',
    async (_, refuse, code) => {
      const { room, sent } = createArms((call, index) => (index === 3 ? refuse(call) : null));
      const { session } = await fakeSession(room);
      const poses = Array.from({ length: 100 }, (__, n) => pose(n));
      await expect(settle(session.streamUpperBody(poses), 5_000)).rejects.toMatchObject({ name: 'RcwRuntimeError', code });
      expect(sent.length).toBeLessThan(10);
      expect(sent.slice(-2).map(({ name, input }) => [name, input])).toEqual([
        ['set_upper_body', STANDING],
        ['set_velocity', ZERO],
      ]);
    },
  );

  it('streamUpperBody ends when its source of poses fails, and reports that', async () => {
    const { room, sent } = createArms();
    const { session } = await fakeSession(room);
    async function* broken() {
      yield pose(1);
      throw new Error('no more');
    }
    await expect(settle(session.streamUpperBody(broken()), 1_000)).rejects.toThrow('no more');
    expect(sent.at(-1)).toMatchObject({ name: 'set_velocity', input: ZERO });
  });

  it('streamUpperBody ends when the robot has been silent for 5 s; one lost packet is compensated by the next', async () => {
    const lostOne = createArms((_, index) => (index === 5 ? 'silence' : null));
    const first = await fakeSession(lostOne.room);
    const many = () => Array.from({ length: 400 }, (_, n) => pose(n));
    expect(await settle(first.session.streamUpperBody(many()), 20_000)).toEqual({ packets: 401 });
    const mute = createArms((call, index) =>
      index >= 5 && (call.payload as { name: string }).name === 'set_upper_body' ? 'silence' : null,
    );
    const second = await fakeSession(mute.room);
    await expect(settle(second.session.streamUpperBody(many()), 20_000)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(mute.sent.at(-1)).toMatchObject({ name: 'set_velocity', input: ZERO });
  });

  it.each(['stop', 'set_velocity'])('streamUpperBody repeats a lost %s with the same action id, and continues', async (skill) => {
    const ids: string[] = [];
    const { room, sent } = createArms((call) => {
      if (call.method === 'runtime.action') return { reply: guardReply('ACTION_NOT_FOUND') };
      if ((call.payload as { name: string }).name !== skill) return null;
      ids.push(actionIdOf(call));
      return ids.length <= 2 ? { failure: 'lost' } : null;
    });
    const { session } = await fakeSession(room);
    expect(await settle(session.streamUpperBody([pose(1)]), 5_000)).toEqual({ packets: 2 });
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect(sent.at(-1)).toMatchObject(skill === 'stop' ? { name: 'set_velocity', input: ZERO } : { name: skill, input: ZERO });
    expect(sent.filter(({ name }) => name === 'set_upper_body')).toHaveLength(2);
  });

  it('streamUpperBody moves nothing if the robot does not stop first, or at a rate at which the arms would go limp', async () => {
    const { room, sent } = createArms(() => ({ reply: guardReply('PERMISSION_DENIED') }));
    const { session } = await fakeSession(room, { signControl: false });
    await expect(settle(session.streamUpperBody([pose(1)]), 1_000)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(sent.map(({ name }) => name)).toEqual(['stop']);
    for (const rateHz of [0, 5, 9.9, 500, Number.NaN])
      await expect(session.streamUpperBody([], { rateHz })).rejects.toThrow(RangeError);
  });
});
