/**
 * The requests to the robot control service, on both faces. The service validates with these schemas and derives its OpenAPI
 * descriptions from them.
 */
import { z } from 'zod';
import { IDENTITY_MAX_LENGTH, ROBOT_LANGUAGES, ROBOT_TEXT_MAX_LENGTH, ROBOT_VOICES } from '../client-models/http.ts';
import { controlKeySchema, GRANT_DEFAULT_TTL_S, HOLDER_MAX_LENGTH, SERVICE_HOLDER } from '../signed/signed-claims.ts';
import { DRIVER_KINDS, DRIVER_NAME_MAX_CHARS } from '../wire/driver.ts';
import { EMERGENCY_REASON_MAX_CHARS, keptReason } from '../wire/emergency-stop.ts';
import { ACTION_ID_MAX_LENGTH, DEADLINE_MAX_S, ROOM_KEY_DEFAULT_TTL_S, ROOM_KEY_MAX_TTL_S, WORKERS_MAX } from '../wire/limits.ts';
import { openObject } from '../wire/open-object.ts';
import { ACCESSES } from './access.ts';
import { API_KEY_MAX_TTL_S, API_KEY_NAME_MAX_LENGTH } from './api-keys.ts';
import { LIST_MAX_LIMIT } from './control-service.ts';

export const LIST_DEFAULT_LIMIT = 20;
export const DESCRIPTION_MAX_LENGTH = 2_000;
export const SCENE_ID_MAX_LENGTH = 128;
/** Defaults of a robot for fields that its creator leaves out. */
export const ROBOT_DEFAULTS = { description: '', language: 'en', voice: 'kokoro' } as const satisfies {
  description: string;
  language: (typeof ROBOT_LANGUAGES)[number];
  voice: (typeof ROBOT_VOICES)[number];
};
export const SEMANTIC_COMMANDS = ['forward', 'backward', 'left', 'right', 'turn-left', 'turn-right'] as const;

/** Returns whether every character can be stored: PostgreSQL rejects NUL, and UTF-8 cannot carry half a character. */
export const isFitText = (value: string): boolean => !value.includes('\0') && !/\p{Cs}/u.test(value);

