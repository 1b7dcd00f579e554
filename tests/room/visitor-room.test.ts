import { describe, expect, test } from 'vitest';
import type { VisitorKey } from '../../src/protocol/room/room-key.ts';
import type { ConnectionState } from '../../src/room/connection-state.ts';
import type { Aftermath } from '../../src/room/disconnects.ts';
import type { PageLifeHandlers } from '../../src/room/page-life.ts';
import type { ProbeResult } from '../../src/room/probe.ts';
import { createVisitorRoom } from '../../src/room/visitor-room.ts';
import type { VisitorHandlers } from '../../src/room/visitor-session.ts';

const START_MS = 1_800_000_000_000;
const KEY: VisitorKey = {
  sfuUrl: 'ws://127.0.0.1:7880',
  token: 'header.payload.signature',
  room: 'room-1',
  identity: 'watcher-1',
  name: 'watcher',
  access: 'watch',
  expiresAtMs: START_MS + 3_600_000,
};

/** A visitor’s room whose network, clock and page the test controls. Waits end at once, and advance the clock. */
function createFake() {
  const states: ConnectionState[] = [];
  const joinedAs: string[] = [];
  const sessions: { handlers: VisitorHandlers; closed: boolean }[] = [];
  let places = 0;
  let life: PageLifeHandlers = { onAway: () => {}, onBack: () => {} };
  const world = {
    nowMs: START_MS,
    probe: (): ProbeResult => ({ kind: 'welcome' }),
    refuse: (): Aftermath | null => null,
    waits: 0,
    isRevoked: false,
    endsInMs: 0,
    endLink: () => {},
  };
  const room = createVisitorRoom({
    onState: (state) => states.push(state),
    onParticipants: () => {},
    onMetadata: () => {},
    onData: () => {},
    onPicture: () => {},
    async askPlace(key) {
      places += 1;
      return world.isRevoked ? null : { ...key, identity: `${key.identity}-${places}` };
    },
    async openSession(key, handlers) {
      joinedAs.push(key.identity);
      const aftermath = world.refuse();
      if (aftermath) return { ok: false, aftermath };
      const session = { handlers, closed: false };
      sessions.push(session);
      return {
        ok: true,
        session: {
          participants: () => [],
          call: async () => '{}',
          sendLossy: () => {},
          async close() {
            session.closed = true;
          },
        },
      };
    },
    probe: async () => world.probe(),
    watchPage(handlers) {
      life = handlers;
      return { isAway: () => false, dispose: () => {} };
    },
    after(ms, act) {
      world.endsInMs = ms;
      world.endLink = act;
      return () => {
        world.endLink = () => {};
      };
    },
    async sleep(ms) {
      world.waits += 1;
      world.nowMs += ms;
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
    isOnline: () => true,
    nowMs: () => world.nowMs,
  });
  const until = async (kind: ConnectionState['kind']) => {
    while (states.at(-1)?.kind !== kind) await new Promise<void>((resolve) => setImmediate(resolve));
    return states.at(-1);
  };
  return { room, states, joinedAs, sessions, world, until, life: () => life };
}

describe('a visitor in a room', () => {
  test('a visitor joins under a name of its own, which differs each time', async () => {
    const { room, until, sessions, joinedAs } = createFake();
    room.join(KEY);
    await until('connected');
    sessions[0]?.handlers.onDisconnected({ kind: 'rejoin', why: 'The connection to the room was lost.' });
    await until('rejoining');
    await until('connected');
    expect(joinedAs).toEqual(['watcher-1-1', 'watcher-1-2']);
  });

  test('a visitor retries for as long as the link is valid, and then reports that it expired', async () => {
    const { room, until, sessions, world } = createFake();
    room.join(KEY);
    await until('connected');
    world.refuse = () => ({ kind: 'rejoin', why: 'The room does not answer.' });
    sessions[0]?.handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    expect(await until('ended')).toMatchObject({ reason: 'key_expired', canRetry: false });
    expect(world.waits).toBeGreaterThan(1_000);
  });

  test('a visitor reports at once why a first join is rejected, and gives up on a server that does not answer', async () => {
    const refused = createFake();
    refused.world.probe = () => ({ kind: 'refused', reason: 'refused' });
    refused.room.join(KEY);
    expect(await refused.until('ended')).toMatchObject({ reason: 'refused', title: 'The room does not accept this link' });
    const silent = createFake();
    silent.world.probe = () => ({ kind: 'unreachable' });
    silent.room.join(KEY);
    expect(await silent.until('ended')).toMatchObject({ reason: 'unreachable', canRetry: true });
  });

  test('a visit ends with a closed session, but not with a room that a restarted server has not created again', async () => {
    const { room, until, sessions, world } = createFake();
    room.join(KEY);
    await until('connected');
    const refusals: Aftermath[] = [
      { kind: 'end', reason: 'session_deleted' },
      { kind: 'end', reason: 'session_deleted' },
    ];
    world.refuse = () => refusals.shift() ?? null;
    sessions[0]?.handlers.onDisconnected({ kind: 'rejoin', why: 'The server is restarting.' });
    await until('rejoining');
    await until('connected');
    sessions[1]?.handlers.onDisconnected({ kind: 'end', reason: 'session_deleted' });
    expect(await until('ended')).toMatchObject({ reason: 'session_deleted' });
  });

  test('a visitor that left stays away, and later events of its session change nothing', async () => {
    const { room, until, sessions, states } = createFake();
    room.join(KEY);
    await until('connected');
    await room.leave();
    expect(states.at(-1)).toMatchObject({ kind: 'ended', reason: 'left', title: 'You no longer watch' });
    const reported = states.length;
    sessions[0]?.handlers.onDisconnected({ kind: 'rejoin', why: 'late' });
    sessions[0]?.handlers.onReconnecting(true);
    expect(states).toHaveLength(reported);
    expect(sessions[0]?.closed).toBe(true);
  });

  test('a visitor leaves the room when its link ends, and shows when it ended and what to do', async () => {
    const { room, until, sessions, world } = createFake();
    room.join(KEY);
    await until('connected');
    expect(world.endsInMs).toBe(3_600_000);
    world.nowMs = KEY.expiresAtMs;
    world.endLink();
    const at = new Date(KEY.expiresAtMs).toTimeString().slice(0, 5);
    expect(await until('ended')).toMatchObject({
      reason: 'key_expired',
      message: `This link ended at ${at}. Ask the owner for a new one.`,
      canRetry: false,
    });
    expect(sessions[0]?.closed).toBe(true);
  });

  test.each([
    ['whose link has just ended', { leftMs: 5_000, isRevoked: false }, 'key_expired', /^This link ended at /],
    [
      'whose link was revoked',
      { leftMs: 60_000, isRevoked: true },
      'link_revoked',
      /^The owner of the robot revoked this link\./,
    ],
    ['for another reason', { leftMs: 60_000, isRevoked: false }, 'removed', /^A manager of the room/],
  ] as const)('a page that is removed from the room, %s, reports this', async (_what, { leftMs, isRevoked }, reason, message) => {
    const { room, until, sessions, world } = createFake();
    room.join(KEY);
    await until('connected');
    world.nowMs = KEY.expiresAtMs - leftMs;
    world.isRevoked = isRevoked;
    sessions[0]?.handlers.onDisconnected({ kind: 'end', reason: 'removed' });
    expect(await until('ended')).toMatchObject({ reason, message: expect.stringMatching(message) });
  });

  test('the page of a revoked link does not join', async () => {
    const { room, until, world, joinedAs } = createFake();
    world.isRevoked = true;
    room.join(KEY);
    expect(await until('ended')).toMatchObject({ reason: 'link_revoked', title: 'This link was revoked', canRetry: false });
    expect(joinedAs).toEqual([]);
  });

  test('a page that returns from the browser’s cache joins again', async () => {
    const { room, until, joinedAs, life, states } = createFake();
    room.join(KEY);
    await until('connected');
    life().onAway('pagehide');
    life().onBack('pageshow');
    await until('rejoining');
    await until('connected');
    expect(joinedAs).toHaveLength(2);
    expect(states.some(({ kind }) => kind === 'ended')).toBe(false);
  });
});
