import type { RuntimeSummary, SessionPlace } from '../../protocol/session-state.ts';
import type { Presence } from '../sfu-admin.ts';
import { Turns } from '../turns.ts';

/** What a runtime said, and since when its place counts, on the clock that nobody sets. */
export interface SaidState {
  summary: Omit<RuntimeSummary, 'place'>;
  place: Omit<SessionPlace, 'age_ms'> | null;
  sinceMs: number;
}

/** What is seen in one room. */
export interface Seen {
  present: Presence[];
  runtime: { who: Presence; said: SaidState | null } | null;
}

/** How many rooms are looked into at a time; accounts take turns. */
const LOOKS_AT_ONCE = 32;
/** How many looks are remembered. */
const LOOKS_KEPT_MAX = 1_000;

/** The looks into rooms, which many who watch share. */
export class RoomLooks {
  private readonly turns = new Turns(LOOKS_AT_ONCE);
  /** By room; those begun first are first. */
  private readonly last = new Map<string, { atMs: number; seen: Promise<Seen> }>();

  /**
   * Looks into a room, or returns what somebody else has seen there. Rejects as `take` does.
   * @param asked `owner` is whose turn it is; `freshMs`, how old the look of somebody else may be; `nowMs`, of the clock that nobody sets
   */
  async look(asked: { room: string; owner: string; freshMs: number; nowMs: number }, take: () => Promise<Seen>): Promise<Seen> {
    const { room, owner, freshMs, nowMs } = asked;
    const before = this.last.get(room);
    if (before && nowMs - before.atMs < freshMs) return before.seen;
    const seen = this.turns.run(take, owner);
    this.last.delete(room);
    this.last.set(room, { atMs: nowMs, seen });
    for (const oldest of this.last.keys()) {
      if (this.last.size <= LOOKS_KEPT_MAX) break;
      this.last.delete(oldest);
    }
    try {
      return await seen;
    } catch (error) {
      // What failed is no look: the next one asks again.
      if (this.last.get(room)?.seen === seen) this.last.delete(room);
      throw error;
    }
  }
}
