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
  windowMs: number;
}

export interface Settings {
  /** Agents that a session dispatches when the request does not say. */
  defaultWorkerNames: string[];
  claimLimit: ClaimLimit;
  /** What it costs to hash the PIN of a new robot; see slow-hash.ts. */
  pinHashCost: number;
}

export const DEFAULT_SETTINGS: Settings = {
  defaultWorkerNames: [],
  claimLimit: { perCallerAndRobot: 5, perCaller: 20, perRobot: 10, windowMs: 15 * 60_000 },
  pinHashCost: HASH_COST,
};

/** Everything the service takes from outside. */
export interface ServiceDeps {
  db: Database;
  sfu: SfuAdmin;
  clock: { nowMs(): number };
  /** Unpredictable bytes: ids, PINs and keys are made of them. */
  randomBytes: (count: number) => Uint8Array;
  log: (entry: LogEntry) => void;
  settings: Settings;
}
