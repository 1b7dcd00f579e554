import { isRecord } from '../../protocol/schema-words.ts';
import { PlatformAPIError } from '../errors.ts';

const DEFAULT_TEXT: Record<number, string> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  409: 'conflict',
  413: 'payload too large',
  422: 'unprocessable request',
  429: 'too many requests',
  500: 'internal server error',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
};

/** Longest piece of a foreign body that a message repeats. */
const TEXT_MAX_LENGTH = 300;

/**
 * Makes one error of every shape of body there is: the service's `{code, message, details}`, the edge's `{error: …}`, a validation's
 * `{detail: …}`, plain text, or nothing. Without a code of its own a body reads as `http.<status>`. A 401 is
 * `http.401: unauthorized` always; what else the service says of it is in the details.
 * @param told by the headers of the answer: `x-request-id` and `retry-after` (in seconds), null when absent
 */
export function apiErrorFrom(
  statusCode: number,
  body: unknown,
  told: { requestId: string | null; retryAfterS: number | null },
): PlatformAPIError {
  const fields = isRecord(body) ? body : {};
  const details = isRecord(fields.details) ? fields.details : {};
  const requestId = text(details.request_id) ?? text(fields.request_id) ?? told.requestId;
  const { retryAfterS } = told;
  const nested = isRecord(fields.error) ? fields.error : {};
  const code = text(fields.code) ?? text(nested.code);
  if (statusCode === 401) {
    return new PlatformAPIError({ statusCode, code: 'http.401', message: 'unauthorized', requestId, retryAfterS, details });
  }
  const message =
    text(fields.message) ??
    text(nested.message) ??
    text(fields.error_description) ??
    text(fields.error) ??
    readDetail(fields.detail) ??
    text(body) ??
    DEFAULT_TEXT[statusCode] ??
    'the platform answered with an error and no text';
  const known = { statusCode, code: code ?? `http.${statusCode}`, message: shorten(message) };
  return new PlatformAPIError({ ...known, requestId, retryAfterS, details });
}

/** `detail` is text, or a list of `{loc, msg}` as validators of web frameworks write it. */
function readDetail(detail: unknown): string | null {
  if (!Array.isArray(detail)) return text(detail) ?? (isRecord(detail) ? (text(detail.message) ?? text(detail.msg)) : null);
  const problems = detail.filter(isRecord).map((problem) => {
    const path = Array.isArray(problem.loc) ? problem.loc.join('.') : '';
    const message = text(problem.msg) ?? text(problem.message) ?? 'is not valid';
    return path === '' ? message : `${path}: ${message}`;
  });
  return problems.length > 0 ? problems.join('; ') : null;
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
const shorten = (message: string): string =>
  message.length > TEXT_MAX_LENGTH ? `${message.slice(0, TEXT_MAX_LENGTH)}…` : message;
