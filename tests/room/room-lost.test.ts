import { describe, expect, it } from 'vitest';
import type { RoomKey } from '../../src/protocol/room/room-key.ts';
import { createFakeRoom, joinedRoom, KEY } from './fakes.ts';

describe('losing the room', () => {
  it('rejoins with an explanation, for as long as it takes', async () => {
    const room = await joinedRoom();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    expect(room.lastState()).toEqual({ kind: 'rejoining', attempt: 1, reason: 'The server is restarting.' });
    await room.pass(60_000);
    const waiting = room.lastState();
    expect(waiting).toMatchObject({ kind: 'rejoining', reason: 'The server does not answer.' });
    expect(waiting?.kind === 'rejoining' && waiting.attempt).toBeGreaterThan(8);
    room.world.probe = () => ({ kind: 'welcome' });
    await room.pass(7_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(2);
  });

  it('waits for a room that a restarted server does not know yet, and not for a deleted room', async () => {
    const room = await joinedRoom();
    room.world.probe = () => ({ kind: 'refused', reason: 'session_deleted' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await room.pass(2_000);
    expect(room.lastState()).toMatchObject({ kind: 'rejoining', reason: expect.stringContaining('The room is not there') });
    room.world.probe = () => ({ kind: 'welcome' });
    await room.pass(5_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    room.world.probe = () => ({ kind: 'refused', reason: 'session_deleted' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await room.pass(20_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'session_deleted' });
  });

  it('gives a server that was gone for long the same time to learn its rooms again', async () => {
    const room = await joinedRoom();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await room.pass(60_000);
    room.world.probe = () => ({ kind: 'refused', reason: 'session_deleted' });
    await room.pass(6_000);
    room.world.probe = () => ({ kind: 'welcome' });
    await room.pass(6_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('stops rejoining when the key expires', async () => {
    const room = await joinedRoom();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await room.pass(3_700_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'key_expired' });
  });

  it.each([
    ['session_deleted', false],
    ['removed', true],
  ] as const)('ends with %s and gives the lock back', async (reason, canRetry) => {
    const room = await joinedRoom();
    room.lastSession().handlers.onDisconnected({ kind: 'end', reason });
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason, canRetry });
    expect(room.world.lockHeld).toBeNull();
    await room.pass(60_000);
    expect(room.sessions).toHaveLength(1);
  });

  it('ends when another tab takes the lock, and leaves the room', async () => {
    const room = await joinedRoom();
    room.steal();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastSession().closed).toBe(true);
  });

  it('P13: waits while the page is frozen and is back at once when it resumes', async () => {
    const room = await joinedRoom();
    room.page.goAway('freeze');
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The browser had suspended this tab.' });
    await room.pass(600_000);
    expect(room.sessions).toHaveLength(1);
    room.page.comeBack('resume');
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('joins again when the browser brings the page back from the history', async () => {
    const room = await joinedRoom();
    room.page.goAway('pagehide');
    expect(room.lastSession().closed).toBe(true);
    room.page.comeBack('pageshow');
    await room.pass(1_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(2);
  });

  it('leaves the robot to another tab that came while it was away, and asks at each try', async () => {
    const room = await joinedRoom();
    let asked = 0;
    room.world.isIdentityTaken = async () => {
      asked += 1;
      return asked === 2;
    };
    room.world.open = () => ({
      ok: false,
      isIdentityTaken: null,
      aftermath: { kind: 'rejoin', why: 'The room does not answer.' },
    });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(10_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over', canRetry: true });
    expect(asked).toBe(2);
    room.world.open = () => null;
    // A tab that a person takes back asks no one.
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(asked).toBe(2);
  });

  const TAKEN = { kind: 'end', reason: 'taken_over' } as const;
  const HOLDER = { page: 'Chrome on Linux', is_worker: false, for_ms: 500, silent_ms: 0, is_dead: false };

  it('a tab that was displaced by a tab of this browser returns when that tab lost the lock and leaves, because it has the lock', async () => {
    const room = await joinedRoom();
    room.world.askHolder = async (key) => ({ holder: null, key });
    room.lastSession().handlers.onDisconnected(TAKEN);
    expect(room.lastState()).toMatchObject({ kind: 'rejoining', reason: expect.stringContaining('looks whose it is') });
    await room.pass(5_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(2);
  });

  it.each([
    ['the platform names another', true],
    ['no platform names the holder', false],
  ])('a displaced tab ends and stays away: %s', async (_why, says) => {
    const room = await joinedRoom();
    room.world.askHolder = async (key) => (says ? { holder: HOLDER, key } : null);
    room.lastSession().handlers.onDisconnected(TAKEN);
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over', canRetry: true });
    expect(room.sessions).toHaveLength(1);
    expect(room.world.lockHeld).toBeNull();
  });

  it('a tab that was displaced in the middle of a join checks who took over, too', async () => {
    const room = await joinedRoom();
    let looks = 0;
    room.world.askHolder = async (key, waits) => {
      if (!waits) looks += 1;
      return { holder: looks === 1 ? null : HOLDER, key };
    };
    room.world.open = () => ({ ok: false, isIdentityTaken: null, aftermath: TAKEN });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(10_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(looks).toBe(2);
  });

  it('a tab that loses its lock during this check ends, and does not return', async () => {
    const room = await joinedRoom();
    let answer = (): void => {};
    room.world.askHolder = (key) => new Promise((resolve) => (answer = () => resolve({ holder: null, key })));
    room.lastSession().handlers.onDisconnected(TAKEN);
    await room.settle();
    room.steal();
    answer();
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastState()).toMatchObject({ message: expect.stringContaining('Another tab of this browser') });
    expect(room.sessions).toHaveLength(1);
  });

  it('shows the automatic resume of LiveKit', async () => {
    const room = await joinedRoom();
    room.lastSession().handlers.onReconnecting(true);
    expect(room.lastState()).toMatchObject({ kind: 'reconnecting' });
    room.lastSession().handlers.onReconnecting(false);
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });
});

describe('a platform that reports who is the robot', () => {
  const labelled: RoomKey = { ...KEY, token: 'header.labelled.signature' };
  const holder = { page: 'Firefox on Windows', is_worker: false, for_ms: 720_000, silent_ms: 0, is_dead: false };

  it('the platform is asked first: the tab joins with the markers that others learn from it', async () => {
    const room = createFakeRoom();
    room.world.askHolder = async () => ({ holder: null, key: labelled });
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.world.openedWith).toEqual(labelled);
  });

  it('the platform names the holder of the robot and for how long; the tab displaces the holder only on request', async () => {
    const room = createFakeRoom();
    room.world.askHolder = async () => ({ holder, key: labelled });
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_by_another', canRetry: true });
    expect(room.lastState()).toMatchObject({
      holder: '“Firefox on Windows” has been this robot for 12 minutes.',
    });
    expect(room.sessions).toHaveLength(0);
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('the platform names a worker without a page, and a page that did not identify itself', async () => {
    const room = createFakeRoom();
    for (const [of, text] of [
      [{ ...holder, is_worker: true }, 'A worker without a page has'],
      [{ ...holder, page: null }, 'Another page has'],
    ] as const) {
      room.world.askHolder = async () => ({ holder: of, key: labelled });
      room.manager.join(KEY);
      await room.settle();
      expect(room.lastState()).toMatchObject({ holder: expect.stringContaining(text) });
    }
  });

  it('the platform informs the displaced tab of the new holder, and asks no other tab', async () => {
    const room = createFakeRoom();
    room.world.askHolder = async () => ({ holder: null, key: labelled });
    room.world.isIdentityTaken = async () => {
      throw new Error('the SFU is asked');
    };
    room.manager.join(KEY);
    await room.settle();
    room.world.askHolder = async () => ({ holder: { ...holder, for_ms: 900 }, key: labelled });
    room.lastSession().handlers.onDisconnected({ kind: 'end', reason: 'taken_over' });
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastState()).toMatchObject({
      title: 'Another page took over',
      holder: '“Firefox on Windows” took this robot over 1 second ago.',
    });
  });

  it('a tab that took the robot over does not displace another tab when it loses the room later', async () => {
    const room = createFakeRoom();
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    room.world.askHolder = async () => ({ holder, key: labelled });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.sessions).toHaveLength(1);
  });
});
