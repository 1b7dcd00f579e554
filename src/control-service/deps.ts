import type { Database } from './db/open.ts';
import type { SfuAdmin } from './sfu-admin.ts';

/** One thing that happened, for the log. Holds no key, token, PIN, header or body. */
export interface LogEntry {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: string | number | boolean | null | undefined;
}

export interface Settings {
  /** Agents that a session dispatches when the request does not say. */
  defaultWorkerNames: string[];
  /** Wrong PINs that are let through before claims are refused for a while. */
  claimLimit: { perRobot: number; perAccount: number; windowMs: number };
}

export const DEFAULT_SETTINGS: Settings = {
  defaultWorkerNames: [],
  claimLimit: { perRobot: 5, perAccount: 20, windowMs: 15 * 60_000 },
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
