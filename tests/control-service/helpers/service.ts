import { randomBytes } from 'node:crypto';
import { grantOnlyKey } from '../../../src/control-service/accounts.ts';
import { createApp } from '../../../src/control-service/app.ts';
import type { Clock } from '../../../src/control-service/clock.ts';
import type { DatabaseOptions, DatabasePlace } from '../../../src/control-service/db/database.ts';
import { openDatabase } from '../../../src/control-service/db/open.ts';
import { accounts, robots } from '../../../src/control-service/db/schema.ts';
import { DEFAULT_SETTINGS, type LogEntry, type ServiceDeps } from '../../../src/control-service/deps.ts';
import { newApiKey } from '../../../src/control-service/secrets.ts';
import { createService } from '../../../src/control-service/service.ts';
import { type DatabaseKind, newDatabase } from './databases.ts';
import { FakeSfu } from './fake-sfu.ts';

/** The start of the tests' clock: a whole second, so that token times are exact. */
export const START_MS = Date.UTC(2030, 0, 1);

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of many shapes and checks the one that it expects.
  body: any;
}

export interface TestService {
  readonly sfu: FakeSfu;
  log: LogEntry[];
  deps: ServiceDeps;
  /** API keys of two accounts. */
  keys: [string, string];
  clock: Clock & { advanceMs: (ms: number) => void; setBackMs: (ms: number) => void };
  /** Sends a request; `key` is the first account's by default, null sends none. */
  send: (
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
  ) => Promise<Answer>;
  /** Returns to an empty service with two new accounts. */
  reset: () => Promise<void>;
  close: () => Promise<void>;
  /**
   * Starts another instance on the same server (PostgreSQL only), with the same keys, clock and SFU, and its own connections
   * and log. Reset the first instance only.
   */
  startBeside: () => Promise<TestService>;
}

/** The settings of a test service. */
export interface TestServiceOptions extends DatabaseOptions {
  /** @default 'PGlite', in memory */
  database?: DatabaseKind;
}

/**
 * Starts the service on an empty database, with a clock that only the test advances. A start takes seconds, so a test
 * file has one service for each database and resets it before each test.
 */
export async function startTestService({ database = 'PGlite', ...options }: TestServiceOptions = {}): Promise<TestService> {
  let nowMs = START_MS;
  let monotonicMs = 0;
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => monotonicMs,
    advanceMs: (ms: number) => {
      nowMs += ms;
      monotonicMs += ms;
    },
    setBackMs: (ms: number) => {
      nowMs -= ms;
    },
    reset: () => {
      nowMs = START_MS;
    },
  };
  return startOn(await newDatabase(database), options, clock, null);
}

type TestClock = TestService['clock'] & { reset: () => void };

async function startOn(
  place: DatabasePlace,
  options: DatabaseOptions,
  clock: TestClock,
  first: TestService | null,
): Promise<TestService> {
  const { db, close } = await openDatabase(place, options);
  let sfu = first?.sfu ?? new FakeSfu();
  const deps = createService({
    db,
    sfu,
    clock,
    randomBytes,
    log: (entry: LogEntry) => service.log.push(entry),
    // The slow hash is slow on purpose, and the test clock does not advance automatically; tests make many robots.
    settings: {
      ...DEFAULT_SETTINGS,
      pinHashCost: 4,
      accountLimits: { ...DEFAULT_SETTINGS.accountLimits, robots: 1e5, creationsPerMinute: 60_000 },
    },
  });
  const app = createApp(deps);
  const beside: TestService[] = [];
  const service: TestService = {
    get sfu() {
      return sfu;
    },
    log: [],
    deps,
    keys: first?.keys ?? ['', ''],
    clock,
    send: async (method, path, { body, key = service.keys[0], headers = {} } = {}) => {
      const response = await app.request(path, {
        method,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    reset: async () => {
      clock.reset();
      sfu = new FakeSfu();
      deps.sfu = sfu;
      service.log.length = 0;
      await db.delete(robots);
      await db.delete(accounts);
      service.keys = [newApiKey(randomBytes), newApiKey(randomBytes)];
      await grantOnlyKey(deps, 'one', service.keys[0]);
      await grantOnlyKey(deps, 'two', service.keys[1]);
      for (const other of beside) {
        other.deps.sfu = deps.sfu;
        other.keys = service.keys;
        other.log.length = 0;
      }
    },
    close,
    startBeside: async () => {
      if (place.kind !== 'server') throw new Error('Only a server can have two instances.');
      const other = await startOn(place, options, clock, service);
      beside.push(other);
      return other;
    },
  };
  return service;
}
