import type { z } from 'zod';
import { parsePayload } from '../protocol/json.ts';
import { ServiceError } from './service-error.ts';

/** More than any request needs. */
export const BODY_MAX_BYTES = 65_536;

/**
 * Reads a JSON body; an empty one counts as `{}`.
 * @throws 400 with what is wrong with it, 413 when it is too large, 415 when it says to be something else than JSON.
 */
export async function readJsonBody(request: globalThis.Request): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > BODY_MAX_BYTES) throw tooLarge();
  const text = await readText(request);
  if (text.trim() === '') return {};
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw new ServiceError(
      415,
      'request.not_json',
      'The body must be JSON. Send it with the header "Content-Type: application/json".',
    );
  }
  const parsed = parsePayload(text);
  if (!parsed.ok) throw ServiceError.invalid(parsed.reason.replace('payload', 'request body'));
  return parsed.value;
}

/** Reads a value as its schema says. @throws 400 with one sentence per field that is wrong. */
export function readAs<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map((issue) => issue.path.join('.')))];
  const sentences = [...new Set(result.error.issues.map((issue) => sentenceOf(issue.path.join('.'), issue.message)))];
  throw ServiceError.invalid(
    sentences.join(' '),
    fields.filter((field) => field !== ''),
  );
}

/** Messages of the contract are the second half of a sentence; those of zod itself stand after a colon. */
function sentenceOf(field: string, message: string): string {
  if (field === '') return message.startsWith('The ') ? message : 'The request body must be a JSON object.';
  const sentence = message.startsWith('must ') ? `${field} ${message}` : `${field} is not valid: ${message}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

async function readText(request: globalThis.Request): Promise<string> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body) {
    length += chunk.byteLength;
    if (length > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (): ServiceError =>
  new ServiceError(413, 'request.too_large', `The body is larger than ${BODY_MAX_BYTES} bytes. Send less.`);
