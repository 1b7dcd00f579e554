import { describe, expect, it } from 'vitest';
import { NEW_LINK } from '../../src/protocol/room/room-key.ts';
import { createFakeRoom, joinedRoom, KEY, START_MS } from './fakes.ts';

/** A token as the server would issue it. */
function tokenFor(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const video = { room: KEY.room, roomJoin: true, canPublishData: true };
  return `${part({ alg: 'HS256' })}.${part({ sub: KEY.identity, video, ...claims })}.c2ln`;
}

describe('a token that the server issues to a participant in the room', () => {
  const laterS = KEY.expiresAtMs / 1000 + 600;

  it('a token of the server extends the key: the next join uses it, after the first key has expired too', async () => {
    const room = await joinedRoom();
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
    ['one for another participant', { exp: laterS, sub: 'simplesim:r2' }],
  ])('a token of the server is ignored when it is %s', async (_, claims) => {
    const room = await joinedRoom();
    room.lastSession().handlers.onToken(tokenFor(claims));
    room.lastSession().handlers.onToken('not a token');
    expect(room.keys).toEqual([]);
  });
});

describe('joining', () => {
  it('joining goes from joining to connected and holds the lock of the room', async () => {
    const room = await joinedRoom();
    expect(room.states.map(({ kind }) => kind)).toEqual(['joining', 'connected']);
    expect(room.world.lockHeld).toBe('simplesim:ws://127.0.0.1:7880 room-1');
  });

  it.each(['refused', 'key_expired', 'session_deleted'] as const)(
    'joining ends with %s when the server reports it, without a session',
    async (reason) => {
      const room = createFakeRoom();
      room.world.probe = () => ({ kind: 'refused', reason });
      room.manager.join(KEY);
      await room.settle();
      expect(room.lastState()).toMatchObject({ kind: 'ended', reason, canRetry: false });
      expect(room.sessions).toHaveLength(0);
      expect(room.world.lockHeld).toBeNull();
    },
  );

  it('joining gives up on a server that never answers, and may be tried again', async () => {
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

  it('joining does not give up on a server while this computer has no network', async () => {
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

  it('P15: reports that another tab of this browser holds the robot, and takes over on request', async () => {
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

describe('out of reach', () => {
  it('distinguishes a silent room from a connected one, and reports when it can be reached again', async () => {
    const room = await joinedRoom();
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

  it('a short hiccup does not count as unreachable; an interruption of 2 s and a lost connection do', async () => {
    const room = await joinedRoom();
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
  it('leaving ends with left, closes the session and stays away', async () => {
    const room = await joinedRoom();
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
    const room = await joinedRoom();
    const first = room.lastSession();
    room.manager.join({ ...KEY, room: 'room-2' });
    await room.settle();
    expect(first.closed).toBe(true);
    expect(room.world.lockHeld).toBe('simplesim:ws://127.0.0.1:7880 room-2');
  });
});

describe('pictures', () => {
  it('refuses to send without a room, with a sentence', async () => {
    const room = createFakeRoom();
    const picture = { bytes: new Uint8Array(3), topic: 't', name: 'n', attributes: {}, destinationIdentity: 'c' };
    await expect(room.manager.sendJpeg(picture)).rejects.toThrow('The robot is not in the room at the moment.');
  });

  it('sends events to its room, to no one without a room, and reports departures until its end', async () => {
    const event = { type: 'emergency_stop', at_ms: 1, emergency_stop: null } as const;
    const room = createFakeRoom();
    room.manager.sendEvent(event);
    room.manager.join(KEY);
    await room.settle();
    room.manager.sendEvent(event);
    expect(room.sessions[0]?.reported).toEqual([event]);
    room.sessions[0]?.handlers.onPeople([{ identity: 'client-1', sid: 'PA_1', state: 3 }], false);
    expect(room.left).toEqual(['client-1']);
    await room.manager.leave();
    room.sessions[0]?.handlers.onPeople([{ identity: 'client-2', sid: 'PA_2', state: 3 }], false);
    room.manager.sendEvent(event);
    expect(room.left).toEqual(['client-1']);
    expect(room.sessions[0]?.reported).toEqual([event]);
  });
});

describe('viewers', () => {
  it('viewers receive packets through the current session, and none without a session', async () => {
    const room = createFakeRoom();
    const packet = new Uint8Array([1]);
    room.manager.sendWorld([packet]);
    room.manager.join(KEY);
    await room.settle();
    room.manager.sendWorld([packet, packet]);
    expect(room.lastSession().shown).toEqual([packet, packet]);
  });

  it('viewers are announced as they come, and are gone once the room is lost or left', async () => {
    const room = await joinedRoom();
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
