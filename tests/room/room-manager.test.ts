import { describe, expect, it } from 'vitest';
import { NEW_LINK, type RoomKey } from '../../src/protocol/room-key.ts';
import { createFakeRoom, KEY, START_MS } from './fakes.ts';

async function joined(answer?: Parameters<typeof createFakeRoom>[0]) {
  const room = createFakeRoom(answer);
  room.manager.join(KEY);
  await room.settle();
  expect(room.lastState()).toEqual({ kind: 'connected' });
  return room;
}

/** A token as the server would give it. */
function tokenFor(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const video = { room: KEY.room, roomJoin: true, canPublishData: true };
  return `${part({ alg: 'HS256' })}.${part({ sub: KEY.identity, video, ...claims })}.c2ln`;
}

describe('a token that the server gives to whoever is in the room', () => {
  const laterS = KEY.expiresAtMs / 1000 + 600;

  it('lengthens the key: the next join is made with it, after the first has expired too', async () => {
    const room = await joined();
    const token = tokenFor({ exp: laterS });
    room.lastSession().handlers.onToken(token);
    expect(room.keys).toMatchObject([{ token, expiresAtMs: laterS * 1000, sfuUrl: KEY.sfuUrl, name: KEY.name }]);
    await room.pass(KEY.expiresAtMs - START_MS + 60_000);
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'Lost.' });
    await room.pass(1_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.world.openedWith).toMatchObject({ token });
  });

  it.each([
    ['one that ends earlier', { exp: KEY.expiresAtMs / 1000 - 1 }],
    ['one for another room', { exp: laterS, video: { room: 'elsewhere', roomJoin: true } }],
    ['one for somebody else', { exp: laterS, sub: 'simplesim:r2' }],
  ])('is left alone when it is %s', async (_, claims) => {
    const room = await joined();
    room.lastSession().handlers.onToken(tokenFor(claims));
    room.lastSession().handlers.onToken('not a token');
    expect(room.keys).toEqual([]);
  });
});

