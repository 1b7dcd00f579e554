import { ApiKeys } from './api-keys.ts';
import { internalSettings, keepSettings } from './internal/client-settings.ts';
import { inspectSymbol, REDACTED } from './internal/redact.ts';
import { DEFAULT_VIEWER_URL, readSettings } from './internal/settings.ts';
import type { ClientOptions } from './options.ts';
import { Robots } from './robots.ts';

/**
 * Access to the platform over HTTP. Without options the client reads PLATFORM_RCS_URL and PLATFORM_API_KEY from the environment.
 * No way of printing it shows a credential.
 */
export class Client {
  /** The robots of the key's owner. */
  readonly robots: Robots;
  /** The API keys of the account that the client's key belongs to. */
  readonly apiKeys: ApiKeys;

  /** @throws PlatformSDKError when the API key is missing or a setting is invalid */
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

  /** Base of room-key links if the program set one or the service reports none. */
  get viewerUrl(): string {
    return internalSettings(this).viewerUrl ?? DEFAULT_VIEWER_URL;
  }

  /** Longest wait for one HTTP answer, milliseconds. */
  get timeoutMs(): number {
    return internalSettings(this).timeoutMs;
  }

  /** Number of retries of a GET after a transport failure or a 429. */
  get maxRetries(): number {
    return internalSettings(this).maxRetries;
  }

  /** Returns the address without the key. */
  toString(): string {
    return `Client(rcsUrl=${this.rcsUrl}, apiKey=${REDACTED})`;
  }

  /** Returns the address for JSON, without the key. */
  toJSON(): { rcsUrl: string; apiKey: string } {
    return { rcsUrl: this.rcsUrl, apiKey: REDACTED };
  }

  /** The same as `toString`, for `console.log` in Node. */
  [inspectSymbol](): string {
    return this.toString();
  }
}
