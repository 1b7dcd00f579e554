import type { RuntimeSummary, SessionPlace } from '../../protocol/service/session-state.ts';
import type { Presence } from '../sfu-admin.ts';
import { TaskQueue } from '../task-queue.ts';

/** The report of a runtime, and since when its location applies, on the monotonic clock. */
export interface SaidState {
  summary: Omit<RuntimeSummary, 'place'>;
  place: Omit<SessionPlace, 'age_ms'> | null;
  sinceMs: number;
}

/** The content of one room. */
export interface Seen {
  present: Presence[];
  runtime: { who: Presence; said: SaidState | null } | null;
}

/** How many rooms are looked up at a time. Accounts take turns. */
const LOOKS_AT_ONCE = 32;
/** How many lookups are remembered. */
const LOOKS_KEPT_MAX = 1_000;

/** The lookups of rooms, which all watching clients share. */
export class RoomLooks {
  private readonly queue = new TaskQueue(LOOKS_AT_ONCE);
  /** By room; the oldest lookups come first. */
  private readonly last = new Map<string, { atMs: number; seen: Promise<Seen> }>();

  /**
   * Looks up a room, or returns what a recent lookup has found. Rejects as `take` does.
   * @param asked `owner` is the account whose turn it is; `freshMs`, how old a shared lookup may be; `nowMs`, of the monotonic
   * clock
   */
  async look(asked: { room: string; owner: string; freshMs: number; nowMs: number }, take: () => Promise<Seen>): Promise<Seen> {
    const { room, owner, freshMs, nowMs } = asked;
    const before = this.last.get(room);
    if (before && nowMs - before.atMs < freshMs) return before.seen;
    const seen = this.queue.run(take, owner);
    this.last.delete(room);
    this.last.set(room, { atMs: nowMs, seen });
    for (const oldest of this.last.keys()) {
      if (this.last.size <= LOOKS_KEPT_MAX) break;
      this.last.delete(oldest);
    }
    try {
      return await seen;
    } catch (error) {
      // A failed lookup is not remembered, so the next caller asks again.
      if (this.last.get(room)?.seen === seen) this.last.delete(room);
      throw error;
    }
  }
}