describe('joining', () => {
  it('goes from joining to connected and holds the lock of the room', async () => {
    const room = await joined();
    expect(room.states.map(({ kind }) => kind)).toEqual(['joining', 'connected']);
    expect(room.world.lockHeld).toBe('simplesim:room-1');
  });

  it.each([
    'refused',
    'key_expired',
    'session_deleted',
  ] as const)('ends with %s when the server says so, without a session', async (reason) => {
    const room = createFakeRoom();
    room.world.probe = () => ({ kind: 'refused', reason });
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason, canRetry: false });
    expect(room.sessions).toHaveLength(0);
    expect(room.world.lockHeld).toBeNull();
  });

  it('gives up on a server that never answers, and may be tried again', async () => {
    const room = createFakeRoom();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.manager.join(KEY);
    await room.pass(30_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'unreachable', canRetry: true });
    room.world.probe = () => ({ kind: 'welcome' });
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('does not give up on a server while this computer has no network', async () => {
    const room = createFakeRoom();
    room.world.online = false;
    room.world.probe = () => ({ kind: 'unreachable' });
    room.manager.join(KEY);
    await room.pass(120_000);
    expect(room.lastState()).toEqual({ kind: 'joining' });
    room.world.online = true;
    room.world.probe = () => ({ kind: 'welcome' });
    await room.pass(6_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('P15: says when another tab of this browser holds the robot, and takes over when told to', async () => {
    const room = createFakeRoom();
    room.world.lockIsFree = false;
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_elsewhere', canRetry: true });
    expect(room.sessions).toHaveLength(0);
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('does not join with a key that has expired meanwhile', async () => {
    const room = createFakeRoom();
    await room.pass(3_600_000 + 20 * 60_000);
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toMatchObject({
      reason: 'key_expired',
      message: `This key expired 20 minutes ago. ${NEW_LINK}`,
    });
  });
});

describe('losing the room', () => {
  it('rejoins with a sentence of why, for as long as it takes', async () => {
    const room = await joined();
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

  it('waits a while for a room that a restarted server does not know yet, and not for one that was deleted', async () => {
    const room = await joined();
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

  it('gives a server that was gone for long the same time to know its rooms again', async () => {
    const room = await joined();
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
    const room = await joined();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await room.pass(3_700_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'key_expired' });
  });

  it.each([
    ['session_deleted', false],
    ['removed', true],
  ] as const)('ends with %s and gives the lock back', async (reason, canRetry) => {
    const room = await joined();
    room.lastSession().handlers.onDisconnected({ kind: 'end', reason });
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason, canRetry });
    expect(room.world.lockHeld).toBeNull();
    await room.pass(60_000);
    expect(room.sessions).toHaveLength(1);
  });

  it('ends when another tab takes the lock, and leaves the room', async () => {
    const room = await joined();
    room.steal();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastSession().closed).toBe(true);
  });

  it('P13: waits while the page is frozen and is back at once when it resumes', async () => {
    const room = await joined();
    room.page.goAway('freeze');
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The browser had suspended this tab.' });
    await room.pass(600_000);
    expect(room.sessions).toHaveLength(1);
    room.page.comeBack('resume');
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('joins again when the browser brings the page back from the history', async () => {
    const room = await joined();
    room.page.goAway('pagehide');
    expect(room.lastSession().closed).toBe(true);
    room.page.comeBack('pageshow');
    await room.pass(1_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(2);
  });

  it('leaves the robot to another that came while it was away, and asks at each try', async () => {
    const room = await joined();
    let asked = 0;
    room.world.isSeatTaken = async () => {
      asked += 1;
      return asked === 2;
    };
    room.world.open = () => ({ ok: false, isSeatTaken: null, aftermath: { kind: 'rejoin', why: 'The room does not answer.' } });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(10_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over', canRetry: true });
    expect(asked).toBe(2);
    room.world.open = () => null;
    // Taken back by a person, it asks nobody.
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(asked).toBe(2);
  });

  const TAKEN = { kind: 'end', reason: 'taken_over' } as const;
  const HOLDER = { page: 'Chrome on Linux', is_worker: false, for_ms: 500 };

  it('put out by a tab of this browser that lost its lock and leaves, it comes back: it has the lock', async () => {
    const room = await joined();
    room.world.askSeat = async (key) => ({ holder: null, key });
    room.lastSession().handlers.onDisconnected(TAKEN);
    expect(room.lastState()).toMatchObject({ kind: 'rejoining', reason: expect.stringContaining('looks whose it is') });
    await room.pass(5_000);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.sessions).toHaveLength(2);
  });

  it.each([
    ['the platform names another', true],
    ['no platform says whose it is', false],
  ])('put out by another, it ends and stays away: %s', async (_why, says) => {
    const room = await joined();
    room.world.askSeat = async (key) => (says ? { holder: HOLDER, key } : null);
    room.lastSession().handlers.onDisconnected(TAKEN);
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over', canRetry: true });
    expect(room.sessions).toHaveLength(1);
    expect(room.world.lockHeld).toBeNull();
  });

  it('put out in the middle of a join, it looks too', async () => {
    const room = await joined();
    let looks = 0;
    room.world.askSeat = async (key) => {
      looks += 1;
      return { holder: looks === 1 ? null : HOLDER, key };
    };
    room.world.open = () => ({ ok: false, isSeatTaken: null, aftermath: TAKEN });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(10_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(looks).toBe(2);
  });

  it('loses its lock while it looks: it ends, and does not come back', async () => {
    const room = await joined();
    let answer = (): void => {};
    room.world.askSeat = (key) => new Promise((resolve) => (answer = () => resolve({ holder: null, key })));
    room.lastSession().handlers.onDisconnected(TAKEN);
    await room.settle();
    room.steal();
    answer();
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastState()).toMatchObject({ message: expect.stringContaining('Another tab of this browser') });
    expect(room.sessions).toHaveLength(1);
  });

  it('shows LiveKit resuming by itself', async () => {
    const room = await joined();
    room.lastSession().handlers.onReconnecting(true);
    expect(room.lastState()).toMatchObject({ kind: 'reconnecting' });
    room.lastSession().handlers.onReconnecting(false);
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });
});

describe('a platform that says who is the robot', () => {
  const labelled: RoomKey = { ...KEY, token: 'header.labelled.signature' };
  const holder = { page: 'Firefox on Windows', is_worker: false, for_ms: 720_000 };

  it('is asked first: the tab joins with the marks that others are told of it', async () => {
    const room = createFakeRoom();
    room.world.askSeat = async () => ({ holder: null, key: labelled });
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.world.openedWith).toEqual(labelled);
  });

  it('names who has the robot and for how long; the tab puts them out only when told to', async () => {
    const room = createFakeRoom();
    room.world.askSeat = async () => ({ holder, key: labelled });
    room.manager.join(KEY);
    await room.settle();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'held_by_another', canRetry: true });
    expect(room.lastState()).toMatchObject({
      message: expect.stringMatching(/^“Firefox on Windows” has been this robot for 12 minutes\./),
    });
    expect(room.sessions).toHaveLength(0);
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    expect(room.lastState()).toEqual({ kind: 'connected' });
  });

  it('names a worker without a page, and a page that did not say what it is', async () => {
    const room = createFakeRoom();
    for (const [of, words] of [
      [{ ...holder, is_worker: true }, 'A worker without a page has'],
      [{ ...holder, page: null }, 'Another page has'],
    ] as const) {
      room.world.askSeat = async () => ({ holder: of, key: labelled });
      room.manager.join(KEY);
      await room.settle();
      expect(room.lastState()).toMatchObject({ message: expect.stringContaining(words) });
    }
  });

  it('tells the tab that is put out by whom, and asks nobody else', async () => {
    const room = createFakeRoom();
    room.world.askSeat = async () => ({ holder: null, key: labelled });
    room.world.isSeatTaken = async () => {
      throw new Error('the SFU is asked');
    };
    room.manager.join(KEY);
    await room.settle();
    room.world.askSeat = async () => ({ holder: { ...holder, for_ms: 900 }, key: labelled });
    room.lastSession().handlers.onDisconnected({ kind: 'end', reason: 'taken_over' });
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.lastState()).toMatchObject({
      message: expect.stringMatching(/^“Firefox on Windows” took this robot over 1 second ago/),
    });
  });

  it('that took the robot over, a tab that loses the room later puts nobody out any more', async () => {
    const room = createFakeRoom();
    room.manager.join(KEY, { takeOver: true });
    await room.settle();
    room.world.askSeat = async () => ({ holder, key: labelled });
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await room.pass(5_000);
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'taken_over' });
    expect(room.sessions).toHaveLength(1);
  });
});

describe('out of reach', () => {
  it('tells a silent room from a connected one, and that it can be reached again', async () => {
    const room = await joined();
    const { handlers } = room.lastSession();
    handlers.onSilent(true);
    expect(room.lastState()).toEqual({ kind: 'silent', sinceMs: START_MS - 2_000 });
    handlers.onReconnecting(true);
    expect(room.lastState()).toMatchObject({ kind: 'reconnecting' });
    handlers.onReconnecting(false);
    expect(room.lastState()).toMatchObject({ kind: 'silent' });
    expect(room.reach).toEqual([null, 'silent']);
    handlers.onSilent(false);
    expect(room.lastState()).toEqual({ kind: 'connected' });
    expect(room.reach).toEqual([null, 'silent', null]);
  });

  it('a hiccup is none; an interruption of 2 s and a lost place are', async () => {
    const room = await joined();
    const { handlers } = room.lastSession();
    handlers.onReconnecting(true);
    await room.pass(1_900);
    handlers.onReconnecting(false);
    await room.pass(5_000);
    expect(room.reach).toEqual([null, null]);
    handlers.onReconnecting(true);
    await room.pass(2_000);
    expect(room.reach.at(-1)).toBe('interrupted');
    handlers.onReconnecting(false);
    handlers.onDisconnected({ kind: 'rejoin', why: 'lost' });
    expect(room.reach.at(-1)).toBe('gone');
    await room.pass(5_000);
    expect(room.reach.at(-1)).toBeNull();
  });
});

describe('leaving', () => {
  it('ends with left, closes the session and stays away', async () => {
    const room = await joined();
    await room.manager.leave();
    expect(room.lastState()).toMatchObject({ kind: 'ended', reason: 'left', canRetry: false });
    expect(room.lastSession().closed).toBe(true);
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'late' });
    await room.pass(10_000);
    expect(room.sessions).toHaveLength(1);
  });

  it('leaves while it still tries to join', async () => {
    const room = createFakeRoom();
    room.world.probe = () => ({ kind: 'unreachable' });
    room.manager.join(KEY);
    await room.settle();
    await room.manager.leave();
    room.world.probe = () => ({ kind: 'welcome' });
    await room.pass(30_000);
    expect(room.sessions).toHaveLength(0);
    expect(room.lastState()).toMatchObject({ reason: 'left' });
  });

  it('leaves the first room when a second key is joined', async () => {
    const room = await joined();
    const first = room.lastSession();
    room.manager.join({ ...KEY, room: 'room-2' });
    await room.settle();
    expect(first.closed).toBe(true);
    expect(room.world.lockHeld).toBe('simplesim:room-2');
  });
});

