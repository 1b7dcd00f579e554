import { ROOM_KEY_MAX_TTL_S } from '../protocol/limits.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { InstanceMemory } from './instance-memory.ts';
import type { Metrics } from './metrics.ts';
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
  /** Limit for one caller and one robot. */
  perCallerAndRobot: number;
  /** Limit for one caller, for all robots. */
  perCaller: number;
  /** Limit for all callers, for one robot; beyond it each caller has one try. */
  perRobot: number;
  /** Limit for all callers, for one PIN, in its whole life; after that it is void until the operator gives another. */
  perPin: number;
  windowMs: number;
}

/** The limits of one account; see operations/account-limits.ts and account-shares.ts. */
export interface AccountLimits {
  /** Robots that it has, made and claimed; beyond this none is made. */
  robots: number;
  openSessions: number;
  /** Links of one session that have not ended; beyond this none is made. */
  linksOfSession: number;
  /** API keys that admit somebody; beyond this none is made over HTTP. */
  apiKeys: number;
  /** Robots that it may make: this many at once, and then this many a minute. */
  creationsPerMinute: number;
  /** Commands that wait for a robot, in one instance. Stops are counted apart, up to the same number. */
  waitingCommands: number;
  /** Other requests under way, in one instance. */
  requestsAtOnce: number;
}

export interface Settings {
  /** Agents that a session dispatches when the request does not say. */
  defaultWorkerNames: string[];
  /** Agents that a session of a physical robot dispatches when neither the request nor `defaultWorkerNames` says any. */
  physicalWorkerNames: string[];
  claimLimit: ClaimLimit;
  accountLimits: AccountLimits;
  /** The longest time that a command waits for the answer to the one before it, once that is on its way; see operations/command-order.ts. */
  turnMaxMs: number;
  /** A session unused for this long ends by itself; null: none does. */
  sessionIdleMs: number | null;
  /** Where the pages of robots are, `https://…` without a slash at the end, for links; null: not known. */
  viewerUrl: string | null;
  /** The cost of hashing the PIN of a new robot; see slow-hash.ts. */
  pinHashCost: number;
}

export const DEFAULT_SETTINGS: Settings = {
  defaultWorkerNames: [],
  physicalWorkerNames: [],
  claimLimit: { perCallerAndRobot: 5, perCaller: 20, perRobot: 10, perPin: 100, windowMs: 15 * 60_000 },
  // A share is a tenth of the connections that a port takes; nobody reaches the other limits without intent.
  accountLimits: {
    robots: 1_000,
    openSessions: 100,
    linksOfSession: 1_000,
    apiKeys: 100,
    creationsPerMinute: 120,
    waitingCommands: 100,
    requestsAtOnce: 100,
  },
  turnMaxMs: 500,
  // No credential lives longer, so no valid credential leads to a session that has ended by itself.
  sessionIdleMs: ROOM_KEY_MAX_TTL_S * 1000,
  viewerUrl: null,
  pinHashCost: HASH_COST,
};

/** Everything that the service takes from outside. */
export interface ServiceParts {
  db: Database;
  sfu: SfuAdmin;
  clock: Clock;
  /** Unpredictable bytes, from which ids, PINs and keys are made. */
  randomBytes: (count: number) => Uint8Array;
  log: (entry: LogEntry) => void;
  settings: Settings;
}

/** One instance of the service: its parts, and what all that acts in its name shares. Made once, by `createService`. */
export interface ServiceDeps extends ServiceParts {
  readonly memory: InstanceMemory;
  readonly metrics: Metrics;
}
