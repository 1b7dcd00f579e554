import { join, resolve } from 'node:path';
import { type AccountLimits, DEFAULT_SETTINGS, type Settings } from '../control-service/deps.ts';
import type { SfuAccess } from '../control-service/sfu-admin.ts';
import { IS_CLONE, PROJECT_DIR } from './installation.ts';

const SFU_URL = /^(?:ws|http)s?:\/\/[^\s/?#]+\/?$/;
const PAGE_URL = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/;
const WORKER_NAME = /^[^\s,]{1,128}$/;

/**
 * Returns the data folder: SIMPLESIM_DATA_DIR, otherwise `.simplesim` in the clone, or in the current folder if a package is
 * installed.
 */
export const readDataDir = (env: NodeJS.ProcessEnv): string =>
  resolve(env.SIMPLESIM_DATA_DIR || join(IS_CLONE ? PROJECT_DIR : process.cwd(), '.simplesim'));

/**
 * Reads the access to a foreign SFU: LIVEKIT_URL with LIVEKIT_API_KEY and LIVEKIT_API_SECRET. Participants get LIVEKIT_PUBLIC_URL
 * if they reach it by another address.
 * @param who the part that needs it; error messages name it
 * @throws With what to set
 */
export function readSfuAccess(env: NodeJS.ProcessEnv, who = 'The control service'): SfuAccess {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = env;
  if (!url || !apiKey || !apiSecret) {
    const missing = Object.entries({ LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret });
    const names = missing.flatMap(([name, value]) => (value ? [] : [name]));
    throw new Error(`${who} needs an SFU. Set ${names.join(', ')} to those of your LiveKit server; "npm start" includes one.`);
  }
  const publicUrl = env.LIVEKIT_PUBLIC_URL || url;
  for (const [name, value] of Object.entries({ LIVEKIT_URL: url, LIVEKIT_PUBLIC_URL: publicUrl })) {
    if (!SFU_URL.test(value) || !URL.canParse(value))
      throw new Error(`${name} is not an address of the form ws://host:port or wss://host. Correct it.`);
  }
  return {
    participantUrl: publicUrl.replace(/\/$/, '').replace(/^http/, 'ws'),
    httpUrl: url.replace(/\/$/, '').replace(/^ws/, 'http'),
    apiKey,
    apiSecret,
  };
}

/** The settings of an account's limits, by the name of the limit. */
export const ACCOUNT_SETTINGS: Record<keyof AccountLimits, string> = {
  robots: 'SIMPLESIM_ACCOUNT_ROBOTS',
  openSessions: 'SIMPLESIM_ACCOUNT_SESSIONS',
  linksOfSession: 'SIMPLESIM_ACCOUNT_LINKS',
  apiKeys: 'SIMPLESIM_ACCOUNT_KEYS',
  creationsPerMinute: 'SIMPLESIM_ACCOUNT_CREATIONS_PER_MINUTE',
  waitingCommands: 'SIMPLESIM_ACCOUNT_COMMANDS',
  requestsAtOnce: 'SIMPLESIM_ACCOUNT_REQUESTS',
};
const COUNT_MAX = 1_000_000;
const HOUR_MS = 3_600_000;

/**
 * Reads the service's settings. SIMPLESIM_WORKER_NAMES lists, separated by commas, the agents that a session dispatches by
 * default; SIMPLESIM_ACCOUNT_… are an account's limits; SIMPLESIM_VIEWER_URL is the target of links.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const names = (env.SIMPLESIM_WORKER_NAMES ?? '').split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => !WORKER_NAME.test(name));
  if (wrong !== undefined)
    throw new Error('SIMPLESIM_WORKER_NAMES must be names of agents without spaces, with commas between them.');
  const accountLimits = { ...DEFAULT_SETTINGS.accountLimits };
  for (const [limit, setting] of Object.entries(ACCOUNT_SETTINGS) as [keyof AccountLimits, string][]) {
    if (env[setting]) accountLimits[limit] = readCount(env[setting], setting);
  }
  return {
    ...DEFAULT_SETTINGS,
    defaultWorkerNames: names,
    accountLimits,
    sessionIdleMs: readSessionIdle(env),
    viewerUrl: readViewerUrl(env),
  };
}

/**
 * SIMPLESIM_VIEWER_URL, the address of the robots' pages. The service does not serve them itself, so it cannot derive the
 * address.
 */
function readViewerUrl({ SIMPLESIM_VIEWER_URL: given }: NodeJS.ProcessEnv): string | null {
  if (!given) return null;
  const url = given.replace(/\/+$/, '');
  if (!PAGE_URL.test(url) || !URL.canParse(url))
    throw new Error('SIMPLESIM_VIEWER_URL is not an address of the form https://host/path. Correct it.');
  return url;
}

/** SIMPLESIM_SESSION_IDLE_HOURS; 0 for sessions that never end automatically. */
function readSessionIdle({ SIMPLESIM_SESSION_IDLE_HOURS: given }: NodeJS.ProcessEnv): number | null {
  if (!given) return DEFAULT_SETTINGS.sessionIdleMs;
  const hours = /^\d{1,4}(?:\.\d{1,3})?$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isNaN(hours)) {
    throw new Error(
      'SIMPLESIM_SESSION_IDLE_HOURS must be a number of hours, as in 12 or 0.5; 0: sessions never end automatically.',
    );
  }
  return hours === 0 ? null : hours * HOUR_MS;
}

function readCount(value: string, setting: string): number {
  const count = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > COUNT_MAX) throw new Error(`${setting} must be a whole number from 1 to ${COUNT_MAX}.`);
  return count;
}
