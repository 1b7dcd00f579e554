import { PlatformSDKError } from '../errors.ts';
import type { ClientOptions, Logger } from '../options.ts';
import { hideWhenPrinted } from './redact.ts';

export interface Settings {
  rcsUrl: string;
  apiKey: string;
  timeoutMs: number;
  maxRetries: number;
  /** Base of room-key links; null: the service's own. */
  viewerUrl: string | null;
  fetch: typeof fetch;
  logger: Logger;
}

type Environment = Record<string, string | undefined>;

const DEFAULT_RCS_URL = 'http://localhost:8080/rcs';
/** Address of the viewer if neither the program nor the service gives one. */
export const DEFAULT_VIEWER_URL = 'http://localhost:8080';
const DEFAULT_TIMEOUT_S = 30;
const DEFAULT_MAX_RETRIES = 2;

/**
 * Reads the settings: options first, then the environment, then defaults.
 * @throws PlatformSDKError when the API key is missing or a setting is invalid; the sentence names the setting.
 */
export function readSettings(options: ClientOptions, env: Environment = environment()): Settings {
  const apiKey = (options.apiKey ?? env.PLATFORM_API_KEY ?? '').trim();
  if (apiKey === '') throw new PlatformSDKError('There is no API key. Pass apiKey, or set PLATFORM_API_KEY.');
  // A header accepts only visible ASCII. The engine's error would repeat the key, so the check comes first.
  if (!/^(?!["'])[\x21-\x7e]+$/.test(apiKey))
    throw new PlatformSDKError('PLATFORM_API_KEY (apiKey) holds characters that a key never has. Copy it again.');
  const viewerUrl = options.viewerUrl ?? unlessBlank(env.PLATFORM_ROBOT_VIEWER_URL);
  const settings = {
    rcsUrl: httpUrl(options.rcsUrl ?? unlessBlank(env.PLATFORM_RCS_URL) ?? DEFAULT_RCS_URL, 'PLATFORM_RCS_URL (rcsUrl)'),
    timeoutMs:
      options.timeoutMs === undefined
        ? 1_000 * number(env.PLATFORM_ROBOT_SDK_TIMEOUT, DEFAULT_TIMEOUT_S, 'PLATFORM_ROBOT_SDK_TIMEOUT', 0.001)
        : number(String(options.timeoutMs), 0, 'timeoutMs', 1),
    maxRetries: Math.trunc(
      options.maxRetries === undefined
        ? number(env.PLATFORM_ROBOT_SDK_MAX_RETRIES, DEFAULT_MAX_RETRIES, 'PLATFORM_ROBOT_SDK_MAX_RETRIES', 0)
        : number(String(options.maxRetries), 0, 'maxRetries', 0),
    ),
    viewerUrl: viewerUrl === undefined ? null : httpUrl(viewerUrl, 'PLATFORM_ROBOT_VIEWER_URL (viewerUrl)'),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    logger: options.logger ?? usualLogger(env),
  };
  // Printing the settings does not show the key, even if they are nested in other objects.
  return hideWhenPrinted(Object.defineProperty(settings, 'apiKey', { value: apiKey, enumerable: false }) as Settings, ['apiKey']);
}

/** Returns the address without trailing slashes. @throws PlatformSDKError when it is not an http or https address. */
export function httpUrl(address: string, name: string): string {
  const trimmed = address.trim().replace(/\/+$/, '');
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(trimmed) || !URL.canParse(trimmed)) {
    throw new PlatformSDKError(`${name} is not an address of the form http://host:port/path. Correct it.`);
  }
  return trimmed;
}

/** Many launchers set an empty variable to mean "not set". */
const unlessBlank = (variable: string | undefined): string | undefined => (variable?.trim() ? variable : undefined);

function number(text: string | undefined, fallback: number, name: string, least: number): number {
  if (text === undefined || text.trim() === '') return fallback;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least) throw new PlatformSDKError(`${name} is not a number of at least ${least}.`);
  return value;
}

/**
 * Returns what to check if a room cannot be joined, or an empty string. LiveKit's package for Node uses the proxy of the
 * environment. It ignores NO_PROXY, also for addresses of this machine.
 */
export function roomHint(livekitUrl: string, env: Environment = environment()): string {
  const name = livekitUrl.startsWith('wss') ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((each) => env[each]);
  return variable
    ? ` LiveKit's SDK may have gone through the proxy of ${variable}: start the program without that variable.`
    : '';
}

/** Returns the environment; empty in browsers, which have none. */
function environment(): Environment {
  return typeof process === 'undefined' ? {} : (process.env ?? {});
}

/** Returns the logger of a program that names none: the console. */
export function usualLogger(env: Environment = environment()): Logger {
  const debug = env.PLATFORM_ROBOT_SDK_DEBUG === '1';
  const { console: out } = globalThis;
  return {
    debug: (message) => {
      if (debug) out.debug(`platform-robot-sdk: ${message}`);
    },
    warn: (message) => out.warn(`platform-robot-sdk: ${message}`),
  };
}
