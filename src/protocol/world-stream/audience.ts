import { accessOf } from '../service/access.ts';

/**
 * LiveKit topic in which the platform announces to a room that a watcher is about to come. The SFU reports participants that
 * publish nothing late.
 */
export const WATCH_TOPIC = 'simplesim.watch';
/** How long an announced watcher is expected: the time of the join and of the SFU's report. */
export const COMING_MS = 15_000;

/** The watchers of the robot, as its runtime needs to know them. */
export interface WatcherUpdate {
  /** Whether any participant in the room watches. */
  present: boolean;
  /** Whether a watcher that knows no state of the world has come, or is about to come. */
  isNew: boolean;
  /** Whether the platform has announced a watcher. */
  isComing: boolean;
}

export const NOBODY_WATCHES: WatcherUpdate = { present: false, isNew: false, isComing: false };

interface Present {
  identity: string;
  attributes: unknown;
}

/** Follows the watchers of a room. The owner of this object notifies it when a participant may have come, left or changed. */
export function createAudience(participants: () => Iterable<Present>, notify: (update: WatcherUpdate) => void) {
  let watchers: ReadonlySet<string> | null = null;
  return {
    /** Checks the watchers again; reports all the first time, and then only changes. */
    look(): void {
      const before = watchers;
      const now = new Set<string>();
      for (const { identity, attributes } of participants()) if (accessOf(attributes) !== null) now.add(identity);
      watchers = now;
      const isNew = [...now].some((identity) => !before?.has(identity));
      if (isNew || now.size !== before?.size) notify({ present: now.size > 0, isNew, isComing: false });
    },
    /** Handles a packet of data without a sender in the room: only the platform sends such packets. */
    heard(topic: string | undefined): void {
      if (topic === WATCH_TOPIC) notify({ present: (watchers?.size ?? 0) > 0, isNew: true, isComing: true });
    },
  };
}
