/** The part of a contract that it keeps over a reload. */
export interface KeptContract {
  /** Number of trajectory sessions so far. */
  sessions: number;
  /** How many times the watchdog let the arms go limp. */
  timeouts: number;
}
