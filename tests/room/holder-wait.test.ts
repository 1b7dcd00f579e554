import { describe, expect, it } from 'vitest';
import { HOLDER_ASK_EVERY_MS, HOLDER_GONE_AFTER_MS, type RobotHolder } from '../../src/protocol/room/holder-question.ts';
import { createFakeRoom, joinedRoom, KEY } from './fakes.ts';

const HOLDER: RobotHolder = { page: 'Chrome on Linux', is_worker: false, for_ms: 5_000, silent_ms: 0, is_dead: false };
const TAKEN = { kind: 'end', reason: 'taken_over' } as const;

/** A page that shows the card because another page is the robot. */
async function waitingRoom() {
  const room = createFakeRoom();
  const asked: (boolean | undefined)[] = [];
  const holderAnswer = { holder: HOLDER as RobotHolder | null };
  room.world.askHolder = async (key, waits) => {
    asked.push(waits);
    return { holder: holderAnswer.holder, key };
  };
  room.manager.join(KEY);
  await room.settle();
  expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_by_another' });
  return { ...room, holderAnswer, asked };
}

describe('a page that waits for a robot in use', () => {
  it('a waiting page asks every 2 s, without a claim, and shows a time that advances', async () => {
    const room = await waitingRoom();
    room.holderAnswer.holder = { ...HOLDER, for_ms: 7_000 };
    await room.pass(HOLDER_ASK_EVERY_MS);
    await room.settle();
    expect(room.lastState()).toMatchObject({ kind: 'ended', holder: '“Chrome on Linux” has been this robot for 7 seconds.' });
    expect(room.asked).toEqual([undefined, true]);
  });

  it('a waiting page never displaces a holder that answers', async () => {
    const room = await waitingRoom();
    await room.pass(600_000);
    expect(room.sessions).toHaveLength(0);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_by_another' });
  });

  it('a waiting page shows for how long a holder has not answered, and joins when the holder counts as dead', async () => {
    const room = await waitingRoom();
    room.holderAnswer.holder = { ...HOLDER, silent_ms: 12_000 };
    await room.pass(HOLDER_ASK_EVERY_MS);
    await room.settle();
    expect(room.lastState()).toMatchObject({ holder: '“Chrome on Linux” has not answered for 12 seconds.' });
    room.holderAnswer.holder = { ...HOLDER, silent_ms: 14_000, is_dead: true };
    await room.pass(HOLDER_ASK_EVERY_MS);
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('a waiting page joins when the robot has been free for 6 s, and not while its holder reloads', async () => {
    const room = await waitingRoom();
    room.holderAnswer.holder = null;
    await room.pass(HOLDER_GONE_AFTER_MS - HOLDER_ASK_EVERY_MS);
    room.holderAnswer.holder = HOLDER;
    await room.pass(HOLDER_ASK_EVERY_MS);
    room.holderAnswer.holder = null;
    await room.pass(HOLDER_GONE_AFTER_MS);
    expect(room.sessions).toHaveLength(0);
    await room.pass(HOLDER_ASK_EVERY_MS);
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('a waiting page does not mistake a silent platform for a free robot', async () => {
    const room = await waitingRoom();
    room.world.askHolder = async () => null;
    await room.pass(60_000);
    expect(room.sessions).toHaveLength(0);
  });

  it('a waiting page stops waiting when its person leaves', async () => {
    const room = await waitingRoom();
    await room.manager.leave();
    room.holderAnswer.holder = null;
    await room.pass(60_000);
    expect(room.sessions).toHaveLength(0);
    expect(room.asked).toHaveLength(1);
  });

  it('a waiting page takes the robot over at once when its person requests it, and only once', async () => {
    const room = await waitingRoom();
    room.manager.join(KEY, { takeOver: true });
    await room.pass(60_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(1);
  });
});

it('a dead holder is displaced by the first join, without a card', async () => {
  const room = createFakeRoom();
  room.world.askHolder = async (key) => ({ holder: { ...HOLDER, silent_ms: 3_000, is_dead: true }, key });
  room.manager.join(KEY);
  await room.settle();
  expect(room.lastState()).toEqual({ kind: 'connected' });
  expect(room.states.map(({ kind }) => kind)).toEqual(['joining', 'connected']);
});

it('a page that was displaced by a take-over shows the card, never takes back automatically, and joins when the robot is free', async () => {
  const room = createFakeRoom();
  let holder: RobotHolder | null = null;
  room.world.askHolder = async (key) => ({ holder, key });
  room.manager.join(KEY, { takeOver: true });
  await room.settle();
  holder = HOLDER;
  room.lastSession().handlers.onDisconnected(TAKEN);
  await room.pass(600_000);
  expect(room.sessions).toHaveLength(1);
  expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over', title: 'Another page took over' });
  holder = null;
  await room.pass(2 * HOLDER_GONE_AFTER_MS);
  expect(room.lastState()).toEqual({ kind: 'connected' });
});

it('a tab that waits for another tab of its browser joins when it gets the lock, and asks no platform meanwhile', async () => {
  const room = createFakeRoom();
  let asked = 0;
  room.world.askHolder = async (key) => {
    asked += 1;
    return { holder: null, key };
  };
  room.world.lockIsFree = false;
  room.manager.join(KEY);
  await room.pass(60_000);
  expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_elsewhere' });
  expect(asked).toBe(0);
  room.world.freeLock();
  await room.settle();
  expect(room.lastState()).toEqual({ kind: 'connected' });
});

it('a tab whose lock was stolen reports that another tab did so, and waits for the lock', async () => {
  const room = await joinedRoom();
  room.steal();
  expect(room.lastState()).toMatchObject({ reason: 'taken_over', title: 'Another tab took over' });
  room.world.freeLock();
  await room.settle();
  expect(room.lastState()).toEqual({ kind: 'connected' });
});

describe('a page that goes away', () => {
  it('a page that goes away leaves the room, and reports its departure to the platform', async () => {
    const room = await joinedRoom();
    room.page.goAway('pagehide');
    expect(room.lastSession().closed).toBe(true);
    expect(room.world.reports).toEqual([`left ${KEY.token}`]);
  });

  it('a page in the middle of its join reports its departure too, because its participant may be there already', async () => {
    const room = createFakeRoom();
    room.world.open = () => ({
      ok: false,
      isIdentityTaken: null,
      aftermath: { kind: 'rejoin', why: 'The room does not answer.' },
    });
    room.manager.join(KEY);
    await room.settle();
    room.page.goAway('pagehide');
    expect(room.world.reports).toEqual([`left ${KEY.token}`]);
  });

  it('a page that only waits for the robot reports nothing when it goes away', async () => {
    const room = await waitingRoom();
    room.page.goAway('pagehide');
    expect(room.world.reports).toEqual([]);
  });
});

it('a page in its room lets its worker report while it is busy, and stops this when it leaves', async () => {
  const room = await joinedRoom();
  expect(room.world.busyReport).toBe(`busy ${KEY.token}`);
  await room.manager.leave();
  expect(room.world.busyReport).toBeNull();
});
