import { expect } from 'vitest';
import type { RoomEvent } from '../../src/protocol/room/room-events.ts';
import type { RoomKey } from '../../src/protocol/room/room-key.ts';
import type { WatcherUpdate } from '../../src/protocol/world-stream/audience.ts';
import type { ConnectionState } from '../../src/room/connection-state.ts';
import type { HolderService } from '../../src/room/holder-service.ts';
import type { PageLifeHandlers } from '../../src/room/page-life.ts';
import type { ProbeResult } from '../../src/room/probe.ts';
import { createRoomManager, type RoomManager, type RoomManagerDeps } from '../../src/room/room-manager.ts';
import type { OpenedSession, Picture, SessionHandlers } from '../../src/room/session.ts';

export const START_MS = 1_800_000_000_000;

export const KEY: RoomKey = {
  sfuUrl: 'ws://127.0.0.1:7880',
  token: 'header.payload.signature',
  room: 'room-1',
  identity: 'simplesim:r1',
  profile: 'simulator',
  robotId: 'r1',
  name: 'Robot one',
  expiresAtMs: START_MS + 3_600_000,
};

/** A session as the manager opened it. */
export interface FakeSession {
  handlers: SessionHandlers;
  closed: boolean;
  sent: Picture[];
  reported: RoomEvent[];
  /** Packets for the viewers. */
  shown: Uint8Array[];
}

/** A room manager whose network, clock, lock and page the test controls. */
export function createFakeRoom(answer: RoomManagerDeps['onCall'] = async () => '{}') {
  const states: ConnectionState[] = [];
  const sessions: FakeSession[] = [];
  const keys: RoomKey[] = [];
  const left: string[] = [];
  const reach: (string | null)[] = [];
  const watchers: WatcherUpdate[] = [];
  const timers: { dueAtMs: number; callback: () => void; id: number }[] = [];
  let nowMs = START_MS;
  let lastTimer = 0;
  let onStolen = (): void => {};
  let life: PageLifeHandlers = { onAway: () => {}, onBack: () => {} };
  const world = {
    probe: (): ProbeResult => ({ kind: 'welcome' }),
    open: (): Extract<OpenedSession, { ok: false }> | null => null,
    isIdentityTaken: async (): Promise<boolean> => false,
    askHolder: null as HolderService['ask'] | null,
    /** Gives the lock to a tab that waits for another tab of its browser. */
    freeLock: (): void => {},
    /** Reports to the platform. */
    reports: [] as string[],
    busyReport: null as string | null,
    lockIsFree: true,
    lockHeld: null as string | null,
    away: false,
    online: true,
    openedWith: null as RoomKey | null,
  };

  const manager: RoomManager = createRoomManager({
    onCall: answer,
    onState: (state) => states.push(state),
    onParticipants: () => {},
    onLeft: (identity) => left.push(identity),
    onWatchers: (update) => watchers.push(update),
    onKey: (key) => keys.push(key),
    onMetadata: () => {},
    onOutOfReach: (why) => reach.push(why),
    isOnline: () => world.online,
    probe: async () => world.probe(),
    holders: {
      ask: async (key, waits) => world.askHolder?.(key, waits) ?? null,
      reportLeft: ({ token }) => void world.reports.push(`left ${token}`),
      reportUrl: 'https://robots.test/seat',
      busyReport: ({ token }) => `busy ${token}`,
    },
    async openSession(key, handlers) {
      world.openedWith = key;
      const refused = world.open();
      if (refused) return refused;
      const fake: FakeSession = { handlers, closed: false, sent: [], reported: [], shown: [] };
      sessions.push(fake);
      return {
        ok: true,
        isIdentityTaken: () => world.isIdentityTaken(),
        session: {
          sendJpeg: async (picture) => void fake.sent.push(picture),
          sendEvent: (event) => void fake.reported.push(event),
          sendWorld: (packets) => void fake.shown.push(...packets),
          participants: () => [],
          close: async () => {
            fake.closed = true;
          },
        },
      };
    },
    createLock(stolen) {
      onStolen = stolen;
      return {
        async acquire(name, { steal }) {
          if (!world.lockIsFree && !steal) return false;
          world.lockHeld = name;
          return true;
        },
        waitFor: (name, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(false), { once: true });
            world.freeLock = () => {
              world.lockIsFree = true;
              world.lockHeld = name;
              resolve(true);
            };
          }),
        release() {
          world.lockHeld = null;
        },
      };
    },
    watchPage(handlers) {
      life = handlers;
      return { isAway: () => world.away, dispose: () => {} };
    },
    timers: {
      setTimeout(callback, delayMs) {
        lastTimer += 1;
        timers.push({ dueAtMs: nowMs + delayMs, callback, id: lastTimer });
        return lastTimer;
      },
      setInterval: () => 0,
      clear(id) {
        const at = timers.findIndex((timer) => timer.id === id);
        if (at >= 0) timers.splice(at, 1);
      },
      reportWhenBusy: (report) => {
        world.busyReport = report?.body ?? null;
      },
      dispose: () => {},
    },
    nowMs: () => nowMs,
  });

  /** Lets every promise that can settle do so. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    manager,
    states,
    sessions,
    keys,
    left,
    reach,
    watchers,
    world,
    settle,
    steal: () => onStolen(),
    page: {
      goAway(kind: 'freeze' | 'pagehide') {
        world.away = true;
        life.onAway(kind);
      },
      comeBack(kind: 'resume' | 'pageshow') {
        world.away = false;
        life.onBack(kind);
      },
    },
    /** Advances the time, including the timers due in it. */
    async pass(ms: number) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settle();
        const next = timers.filter((timer) => timer.dueAtMs <= untilMs).sort((one, other) => one.dueAtMs - other.dueAtMs)[0];
        if (!next) break;
        timers.splice(timers.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.dueAtMs);
        next.callback();
      }
      nowMs = untilMs;
    },
    lastState: () => states.at(-1),
    lastSession(): FakeSession {
      const session = sessions.at(-1);
      if (!session) throw new Error('no session was opened');
      return session;
    },
  };
}

/** A room that the tab has joined. */
export async function joinedRoom(answer?: Parameters<typeof createFakeRoom>[0]) {
  const room = createFakeRoom(answer);
  room.manager.join(KEY);
  await room.settle();
  expect(room.lastState()).toEqual({ kind: 'connected' });
  return room;
}
