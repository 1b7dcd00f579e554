import type { z } from 'zod';
import type { JsonSchema } from '../common/json-schema.ts';
import { shownId } from '../common/shown-text.ts';
import * as errors from '../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import { findingsIn } from '../protocol/wire/schema-findings.ts';

export type Validated<T> = { ok: true; value: T } | { ok: false; error: RuntimeError };

const MOST_SENTENCES = 3;

/**
 * Checks a value against a schema of the wire.
 * @param prefix the value's name in sentences: "input" for a skill's input, "" for a whole payload.
 * @param told the function that returns the schema as published to callers, if it contains more than the schema itself; called
 * only for an invalid value
 * @returns the value with defaults filled in, or INVALID_INPUT with a sentence that names path and allowed range
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  prefix = '',
  ownSchema?: () => JsonSchema | null,
): Validated<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const { found, moreCount } = findingsIn(schema, parsed.error.issues, value, prefix, ownSchema?.());
  const rest = found.length - MOST_SENTENCES + moreCount;
  const message = found
    .slice(0, MOST_SENTENCES)
    .map(({ subject, reason }) => `${subject === '' ? 'The payload' : `"${shownId(subject)}"`} ${reason}`)
    .concat(rest > 0 ? [`${rest} more problems.`] : [])
    .join(' ');
  const [first] = found;
  return {
    ok: false,
    error: errors.invalidInput(message || 'The payload is not what the schema asks for.', {
      ...(first ? { path: first.path } : {}),
      ...(first?.allowed === undefined ? {} : { allowed: first.allowed }),
    }),
  };
}
