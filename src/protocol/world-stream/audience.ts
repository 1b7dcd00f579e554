import { accessOf } from '../access.ts';

/** LiveKit topic in which the platform tells a room that a watcher is about to come. Of participants that publish nothing the SFU tells late. */
export const WATCH_TOPIC = 'simplesim.watch';
/** How long somebody who is about to come is waited for: the join, and the SFU's word of it. */
export const COMING_MS = 15_000;

/** Who watches the robot, as its runtime has to know. */
export interface WatcherNews {
  /** Whether anybody in the room watches. */
  present: boolean;
  /** Whether somebody has come, or is about to come, who knows no state of the world yet. */
  isNew: boolean;
  /** Whether the platform says that somebody is about to come. */
  isComing: boolean;
}

export const NOBODY_WATCHES: WatcherNews = { present: false, isNew: false, isComing: false };

interface Present {
  identity: string;
  attributes: unknown;
}

/** Follows who of a room watches. Its owner says when somebody may have come, gone or changed. */
export function createAudience(participants: () => Iterable<Present>, tell: (news: WatcherNews) => void) {
  let watchers: ReadonlySet<string> | null = null;
  return {
    /** Looks again; tells the first time, and then only what is new. */
    look(): void {
      const before = watchers;
      const now = new Set<string>();
      for (const { identity, attributes } of participants()) if (accessOf(attributes) !== null) now.add(identity);
      watchers = now;
      const isNew = [...now].some((identity) => !before?.has(identity));
      if (isNew || now.size !== before?.size) tell({ present: now.size > 0, isNew, isComing: false });
    },
    /** A packet of data has come from nobody in the room: only the platform sends such. */
    heard(topic: string | undefined): void {
      if (topic === WATCH_TOPIC) tell({ present: (watchers?.size ?? 0) > 0, isNew: true, isComing: true });
    },
  };
}
