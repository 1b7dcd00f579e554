import { isRecord } from '../../common/schema-texts.ts';
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
 * Builds one error type from every known shape of body: the service's `{code, message, details}`, the edge's `{error: …}`, a
 * validator's `{detail: …}`, plain text, or an empty body. A body without a code gets `http.<status>`. A 401 is always `http.401:
 * unauthorized`; the details hold the service's other fields.
 * @param told headers of the answer: `x-request-id` and `retry-after` (in seconds), null if absent
 */
export function apiErrorFrom(
  statusCode: number,
  body: unknown,
  fromHeaders: { requestId: string | null; retryAfterS: number | null },
): PlatformAPIError {
  const fields = isRecord(body) ? body : {};
  const details = isRecord(fields.details) ? fields.details : {};
  const requestId = text(details.request_id) ?? text(fields.request_id) ?? fromHeaders.requestId;
  const { retryAfterS } = fromHeaders;
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

/** Reads `detail`: text, or a list of `{loc, msg}` as validators of web frameworks write it. */
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
