import { PlatformConnectionError, PlatformSDKError, TimeoutError } from '../errors.ts';
import type { RequestOptions } from '../options.ts';
import { apiErrorFrom } from './api-error.ts';
import { redact, withoutSecret } from './redact.ts';
import type { Settings } from './settings.ts';
import { LONGEST_TIMER_MS, sleep } from './wait.ts';

interface HttpRequest extends RequestOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path under the root, e.g. `/v1/robots`. */
  path: string;
  body?: unknown;
}

/** The part of a schema of `src/protocol` that reads an answer. */
interface AnswerSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

const BACKOFF_FIRST_MS = 500;
const BACKOFF_CAP_MS = 30_000;
/** A page of a hundred robots with the longest allowed texts is below one MiB. */
const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the wait before the n-th retry: exponential with jitter, from 0.5 s, capped at 30 s.
 * @param attempt 0 for the first retry
 * @param chance in [0, 1): the share of the upper half that is added to the lower half
 * @param retryAfterS the wait that the service asked for, if any; the result is at least this long
 * @returns null if the service asked for longer than the cap: then there is no retry
 */
export function backoffMs(attempt: number, chance: number, retryAfterS: number | null = null): number | null {
  const askedMs = (retryAfterS ?? 0) * 1_000;
  if (askedMs > BACKOFF_CAP_MS) return null;
  const fullMs = Math.min(BACKOFF_CAP_MS, BACKOFF_FIRST_MS * 2 ** attempt);
  return Math.max(askedMs, fullMs * (0.5 + 0.5 * chance));
}

/**
 * Makes one exchange with the control service. Only a GET is retried, after a transport failure or a 429, because other methods
 * must not run twice.
 * @param answer how the body is read; null for an answer without one
 * @throws PlatformAPIError for a status of 400 or above; TimeoutError; PlatformConnectionError; PlatformSDKError for an answer
 * that does not match the contract; the signal's reason
 */
export async function request<T>(settings: Settings, call: HttpRequest, answer: AnswerSchema<T>): Promise<T>;
export async function request(settings: Settings, call: HttpRequest, answer: null): Promise<void>;
export async function request<T>(settings: Settings, call: HttpRequest, answer: AnswerSchema<T> | null): Promise<T | undefined> {
  const retries = call.method === 'GET' ? settings.maxRetries : 0;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await exchange(settings, call);
    if ('body' in outcome) return answer ? readAnswer(outcome.body, answer, call) : readNothing(outcome.body, call);
    const waitMs = outcome.retryable && attempt < retries ? backoffMs(attempt, Math.random(), outcome.retryAfterS) : null;
    if (waitMs === null) throw outcome.error;
    settings.logger.debug(`${call.method} ${call.path}: tried again in ${Math.round(waitMs)} ms`);
    await sleep(waitMs, call.signal);
  }
}

type Outcome = { body: string } | { error: Error; retryable: boolean; retryAfterS: number | null };

