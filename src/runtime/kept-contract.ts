import type { Caller } from '../protocol/caller.ts';

/** The emergency stop of a robot that has one. */
export interface EmergencyStop {
  /** The caller that latched it, and when, milliseconds since the epoch on the wall clock. */
  by: Caller;
  sinceMs: number;
}

/** The part of a contract that it keeps over a reload. */
export interface KeptContract {
  emergencyStop: EmergencyStop | null;
  /** Number of trajectory sessions so far. */
  sessions: number;
  /** How many times the watchdog let the arms go limp. */
  timeouts: number;
}
