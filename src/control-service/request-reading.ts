import type { z } from 'zod';
import { IS_JSON_TEXT, isJsonText } from '../common/json-text.ts';
import { isRecord } from '../common/schema-texts.ts';
import { findJsonProblem } from './json-problem.ts';
import { endsWithin } from './promptly.ts';
import { ServiceError } from './service-error.ts';

/** More than any request needs. */
export const BODY_MAX_BYTES = 65_536;

/** JSON, or a kind of it. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/i;

/**
 * Reads a JSON body; an absent or empty one counts as `{}`, whatever its type.
 * @throws 400 with the problem and its place, 413 if it is too large, 415 if it is compressed or declares a type other than JSON
 * in UTF-8.
 */
export async function readJsonBody(request: globalThis.Request): Promise<unknown> {
  return readJson(request, await readWhole(request));
}

/** Reads the whole body of a request, unchanged. @throws 400 if it is cut off, 413 if it is too large */
export async function readWhole(request: globalThis.Request): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > BODY_MAX_BYTES) throw ServiceError.tooLarge(BODY_MAX_BYTES);
  const bytes = await readBytes(request);
  // A stream that is cut off may end as if it were complete, and half a body, or an empty one, may be valid JSON too.
  const isWhole = declared === null ? !request.signal.aborted : bytes.byteLength === Number(declared);
  if (!isWhole) throw ServiceError.incomplete();
  return bytes;
}

/** How long a safety action waits for its body, in milliseconds. */
const PROMPT_BODY_MS = 500;

/**
 * Returns the body of a safety action; `{}` if it cannot be read or does not come in time. An error in the body must not prevent
 * a stop.
 */
export async function readPromptly(request: globalThis.Request, reading: Promise<Uint8Array>): Promise<object> {
  if (!(await endsWithin(PROMPT_BODY_MS, reading))) return {};
  try {
    const json = readJson(request, await reading);
    return isRecord(json) ? json : {};
  } catch {
    return {};
  }
}

/** Reads the bytes of a whole body, as {@link readJsonBody} does. */
export function readJson(request: globalThis.Request, bytes: Uint8Array): unknown {
  if (bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)) return {};
  if (isCompressed(request.headers.get('content-encoding') ?? '')) throw ServiceError.compressed();
  if (!isJsonType(request.headers.get('content-type') ?? '')) throw ServiceError.notJson();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw ServiceError.invalid('The request body is not text in UTF-8.');
  }
  const found = findJsonProblem(text);
  if (found) {
    const { line, column, problem } = found;
    throw ServiceError.invalid(`The request body is not JSON: at line ${line}, column ${column}, ${problem}.`);
  }
  return JSON.parse(text);
}

/** Reads the query of a request by its schema. @throws 400 for a wrong parameter, and for a parameter that occurs twice. */
export function readQuery<T extends z.ZodObject>(schema: T, query: Record<string, string[]>): z.output<T> {
  const known = Object.keys(schema.shape).filter((name) => Object.hasOwn(query, name));
  const twice = known.find((name) => (query[name]?.length ?? 0) > 1);
  if (twice !== undefined) throw ServiceError.invalid(`${twice} is there more than once. Send it once.`, [twice]);
  return readAs(schema, Object.fromEntries(known.map((name) => [name, query[name]?.[0]])));
}

/** Reads a value by its schema. @throws 400 with one sentence for each wrong field. */
export function readAs<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
  const sentences = [...new Set(result.error.issues.map((issue) => sentenceOf(issue, value)))];
  throw ServiceError.invalid(
    sentences.join(' '),
    fields.filter((field) => field !== ''),
  );
}

/** Messages of the contract continue the sentence; zod's own follow a colon. */
function sentenceOf({ code, path, message }: z.core.$ZodIssue, body: unknown): string {
  const field = path.join('.');
  if (code === 'invalid_type' && isJsonText(valueAt(body, path)))
    return `${field === '' ? 'The request body' : field} ${IS_JSON_TEXT}`;
  if (field === '') return message.startsWith('The ') ? message : 'The request body must be a JSON object.';
  const sentence = message.startsWith('must ') ? `${field} ${message}` : `${field} is not valid: ${message}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[String(key)] : undefined), value);

function isJsonType(header: string): boolean {
  const type = (header.split(';')[0] ?? '').trim().toLowerCase();
  const charset = CHARSET.exec(header)?.[1]?.toLowerCase() ?? 'utf-8';
  return JSON_TYPE.test(type) && (charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii');
}

const isCompressed = (header: string): boolean =>
  header.split(',').some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));

async function readBytes(request: globalThis.Request): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > BODY_MAX_BYTES) throw ServiceError.tooLarge(BODY_MAX_BYTES);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // The connection ended, or the server ended it because the body took too long.
    throw ServiceError.incomplete();
  }
  return Buffer.concat(chunks);
}