describe('pictures', () => {
  it('refuses to send without a room, with a sentence', async () => {
    const room = createFakeRoom();
    const picture = { bytes: new Uint8Array(3), topic: 't', name: 'n', attributes: {}, destinationIdentity: 'c' };
    await expect(room.manager.sendJpeg(picture)).rejects.toThrow('The robot is not in the room at the moment.');
  });

  it('tells events to its room, to nobody without one, and hears who leaves until its end', async () => {
    const event = { type: 'emergency_stop', at_ms: 1, emergency_stop: null } as const;
    const room = createFakeRoom();
    room.manager.sendEvent(event);
    room.manager.join(KEY);
    await room.settle();
    room.manager.sendEvent(event);
    expect(room.sessions[0]?.told).toEqual([event]);
    room.sessions[0]?.handlers.onLeft('client-1');
    expect(room.left).toEqual(['client-1']);
    await room.manager.leave();
    room.sessions[0]?.handlers.onLeft('client-2');
    room.manager.sendEvent(event);
    expect(room.left).toEqual(['client-1']);
    expect(room.sessions[0]?.told).toEqual([event]);
  });
});

describe('those who watch', () => {
  it('get packets by the session there is, and none without one', async () => {
    const room = createFakeRoom();
    const packet = new Uint8Array([1]);
    room.manager.sendWorld([packet]);
    room.manager.join(KEY);
    await room.settle();
    room.manager.sendWorld([packet, packet]);
    expect(room.lastSession().shown).toEqual([packet, packet]);
  });

  it('are told of as they come, and are nobody once the room is lost or left', async () => {
    const room = await joined();
    const present = { present: true, isNew: true, isComing: false };
    const nobody = { present: false, isNew: false, isComing: false };
    room.lastSession().handlers.onWatchers(present);
    expect(room.watchers).toEqual([present]);
    room.lastSession().handlers.onDisconnected({ kind: 'rejoin', why: 'The line broke.' });
    expect(room.watchers.at(-1)).toEqual(nobody);
    await room.pass(10_000);
    room.lastSession().handlers.onWatchers(present);
    await room.manager.leave();
    expect(room.watchers.at(-1)).toEqual(nobody);
    room.lastSession().handlers.onWatchers(present);
    expect(room.watchers.at(-1)).toEqual(nobody);
  });
});
