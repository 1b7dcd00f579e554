import { apiErrorFrom } from './api-error.ts';
import { PlatformConnectionError, PlatformSDKError, TimeoutError } from './errors.ts';
import { REDACTED } from './redact.ts';
import type { Settings } from './settings.ts';
import { sleep } from './wait.ts';

export interface RequestOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest wait for one answer, instead of the client's. */
  timeoutMs?: number | undefined;
}

interface HttpRequest extends RequestOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under the root, e.g. `/v1/robots`. */
  path: string;
  body?: unknown;
}

/** How a schema of `src/protocol` reads an answer. */
interface AnswerSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

const BACKOFF_FIRST_MS = 500;
const BACKOFF_CAP_MS = 30_000;

/**
 * How long to wait before the n-th retry: exponential with jitter, from half a second, capped at 30 s.
 * @param attempt 0 for the first retry
 * @param chance in [0, 1): which part of the upper half is added to the lower half
 * @param retryAfterS what the service asked for, if it did; not less than that is waited
 * @returns null when the service asked for longer than the cap: then there is no retry
 */
export function backoffMs(attempt: number, chance: number, retryAfterS: number | null = null): number | null {
  const askedMs = (retryAfterS ?? 0) * 1_000;
  if (askedMs > BACKOFF_CAP_MS) return null;
  const fullMs = Math.min(BACKOFF_CAP_MS, BACKOFF_FIRST_MS * 2 ** attempt);
  return Math.max(askedMs, fullMs * (0.5 + 0.5 * chance));
}

/**
 * One exchange with the control service. Only GET is tried again, after a transport failure or a 429; nothing that could happen
 * twice is.
 * @param answer how the body is read; null for an answer without one
 * @throws PlatformAPIError for a status of 400 or above; TimeoutError; PlatformConnectionError; the signal's reason
 */
export async function request<T>(settings: Settings, call: HttpRequest, answer: AnswerSchema<T>): Promise<T>;
export async function request(settings: Settings, call: HttpRequest, answer: null): Promise<void>;
export async function request<T>(settings: Settings, call: HttpRequest, answer: AnswerSchema<T> | null): Promise<T | undefined> {
  const retries = call.method === 'GET' ? settings.maxRetries : 0;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await exchange(settings, call);
    if ('answer' in outcome) return answer ? readAnswer(outcome.answer, answer, call) : undefined;
    const waitMs = outcome.retryable && attempt < retries ? backoffMs(attempt, Math.random(), outcome.retryAfterS) : null;
    if (waitMs === null) throw outcome.error;
    settings.logger.debug(`${call.method} ${call.path}: tried again in ${Math.round(waitMs)} ms`);
    await sleep(waitMs, call.signal);
  }
}

type Outcome = { answer: unknown } | { error: Error; retryable: boolean; retryAfterS: number | null };

async function exchange(settings: Settings, call: HttpRequest): Promise<Outcome> {
  call.signal?.throwIfAborted();
  const timeoutMs = call.timeoutMs ?? settings.timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  const headers: Record<string, string> = { authorization: `Bearer ${settings.apiKey}`, accept: 'application/json' };
  const init: RequestInit = { method: call.method, headers, signal, redirect: 'error' };
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
    body = await response.text();
  } catch (cause) {
    call.signal?.throwIfAborted();
    const error = timeout.aborted
      ? new TimeoutError(`${call.method} ${call.path} had no answer within ${timeoutMs / 1_000} s.`)
      : new PlatformConnectionError(`${call.method} ${call.path}: the platform at ${settings.rcsUrl} cannot be reached.`, {
          cause,
        });
    settings.logger.debug(`${call.method} ${call.path}: ${error.name}`);
    return { error, retryable: true, retryAfterS: null };
  }
  settings.logger.debug(`${call.method} ${call.path}: ${response.status} after ${Math.round(performance.now() - startedMs)} ms`);
  if (response.status < 400) return { answer: body === '' ? undefined : parseJson(body) };
  const retryAfterS = readRetryAfter(response.headers.get('retry-after'));
  // What lies between here and the service may repeat what it was sent.
  const clean = body.replaceAll(settings.apiKey, REDACTED);
  const told = { requestId: response.headers.get('x-request-id'), retryAfterS };
  const error = apiErrorFrom(response.status, parseJson(clean) ?? clean, told);
  return { error, retryable: response.status === 429, retryAfterS };
}

function readAnswer<T>(answer: unknown, schema: AnswerSchema<T>, call: HttpRequest): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PlatformSDKError(
    `${call.method} ${call.path}: the answer is not what the contract says. Check that PLATFORM_RCS_URL names the control service.`,
  );
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
