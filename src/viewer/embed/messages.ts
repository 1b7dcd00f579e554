import { z } from 'zod';
import { shownId } from '../../common/shown-text.ts';
import { HEAD_CAMERA_ID } from '../../protocol/wire/captures.ts';
import { positionInputSchema } from '../../protocol/wire/geometry.ts';
import { CAPTURE_MAX_HEIGHT_PX, CAPTURE_MAX_WIDTH_PX, CAPTURE_MIN_PX, MAX_SEED } from '../../protocol/wire/limits.ts';
import { METHOD_NAMES, type MethodName } from '../../protocol/wire/methods.ts';
import { openObject } from '../../protocol/wire/open-object.ts';
import { ROBOT_IDS } from '../../protocol/wire/robot.ts';
import { SCENE_IDS } from '../../protocol/wire/scene-ids.ts';
import type { FrameError } from './wire.ts';

/** The messages a host may send, checked before they take effect (docs/reference/embed.md). */

const idSchema = z.string().min(1).max(64);
const message = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ simplesim: z.literal(1), type: z.literal(type), id: idSchema, ...shape });

const NOT_JSON = 'it is not JSON: a circle, a big integer, NaN or infinity, a Map, bytes or a file cannot be sent';

/**
 * Far more values than any call contains. A list of a billion empty items, or one part repeated a billion times, costs its sender
 * nothing.
 */
const VALUES_MAX = 10_000;
const TOO_MUCH = `it holds more than ${VALUES_MAX} values`;

/**
 * Returns why a value would lose data as JSON or take too long; null when it is valid. Windows can exchange more types than JSON
 * can represent.
 */
function troubleOf(value: unknown): string | null {
  let values = 0;
  let trouble = NOT_JSON;
  try {
    JSON.stringify(value, (_name, part: unknown) => {
      values += Array.isArray(part) ? part.length : 1;
      if (values > VALUES_MAX) trouble = TOO_MUCH;
      if (values > VALUES_MAX || !isJsonPart(part)) throw new TypeError(trouble);
      return part;
    });
    return null;
  } catch (error) {
    // The value is nested too deep to be serialized.
    return error instanceof RangeError ? TOO_MUCH : trouble;
  }
}

function isJsonPart(part: unknown): boolean {
  if (typeof part === 'number') return Number.isFinite(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return typeof part !== 'bigint';
  const prototype: unknown = Object.getPrototypeOf(part);
  return prototype === null || prototype === Object.prototype;
}

function refuseTrouble(payload: unknown, context: z.RefinementCtx): void {
  const message = troubleOf(payload);
  if (message !== null) context.addIssue({ code: 'custom', message, continue: false });
}

export const hostMessageSchema = z.discriminatedUnion('type', [
  message('hello', {}),
  message('key', { key: z.string().min(1).max(8_192) }),
  message('call', {
    method: z.enum(METHOD_NAMES as [MethodName, ...MethodName[]]),
    // The payload is not checked further, because the robot itself reports errors in it.
    payload: z.unknown().superRefine(refuseTrouble).pipe(openObject()).default({}),
  }),
  message('stop', {}),
  message('capture', {
    // The scene defines which cameras exist.
    camera: z.string().min(1).max(64).default(HEAD_CAMERA_ID),
    width: z.int().min(CAPTURE_MIN_PX).max(CAPTURE_MAX_WIDTH_PX).default(640),
    height: z.int().min(CAPTURE_MIN_PX).max(CAPTURE_MAX_HEIGHT_PX).default(360),
  }),
  message('open', {
    scene: z.enum(SCENE_IDS).optional(),
    robot: z.enum(ROBOT_IDS).optional(),
    seed: z.int().min(0).max(MAX_SEED).optional(),
    task: z.string().min(1).max(64).nullable().optional(),
  }),
  message('get_view', {}),
  message('set_view', {
    view: z.enum(['orbit', 'top', 'head']).optional(),
    following: z.boolean().optional(),
    eye: positionInputSchema.optional(),
    target: positionInputSchema.optional(),
  }).refine(({ eye, target }) => (eye === undefined) === (target === undefined), {
    message: 'eye and target belong together',
  }),
]);
/** A message of a host, parsed. */
export type HostMessage = z.output<typeof hostMessageSchema>;

/** Returns a sentence on the error in a message and the valid form. */
function textOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.');
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `${field} must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return `type must be one of ${hostMessageSchema.options.map(({ shape }) => shape.type.value).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return `${field} ${boundText(issue)}`;
    case 'unrecognized_keys':
      return `${issue.keys.map(shownId).join(', ')} is not known here`;
    default:
      return field === '' ? issue.message : `${field}: ${issue.message}`;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  tuple: 'a list of 3 numbers',
};

function boundText(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const isText = issue.origin === 'string';
  if (issue.origin === 'array') return 'must be a list of 3 numbers';
  if (issue.code === 'too_small') return isText ? 'must not be empty' : `must be at least ${issue.minimum}`;
  return isText ? `must have at most ${issue.maximum} characters` : `must be at most ${issue.maximum}`;
}

/** Most characters about the errors of a message, because they may name everything in the message. */
const TEXT_MAX = 300;
const markedSchema = z.looseObject({ simplesim: z.number(), id: idSchema.optional() });

/** A parsed message: valid, or invalid with an id to reply to, or not meant for this page. */
export type ReadMessage =
  | { kind: 'good'; message: HostMessage }
  | { kind: 'wrong'; id: string; error: FrameError }
  | { kind: 'foreign' };

/** Reads any posted data. Never throws. */
export function readHostMessage(data: unknown): ReadMessage {
  const good = hostMessageSchema.safeParse(data);
  if (good.success) return { kind: 'good', message: good.data };
  const marked = markedSchema.safeParse(data);
  if (!marked.success || marked.data.id === undefined) return { kind: 'foreign' };
  const { id, simplesim } = marked.data;
  if (simplesim !== 1) {
    const text = `This frame speaks version 1 of the messages, not ${simplesim}. Use the simple-sim.js that it serves.`;
    return { kind: 'wrong', id, error: { code: 'UNKNOWN_VERSION', message: text } };
  }
  const [issue] = good.error.issues;
  const text = `This message cannot be read: ${(issue ? textOf(issue) : 'it has another shape').slice(0, TEXT_MAX)}. The manual lists every message (reference/embed).`;
  return { kind: 'wrong', id, error: { code: 'INVALID_MESSAGE', message: text } };
}

/**
 * Returns the id of a message that may be rejected unread when there are too many. Null for a stop and for messages not meant for
 * this page.
 */
export function idUnread(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { simplesim, type, id } = data as Record<string, unknown>;
  return simplesim === 1 && type !== 'stop' && idSchema.safeParse(id).success ? (id as string) : null;
}
