import type { ActiveEntry } from '../action-entry.ts';

/** An open trajectory session. It lives as long as packets of its own caller come. */
export interface TrajectorySession {
  /** The session as people and the state see it: one action for all packets. */
  readonly entry: ActiveEntry;
  lastPacketAtMs: number;
  packets: number;
}

/** The runtime's knowledge of the upper body between two steps. */
export interface UpperBody {
  session: TrajectorySession | null;
  /** Number of sessions so far, for their ids. */
  sessions: number;
  /** How many times the watchdog let the arms go limp. */
  timeouts: number;
}

export const createUpperBody = (): UpperBody => ({ session: null, sessions: 0, timeouts: 0 });
