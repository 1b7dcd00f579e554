import { ROOM_KEY_MAX_TTL_S } from '../protocol/wire/limits.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { InstanceMemory } from './instance-memory.ts';
import type { Metrics } from './metrics.ts';
import type { SfuAdmin } from './sfu-admin.ts';
import { HASH_COST } from './slow-hash.ts';

/** A log entry. It contains no key, token, PIN, header or body. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: string | number | boolean | null | undefined;
}

/** How many wrong PINs are accepted within `windowMs` before claims are rejected; see `operations/claim-limit.ts`. */
export interface ClaimLimit {
  /** Limit for one caller and one robot. */
  perCallerAndRobot: number;
  /** Limit for one caller, for all robots. */
  perCaller: number;
  /** Limit for all callers together, for one robot; beyond it each caller has one attempt. */
  perRobot: number;
  /**
   * Limit for all callers together, for one PIN, in its whole life. Beyond it the PIN is void until the operator sets a new one.
   */
  perPin: number;
  windowMs: number;
}

/** The limits of one account; see `operations/account-limits.ts` and `account-shares.ts`. */
export interface AccountLimits {
  /** Its robots, both created and claimed. At this number no further robot is created. */
  robots: number;
  openSessions: number;
  /** Active links of one session. At this number no further link is created. */
  linksOfSession: number;
  /** Valid API keys. At this number no further key is created over HTTP. */
  apiKeys: number;
  /** Robots that it may create: this many at once, and then this many per minute. */
  creationsPerMinute: number;
  /** Commands that wait for a robot, in one instance. Stops are counted separately, up to the same number. */
  waitingCommands: number;
  /** Other requests under way, in one instance. */
  requestsAtOnce: number;
}

export interface Settings {
  /** Agents that a session dispatches when the request does not name any. */
  defaultWorkerNames: string[];
  /** Agents that a session of a physical robot dispatches when neither the request nor `defaultWorkerNames` names any. */
  physicalWorkerNames: string[];
  claimLimit: ClaimLimit;
  accountLimits: AccountLimits;
  /**
   * The longest time that a command waits for the answer to the previous one, after that was sent; see
   * `operations/command-order.ts`.
   */
  slotMaxMs: number;
  /** A session unused for this long ends automatically; null: sessions do not end automatically. */
  sessionIdleMs: number | null;
  /** The base URL of the robots' pages, `https://…` without a trailing slash, for links; null: unknown. */
  viewerUrl: string | null;
  /** The cost of hashing the PIN of a new robot; see `slow-hash.ts`. */
  pinHashCost: number;
}

export const DEFAULT_SETTINGS: Settings = {
  defaultWorkerNames: [],
  physicalWorkerNames: [],
  claimLimit: { perCallerAndRobot: 5, perCaller: 20, perRobot: 10, perPin: 100, windowMs: 15 * 60_000 },
  // A share is a tenth of the connections that a port accepts. The other limits are reached only on purpose.
  accountLimits: {
    robots: 1_000,
    openSessions: 100,
    linksOfSession: 1_000,
    apiKeys: 100,
    creationsPerMinute: 120,
    waitingCommands: 100,
    requestsAtOnce: 100,
  },
  slotMaxMs: 500,
  // No credential lives longer, so no valid credential leads to a session that has ended automatically.
  sessionIdleMs: ROOM_KEY_MAX_TTL_S * 1000,
  viewerUrl: null,
  pinHashCost: HASH_COST,
};

/** Everything that the service gets from outside. */
export interface ServiceParts {
  db: Database;
  sfu: SfuAdmin;
  clock: Clock;
  /** Unpredictable bytes, from which ids, PINs and keys are made. */
  randomBytes: (count: number) => Uint8Array;
  log: (entry: LogEntry) => void;
  settings: Settings;
}

/** One instance of the service: its parts, and the state that they share. Created once, by `createService`. */
export interface ServiceDeps extends ServiceParts {
  readonly memory: InstanceMemory;
  readonly metrics: Metrics;
}