async function exchange(settings: Settings, call: HttpRequest): Promise<Outcome> {
  call.signal?.throwIfAborted();
  // AbortSignal.timeout accepts only whole milliseconds.
  const timeoutMs = Math.min(Math.ceil(call.timeoutMs ?? settings.timeoutMs), LONGEST_TIMER_MS);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  const headers: Record<string, string> = { authorization: `Bearer ${settings.apiKey}`, accept: 'application/json' };
  const init: RequestInit = { method: call.method, headers, signal, redirect: 'manual' };
  if (call.method === 'POST' || call.method === 'PATCH') {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(call.body ?? {});
  }
  const startedMs = performance.now();
  settings.logger.debug(`${call.method} ${call.path}`);
  let response: Response;
  let body: string;
  try {
    response = await settings.fetch(`${settings.rcsUrl}${call.path}`, init);
    body = await readText(response);
  } catch (cause) {
    call.signal?.throwIfAborted();
    if (cause instanceof PlatformSDKError) throw cause;
    const error = timeout.aborted
      ? new TimeoutError(`${call.method} ${call.path} had no answer within ${timeoutMs / 1_000} s.`)
      : new PlatformConnectionError(
          `${call.method} ${call.path}: the platform at ${settings.rcsUrl} cannot be reached. Check that it runs, and that this is its address.${hintFor(cause)}`,
          { cause: withoutFrames(withoutSecret(cause, settings.apiKey)) },
        );
    settings.logger.debug(`${call.method} ${call.path}: ${error.name}`);
    return { error, retryable: true, retryAfterS: null };
  }
  settings.logger.debug(`${call.method} ${call.path}: ${response.status} after ${Math.round(performance.now() - startedMs)} ms`);
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    // Following a redirect could send the key to another server.
    const error = new PlatformConnectionError(
      `${call.method} ${call.path}: the address answers with a redirect, which is not followed. Set PLATFORM_RCS_URL (rcsUrl) to the address of the control service itself.`,
    );
    return { error, retryable: false, retryAfterS: null };
  }
  if (response.status < 400) return { body };
  const retryAfterS = readRetryAfter(response.headers.get('retry-after'));
  const fromHeaders = { requestId: redact(response.headers.get('x-request-id'), settings.apiKey), retryAfterS };
  const error = apiErrorFrom(response.status, readErrorBody(body, settings.apiKey), fromHeaders);
  return { error, retryable: response.status === 429, retryAfterS };
}

/** Returns the cause of a failure with the messages of all its errors, without stack frames of the engine's network code. */
function withoutFrames(cause: unknown): unknown {
  const found = new Set([cause]);
  // Iterating over a set also visits members that are added during the loop.
  for (const each of found) {
    if (!(each instanceof Error)) continue;
    // An engine may make the stack read-only.
    Reflect.defineProperty(each, 'stack', { value: `${each.name}: ${each.message}`, configurable: true, writable: true });
    for (const inner of [each.cause, ...(each instanceof AggregateError ? each.errors : [])]) found.add(inner);
  }
  return cause;
}

/** Returns what else to check besides the address, with a leading space. */
const hintFor = (cause: unknown): string =>
  /CERT|VERIFY/.test(String((cause as { cause?: { code?: unknown } } | undefined)?.cause?.code))
    ? ' Its certificate is not trusted here: set NODE_EXTRA_CA_CERTS.'
    : '';

function readAnswer<T>(body: string, schema: AnswerSchema<T>, call: HttpRequest): T {
  const parsed = schema.safeParse(parseJson(body));
  if (parsed.success) return parsed.data;
  throw notTheContracts(call);
}

/** Returns the parsed JSON, otherwise the text. The key is removed, because the service or a proxy may repeat it. */
function readErrorBody(body: string, apiKey: string): unknown {
  try {
    return redact<unknown>(JSON.parse(body), apiKey);
  } catch {
    return redact(body, apiKey);
  }
}

/** Any server may answer with 200 and a page for people; such an answer does not confirm the deletion. */
function readNothing(body: string, call: HttpRequest): undefined {
  if (body.trim() !== '' && parseJson(body) === undefined) throw notTheContracts(call);
}

const notTheContracts = (call: HttpRequest): PlatformSDKError =>
  new PlatformSDKError(
    `${call.method} ${call.path}: the answer does not match the contract. Check that PLATFORM_RCS_URL (rcsUrl) names the control service.`,
  );

/** @throws PlatformSDKError for a text that is too large for an answer of the service */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    byteCount += part.value.length;
    if (byteCount > ANSWER_MAX_BYTES) {
      void reader?.cancel().catch(() => {});
      throw new PlatformSDKError(
        `The answer is larger than ${ANSWER_MAX_BYTES / 1024 ** 2} MiB, which no answer of the control service is. Check that PLATFORM_RCS_URL (rcsUrl) names it.`,
      );
    }
  }
  return text + decoder.decode();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null;
}
