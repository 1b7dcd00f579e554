import type { ApiKey } from '../protocol/service/api-keys.ts';
import { LIBRARY_READS, LIST_MAX_LIMIT } from '../protocol/service/control-service.ts';
import { request } from './internal/http.ts';
import { allPages, listPath } from './internal/pages.ts';
import { hideWhenPrinted, inspectSymbol } from './internal/redact.ts';
import type { Settings } from './internal/settings.ts';
import type { RequestOptions } from './options.ts';

/** A page of API keys. */
export interface ApiKeyPage {
  /** At most `limit` keys. */
  keys: ApiKey[];
  /** The `afterId` of the next page; null on the last page. */
  next_id: string | null;
  /** Keys on all pages together. */
  total: number;
}

/** A new API key and its entry in lists. */
export interface CreatedApiKey {
  /** The entry that lists show for the key. */
  key: ApiKey;
  /** The key itself, shown only in this answer. Store it. */
  api_key: string;
}

/** Options of `apiKeys.create`. */
export interface CreateApiKeyOptions extends RequestOptions {
  /** Name by which its owner recognises the key, such as the program that uses it. */
  name: string;
  /** Lifetime in seconds; the key ends no later than the client's own key. @default the lifetime of the client's own key */
  ttlS?: number | undefined;
}

/** The API keys of the account that the client's key belongs to. Methods reject as those of `Robots` do. */
export class ApiKeys {
  readonly #settings: Settings;

  /** @internal */
  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Reads one page of the keys that are not revoked, oldest first. The page does not contain the keys themselves.
   * @param options.limit keys on the page, 1…100 @default 20
   * @param options.afterId `next_id` of the previous page; absent for the first page
   */
  async list(options: RequestOptions & { limit?: number | undefined; afterId?: string | undefined } = {}): Promise<ApiKeyPage> {
    const call = { ...only(options), method: 'GET', path: listPath('/v1/api-keys', options) } as const;
    return request(this.#settings, call, LIBRARY_READS.api_keys);
  }

  /**
   * Yields all keys that are not revoked, and reads each page when it is needed.
   * @param options.limit keys on a page
   * @throws PlatformSDKError when the service returns pages without end
   */
  async *iter(options: RequestOptions & { limit?: number | undefined } = {}): AsyncGenerator<ApiKey, void, undefined> {
    const read = (afterId: string | undefined) => this.list({ ...options, limit: options.limit ?? LIST_MAX_LIMIT, afterId });
    yield* allPages('/v1/api-keys', read, (page) => page.keys);
  }

  /** Creates another key with the same permissions as the client's own key. Printing the result does not show the key. */
  async create(options: CreateApiKeyOptions): Promise<CreatedApiKey> {
    const body = { name: options.name, ...(options.ttlS === undefined ? {} : { ttl_seconds: options.ttlS }) };
    const call = { ...only(options), method: 'POST', path: '/v1/api-keys', body } as const;
    return hideWhenPrinted(await request(this.#settings, call, LIBRARY_READS.api_key_created), ['api_key']);
  }

  /**
   * Revokes a key by its id: the service rejects the next request with it. The client's own key may be revoked too.
   * @throws PlatformAPIError `api_key.not_found`, `api_key.last`
   */
  async revoke(keyId: string, options: RequestOptions = {}): Promise<void> {
    if (/^\.{0,2}$/.test(keyId)) throw new TypeError('The key id is empty. Pass the id of a key, as the list has it.');
    const call = { ...only(options), method: 'DELETE', path: `/v1/api-keys/${encodeURIComponent(keyId)}` } as const;
    return request(this.#settings, call, null);
  }

  /** Prints none of the settings, because they contain the key. */
  [inspectSymbol](): string {
    return 'ApiKeys()';
  }
}

const only = ({ signal, timeoutMs }: RequestOptions): RequestOptions => ({ signal, timeoutMs });
