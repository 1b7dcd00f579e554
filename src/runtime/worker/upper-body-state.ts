import type { ActiveEntry } from '../action-entry.ts';

/** An open trajectory session: it lives as long as packets of its caller come, and no other caller's. */
export interface TrajectorySession {
  /** What people and the state see of it: one action, however many packets. */
  readonly entry: ActiveEntry;
  lastPacketAtMs: number;
  packets: number;
}

/** What the worker knows of the upper body between two steps. */
export interface UpperBody {
  session: TrajectorySession | null;
  /** Sessions so far, for their ids. */
  sessions: number;
  /** How often the watchdog let the arms go limp. */
  timeouts: number;
}

export const createUpperBody = (): UpperBody => ({ session: null, sessions: 0, timeouts: 0 });