// Messages are the second half of a sentence that begins with the field's name.
/** Text as it is sent, untrimmed. Characters are those of Unicode, as in JSON Schema, not UTF-16 units as JavaScript counts. */
const text = (min: number, max: number, description: string) => {
  const error = min > 0 ? `must be text of ${min} to ${max} characters` : `must be text of at most ${max} characters`;
  return z
    .string({ error })
    .refine((value) => hasLength(value, min, max), { error })
    .refine(isFitText, { error: 'must not hold NUL or half a character' })
    .meta({ minLength: min, maxLength: max, pattern: '^[^\\u0000]*$', description });
};
/** A text beyond the longest possible length is rejected without counting its characters. */
const hasLength = (value: string, min: number, max: number): boolean =>
  value.length >= min && value.length <= 2 * max && [...value].length <= max;
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.map((value) => `"${value}"`).join(', ')}` });

const robotName = text(1, ROBOT_TEXT_MAX_LENGTH, 'Name of the robot');
const robotModel = text(1, ROBOT_TEXT_MAX_LENGTH, 'Model of the robot');
const details = {
  description: text(0, DESCRIPTION_MAX_LENGTH, 'What the robot is for; null for nothing, the empty text').nullish(),
  language: oneOf(ROBOT_LANGUAGES)
    .nullish()
    .describe(`Language that the robot speaks; null for the default, ${ROBOT_DEFAULTS.language}`),
  voice: oneOf(ROBOT_VOICES).nullish().describe(`Voice with which it speaks; null for the default, ${ROBOT_DEFAULTS.voice}`),
};
const virtualType = z
  .literal('virtual', { error: 'must be "virtual"; a physical robot is claimed with its PIN, not created' })
  .describe('A physical robot is claimed with its PIN, not created');

/** An id that the service makes. */
const ID_OR_EMPTY = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/;
const limitError = `must be a whole number from 1 to ${LIST_MAX_LIMIT}`;
const listQueryOf = (what: string) =>
  z.object({
    limit: z.coerce
      .number({ error: limitError })
      .int({ error: limitError })
      .min(1, { error: limitError })
      .max(LIST_MAX_LIMIT, { error: limitError })
      .default(LIST_DEFAULT_LIMIT)
      .describe(`${what} on a page`),
    // Some clients send a parameter without a value as an empty text.
    after_id: z
      .string()
      .regex(ID_OR_EMPTY, { error: 'must be the `next_id` of the page before, or empty for the first page' })
      .describe('`next_id` of the page before; empty or absent: the first page')
      .optional(),
  });
export const listQuerySchema = listQueryOf('Robots');
export const apiKeysQuerySchema = listQueryOf('Keys');
export const linksQuerySchema = listQueryOf('Links');
export const sessionsQuerySchema = listQueryOf('Sessions');
/** One page of a list. */
export type ListQuery = z.output<typeof listQuerySchema>;

export const createRobotSchema = z.object({ name: robotName, model: robotModel, type: virtualType, ...details });
/** On the library face the type may be absent. */
export const libraryCreateRobotSchema = createRobotSchema.extend({ type: virtualType.default('virtual') });
export type CreateRobotRequest = z.infer<typeof createRobotSchema>;

export const updateRobotSchema = z.object({ name: robotName, ...details });
const updatable = {
  ...details,
  name: robotName.nullish().describe('Name of the robot; null leaves it as it is'),
};
/** On the library face any of the fields, or all of them, may be left out. */
export const libraryUpdateRobotSchema = z
  .looseObject(updatable)
  // A misspelt field must not count as a change.
  .refine((body) => Object.keys(body).length === 0 || Object.keys(updatable).some((field) => Object.hasOwn(body, field)), {
    error: 'The body holds nothing to change: send name, description, language or voice.',
  })
  .meta({ anyOf: [...Object.keys(updatable).map((field) => ({ required: [field] })), { maxProperties: 0 }] });
/** The fields of a robot that can be changed. */
export type UpdateRobotRequest = { [K in keyof typeof updatable]?: z.infer<(typeof updatable)[K]> };

export const claimSchema = z.object({ pin_code: text(1, 64, 'The PIN that was shown once, when the robot was made') });

const workerNamesError = `must be a list of at most ${WORKERS_MAX} worker names`;
export const createSessionSchema = z.object({
  worker_names: z
    .array(text(1, 128, 'Name of an agent'), { error: workerNamesError })
    .max(WORKERS_MAX, { error: workerNamesError })
    .nullish()
    .describe('Agents to dispatch; an empty list dispatches none; absent or null: the default of the platform'),
  scene_id: text(
    0,
    SCENE_ID_MAX_LENGTH,
    'Scene that the room is for; agents get it, and the metadata of the room has it; empty for none',
  ).nullish(),
  // Fields that older programs also send.
  workers: z.looseObject({}, { error: 'must be an object' }).nullish().describe('Of older programs; has no effect'),
  rsl_session_grant: z.string({ error: 'must be text' }).nullish().describe('Of an older way of signing; has no effect'),
  rsl_session_pub: z.string({ error: 'must be text' }).nullish().describe('Of an older way of signing; has no effect'),
});
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;

const ttlError = `must be a whole number of seconds, at least 1 (more than ${ROOM_KEY_MAX_TTL_S} is cut to ${ROOM_KEY_MAX_TTL_S})`;
/** A lifetime in seconds, cut to the longest allowed. */
const ttl = (of: string, defaultS: number) =>
  z
    .number({ error: ttlError })
    // Also accepts numbers beyond the range that JavaScript counts exactly: they are cut all the same.
    .refine((seconds) => Number.isInteger(seconds) && seconds >= 1, { error: ttlError })
    .meta({ type: ['integer', 'null'], minimum: 1 })
    .transform((seconds) => Math.min(seconds, ROOM_KEY_MAX_TTL_S))
    .nullish()
    .transform((seconds) => seconds ?? defaultS)
    .describe(`Life of the ${of} in seconds; absent: ${defaultS}; more than ${ROOM_KEY_MAX_TTL_S} is cut to that`);
export const participantTokenSchema = z.object({
  participant_identity: text(
    1,
    IDENTITY_MAX_LENGTH,
    'Identity in the room; `simplesim:<robot_id>` is the viewer tab of the robot',
  ),
  participant_name: text(
    0,
    IDENTITY_MAX_LENGTH,
    'Name that others in the room see; absent or empty: the identity, or for a runtime the name of the robot',
  ).nullish(),
  ttl_seconds: ttl('credential', ROOM_KEY_DEFAULT_TTL_S),
  access: z
    .enum(ACCESSES, { error: 'must be "drive" or "watch"' })
    .nullish()
    .describe(
      'What its holder may do: `watch` only sees, `drive` calls as well and marks the page of an operator; absent: calls. A runtime has none',
    ),
});

const keyError = 'must be an Ed25519 public key as a JWK: {"kty": "OKP", "crv": "Ed25519", "x": 32 bytes in base64url}';
export const controlGrantSchema = z.object({
  public_key: z
    .looseObject(controlKeySchema.shape, { error: keyError })
    .refine((key) => !Object.hasOwn(key, 'd'), {
      error: 'must be the public half alone; this one holds the private key (d): make a new pair and keep that to yourself',
    })
    .meta({ not: { required: ['d'] } })
    .transform(({ kty, crv, x }) => ({ kty, crv, x }))
    .describe('Key with whose private half the holder signs: an Ed25519 public key as a JWK'),
  holder: text(1, HOLDER_MAX_LENGTH, 'Who signs, as the robot and its page name them; absent: `client`')
    .refine((holder) => holder !== SERVICE_HOLDER, { error: `must not be "${SERVICE_HOLDER}", which is the service itself` })
    .meta({ not: { const: SERVICE_HOLDER } })
    .nullish()
    .transform((holder) => holder ?? 'client'),
  ttl_seconds: ttl('grant', GRANT_DEFAULT_TTL_S),
});

export const semanticCommandSchema = z.object({
  command: oneOf(SEMANTIC_COMMANDS).describe('A direction to move in (left and right: sideways), or to turn in, a little'),
});
/** A direction in which to move a little (left and right: sideways) or to turn. */
export type SemanticCommand = (typeof SEMANTIC_COMMANDS)[number];

const deadlineError = `must be a number of seconds above 0, at most ${DEADLINE_MAX_S}`;
export const sessionCommandSchema = z.object({
  skill: text(1, 64, 'Name of a skill that the runtime in the room has'),
  parameters: openObject().nullish().describe('Parameters of the skill, as its `input_schema` describes'),
  action_id: text(
    1,
    ACTION_ID_MAX_LENGTH,
    'Chosen by the caller; repeating a command with the same id never runs it twice',
  ).nullish(),
  deadline_s: z
    .number({ error: deadlineError })
    .positive({ error: deadlineError })
    .max(DEADLINE_MAX_S, { error: deadlineError })
    .nullish()
    .describe('The runtime stops the action after so many seconds'),
});
export type SessionCommandRequest = z.infer<typeof sessionCommandSchema>;

const keyTtlError = `must be a whole number of seconds from 1 to ${API_KEY_MAX_TTL_S}`;
export const createApiKeySchema = z.object({
  name: text(1, API_KEY_NAME_MAX_LENGTH, 'Name by which its owner knows it, such as the program that uses it'),
  ttl_seconds: z
    .int({ error: keyTtlError })
    .min(1, { error: keyTtlError })
    .max(API_KEY_MAX_TTL_S, { error: keyTtlError })
    .nullish()
    .describe('Life of the key in seconds; absent: as long as the key that makes it, at most that long in any case'),
});
export type CreateApiKeyRequest = z.infer<typeof createApiKeySchema>;

export const controlOrderSchema = z.object({
  to: text(1, IDENTITY_MAX_LENGTH, 'Identity of the participant in the room who drives from now on; null: no one').nullable(),
  name: text(1, DRIVER_NAME_MAX_CHARS, 'Name of the new driver to show to others; absent: its identity').nullish(),
  kind: z.enum(DRIVER_KINDS).nullish().describe('What the new driver is; absent: `program`'),
});
export type ControlOrderRequest = z.infer<typeof controlOrderSchema>;

/** A faulty reason must not prevent a stop. */
export const emergencyStopSchema = z.object({
  reason: z
    .unknown()
    .optional()
    .transform((reason) => keptReason(reason)?.replaceAll('\0', '') ?? null)
    .describe(
      `Why, as text, for those who find the robot stopped; anything else counts as no reason; cut after ${EMERGENCY_REASON_MAX_CHARS} characters`,
    ),
});
