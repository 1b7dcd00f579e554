import { readRoomKey } from '../../../src/protocol/room/room-key.ts';
import { createBrowserRoom } from '../../../src/room/browser-room.ts';
import { browserSecret, createHolderService } from '../../../src/viewer/engine/ask-holder.ts';
import { browserItems } from '../../../src/viewer/engine/browser-storage.ts';

/** An event of a tab. Times are milliseconds since the epoch, by a clock that all tabs of a machine share. */
export type RaceEvent =
  | { atMs: number; kind: 'asked' }
  | { atMs: number; kind: 'state'; state: string; reason: string }
  | { atMs: number; kind: 'call'; number: number };

/** A tab that is only a robot's runtime: it records each call that it carries out. */
export interface RaceTab {
  /** @param asks whether it first asks the platform which tab is the robot, as a page served by a platform does */
  join(key: string, takeOver: boolean, asks: boolean): void;
  leave(): Promise<void>;
  events: RaceEvent[];
}

const nowMs = (): number => performance.timeOrigin + performance.now();

const own = {
  browserSecret: browserSecret(browserItems, () => crypto.randomUUID()),
  page: 'A racing tab',
  newVisit: () => crypto.randomUUID(),
};
const platform = createHolderService(own);
let isAsking = false;

const raceTab: RaceTab = {
  events: [],
  join(pasted, takeOver, asks) {
    isAsking = asks;
    const read = readRoomKey(pasted, { nowMs: Date.now(), pageProtocol: location.protocol });
    if (!read.ok) throw new Error(read.message);
    raceTab.events.push({ atMs: nowMs(), kind: 'asked' });
    room.join(read.key, { takeOver });
  },
  leave: () => room.leave(),
};

const room = createBrowserRoom({
  holders: { ...platform, ask: async (key, waits) => (isAsking ? platform.ask(key, waits) : null) },
  onKey: () => {},
  onMetadata: () => {},
  onLeft: () => {},
  onOutOfReach: () => {},
  onParticipants: () => {},
  onWatchers: () => {},
  async onCall({ payload }) {
    const { number } = JSON.parse(payload) as { number: number };
    raceTab.events.push({ atMs: nowMs(), kind: 'call', number });
    return JSON.stringify({ number });
  },
  onState(state) {
    const reason = 'reason' in state ? state.reason : '';
    raceTab.events.push({ atMs: nowMs(), kind: 'state', state: state.kind, reason });
  },
});

Object.assign(window, { raceTab });
