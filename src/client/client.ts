import { ApiKeys } from './api-keys.ts';
import { internalSettings, keepSettings } from './internal/client-settings.ts';
import { inspectSymbol, REDACTED } from './internal/redact.ts';
import { DEFAULT_VIEWER_URL, readSettings } from './internal/settings.ts';
import type { ClientOptions } from './options.ts';
import { Robots } from './robots.ts';

/**
 * The platform over HTTP. Without options it takes PLATFORM_RCS_URL and PLATFORM_API_KEY from the environment. Printing it in any way
 * shows no credential.
 */
export class Client {
  /** The robots of the key's owner. */
  readonly robots: Robots;
  /** The API keys of the account that the client's key belongs to. */
  readonly apiKeys: ApiKeys;

  /** @throws PlatformSDKError when there is no API key, or a setting cannot be read */
  constructor(options: ClientOptions = {}) {
    const settings = readSettings(options);
    keepSettings(this, settings);
    this.robots = new Robots(settings);
    this.apiKeys = new ApiKeys(settings);
  }

  /** Root of the control service. */
  get rcsUrl(): string {
    return internalSettings(this).rcsUrl;
  }

  /** Base of room-key links, where the service reports none or the program named one. */
  get viewerUrl(): string {
    return internalSettings(this).viewerUrl ?? DEFAULT_VIEWER_URL;
  }

  /** Longest wait for one HTTP answer, milliseconds. */
  get timeoutMs(): number {
    return internalSettings(this).timeoutMs;
  }

  /** How often a GET is tried again after a transport failure or a 429. */
  get maxRetries(): number {
    return internalSettings(this).maxRetries;
  }

  /** The address; the key is not shown. */
  toString(): string {
    return `Client(rcsUrl=${this.rcsUrl}, apiKey=${REDACTED})`;
  }

  /** The address, for JSON; the key is not shown. */
  toJSON(): { rcsUrl: string; apiKey: string } {
    return { rcsUrl: this.rcsUrl, apiKey: REDACTED };
  }

  /** The same as `toString`, for `console.log` in Node. */
  [inspectSymbol](): string {
    return this.toString();
  }
}
