import type { ApiKey } from '../protocol/api-keys.ts';
import { LIBRARY_ANSWERS, LIST_MAX_LIMIT } from '../protocol/control-service.ts';
import { request } from './internal/http.ts';
import { allPages, listPath } from './internal/pages.ts';
import { hideWhenPrinted, inspectSymbol } from './internal/redact.ts';
import type { Settings } from './internal/settings.ts';
import type { RequestOptions } from './options.ts';

/** A page of API keys. */
export interface ApiKeyPage {
  /** At most `limit` of them. */
  keys: ApiKey[];
  /** The `afterId` of the page after it; null on the last. */
  next_id: string | null;
  /** Keys on all pages together. */
  total: number;
}

/** A new API key and what is shown of it. */
export interface CreatedApiKey {
  /** What lists show of it. */
  key: ApiKey;
  /** The key itself: shown here once and never again. Store it. */
  api_key: string;
}

/** Options of `apiKeys.create`. */
export interface CreateApiKeyOptions extends RequestOptions {
  /** Name by which its owner knows it, such as the program that uses it. */
  name: string;
  /** Lifetime in seconds; it ends no later than the client's own key. @default as long as the client's own key */
  ttlS?: number | undefined;
}

/** The API keys of the account that the client's key belongs to. Methods reject as those of `Robots`. */
export class ApiKeys {
  readonly #settings: Settings;

  /** @internal */
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Reads one page of the keys that are not revoked, oldest first. No key itself is shown.
   * @param options.limit keys on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the page before; absent for the first
   */
  async list(options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {}): Promise<ApiKeyPage> {
    const call = { ...only(options), method: 'GET', path: listPath('/v1/api-keys', options) } as const;
    return request(this.#settings, call, LIBRARY_ANSWERS.api_keys);
  }

  /**
   * Reads all keys that are not revoked, page by page as they are needed.
   * @param options.limit keys on a page
   * @throws PlatformSDKError when the service names pages that never end
   */
  async *iter(options: RequestOptions & { limit?: number | undefined } = {}): AsyncGenerator<ApiKey, void, undefined> {
    const read = (afterId: string | undefined) => this.list({ ...options, limit: options.limit ?? LIST_MAX_LIMIT, afterId });
    yield* allPages('/v1/api-keys', read, (page) => page.keys);
  }

  /** Makes a further key, which may do all that the client's own may. Printing the result does not show it. */
  async create(options: CreateApiKeyOptions): Promise<CreatedApiKey> {
    const body = { name: options.name, ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }) };
    const call = { ...only(options), method: 'POST', path: '/v1/api-keys', body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_ANSWERS.api_key_created), ['api_key']);
  }

  /**
   * Revokes a key by its id: the next request with it is refused. The client's own may be revoked too.
   * @throws PlatformAPIError `api_key.not_found`, `api_key.last`
   */
  async revoke(keyId: string, options: RequestOptions = {}): Promise<void> {
    if (/^\.{0,2}$/.test(keyId)) throw new TypeError('The key id is empty. Pass the id of a key, as the list has it.');
    const call = { ...only(options), method: 'DELETE', path: `/v1/api-keys/${encodeURIComponent(keyId)}` } as const;
    return request(this.#settings, call, null);
  }

  /** The settings hold the key; nothing of them is printed. */
  [inspectSymbol](): string {
    return 'ApiKeys()';
  }
}

const only = ({ signal, timeoutMs }: RequestOptions): RequestOptions => ({ signal, timeoutMs });
