import type { Path } from '../../../common/schema-texts.ts';
import { type ActionResult, actionResultSchema, guardSchema } from '../../../protocol/wire/action.ts';
import type { RuntimeError } from '../../../protocol/wire/error-codes.ts';
import { type Outcome, outcomeOfError } from '../common/outcomes.ts';
import { type Problem, pathOf } from './json-schema.ts';
import type { Run } from './run.ts';

/** The outcome of a call. */
export type RunOutcome =
  | { kind: 'running' }
  /** The call became an action, which has ended. */
  | { kind: 'action'; result: ActionResult }
  /** The call was rejected before it became an action. */
  | { kind: 'refused'; error: RuntimeError }
  /** The value that was read. */
  | { kind: 'value'; value: unknown }
  | { kind: 'picture' }
  /** There was no reply. */
  | { kind: 'lost'; message: string }
  /** The reply was too large to be kept over a reload. */
  | { kind: 'forgotten' };

/** Reads a reply by the protocol's schemas. */
export function outcomeOf(run: Run): RunOutcome {
  if (run.problem !== null) return { kind: 'lost', message: run.problem };
  if (run.finishedAtMs === null) return { kind: 'running' };
  if (run.picture) return { kind: 'picture' };
  if (run.reply === null || run.reply === undefined) return { kind: 'forgotten' };
  const ended = actionResultSchema.safeParse(run.reply);
  if (ended.success) return { kind: 'action', result: ended.data };
  const refused = guardSchema.safeParse(run.reply);
  return refused.success ? { kind: 'refused', error: refused.data.error } : { kind: 'value', value: run.reply };
}

/** Returns the end of a call as one of the outcomes with icons, words and colours. */
export function shownOutcome(outcome: RunOutcome): Outcome {
  switch (outcome.kind) {
    case 'running':
      return 'running';
    case 'action':
      return outcome.result.error ? outcomeOfError(outcome.result.error) : 'done';
    case 'refused':
      return outcomeOfError(outcome.error);
    case 'lost':
      return 'failed';
    default:
      return 'done';
  }
}

/** The runtime's rejection of a field of the input or of the call's options. */
export type FieldRefusal = Problem & { part: 'input' | 'options' };

/**
 * Returns the field of a form to which the runtime's rejection belongs; null when it names none.
 * @param error of a call whose input the form made
 */
export function refusedField({ code, message, details }: RuntimeError): FieldRefusal | null {
  if (code === 'INVALID_INPUT' && typeof details.path === 'string') {
    const [part, ...path] = pathOf(details.path);
    if (part === 'input' || part === 'options') return { part, path, text: withoutPath(message, details.path), missing: false };
    return { part: 'input', path: pathOf(details.path), text: withoutPath(message, details.path), missing: false };
  }
  return null;
}

/** Removes the path from a sentence, because the field is beside it. */
const withoutPath = (message: string, path: string): string =>
  message.startsWith(`"${path}" must be`) ? message.replace(`"${path}" must be`, 'The robot requires') : message;

/** Returns the path of an unknown id in an input. */
export function pathOfId(value: unknown, id: string, path: Path = []): Path | null {
  if (value === id) return path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const at = pathOfId(inner, id, [...path, Array.isArray(value) ? Number(key) : key]);
    if (at) return at;
  }
  return null;
}
