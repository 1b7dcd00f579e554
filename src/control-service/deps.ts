import { ROOM_KEY_MAX_TTL_S } from '../protocol/limits.ts';
import type { Database } from './db/open.ts';
import type { SfuAdmin } from './sfu-admin.ts';
import { HASH_COST } from './slow-hash.ts';

/** One thing that happened, for the log. Holds no key, token, PIN, header or body. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: string | number | boolean | null | undefined;
}

/** How many wrong PINs are let through within `windowMs` before claims are refused; see operations/claim-limit.ts. */
export interface ClaimLimit {
  /** Of one caller, for one robot. */
  perCallerAndRobot: number;
  /** Of one caller, for all robots. */
  perCaller: number;
  /** Of all callers, for one robot; beyond it each caller has one try. */
  perRobot: number;
  /** Of all callers, for one PIN, in its whole life; after them it is void until the operator gives another. */
  perPin: number;
  windowMs: number;
}

/** What one account may take of the service; see operations/account-limits.ts and account-shares.ts. */
export interface AccountLimits {
  /** Robots that it has, made and claimed; beyond it none is made. */
  robots: number;
  openSessions: number;
  /** Robots made: so many at once, and then as many a minute. */
  creationsPerMinute: number;
  /** Commands that wait for a robot, in one instance. Stops are counted apart, up to the same number. */
  waitingCommands: number;
  /** Other requests under way, in one instance. */
  requestsAtOnce: number;
}

export interface Settings {
  /** Agents that a session dispatches when the request does not say. */
  defaultWorkerNames: string[];
  claimLimit: ClaimLimit;
  accountLimits: AccountLimits;
  /** A command waits so long at most for the one before it to be answered, once that is on its way; see operations/command-order.ts. */
  turnMaxMs: number;
  /** A session that nobody has used for so long ends by itself; null: none does. */
  sessionIdleMs: number | null;
  /** What it costs to hash the PIN of a new robot; see slow-hash.ts. */
  pinHashCost: number;
}

export const DEFAULT_SETTINGS: Settings = {
  defaultWorkerNames: [],
  claimLimit: { perCallerAndRobot: 5, perCaller: 20, perRobot: 10, perPin: 100, windowMs: 15 * 60_000 },
  // A share is a tenth of the connections that a port takes; the rest nobody meets who does not mean to.
  accountLimits: { robots: 1_000, openSessions: 100, creationsPerMinute: 120, waitingCommands: 100, requestsAtOnce: 100 },
  turnMaxMs: 500,
  // No credential lives longer: so none that is still good leads to a session that has ended by itself.
  sessionIdleMs: ROOM_KEY_MAX_TTL_S * 1000,
  pinHashCost: HASH_COST,
};

/** The two clocks of a machine. */
export interface Clock {
  /** What time it is, since the epoch. Somebody may set it, back too. */
  nowMs(): number;
  /** Goes on evenly and is set by nobody: for how long something takes. */
  monotonicMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** Everything the service takes from outside. */
export interface ServiceDeps {
  db: Database;
  sfu: SfuAdmin;
  clock: Clock;
  /** Unpredictable bytes: ids, PINs and keys are made of them. */
  randomBytes: (count: number) => Uint8Array;
  log: (entry: LogEntry) => void;
  settings: Settings;
}
