/**
 * The HTTP contract of the robot control service: the requests and answers of both faces. The service validates with these
 * schemas and derives its OpenAPI descriptions from them; the client library reads answers with them. `client-models/` has the
 * fields that existing clients insist on; the answers of the library face are made of them.
 */
import { z } from 'zod';
import { ACCESSES } from './access.ts';
import { actionResultSchema, guardSchema } from './action.ts';
import { API_KEY_MAX_TTL_S, API_KEY_NAME_MAX_LENGTH, apiKeySchema, apiKeySecretSchema } from './api-keys.ts';
import {
  clientErrorSchema,
  clientParticipantTokenSchema,
  clientRobotSchema,
  clientRoomMetadataSchema,
  clientSessionSchema,
  IDENTITY_MAX_LENGTH,
  ROBOT_LANGUAGES,
  ROBOT_TEXT_MAX_LENGTH,
  ROBOT_VOICES,
  time,
} from './client-models/http.ts';
import { closedLinkSchema, ENDED_LINKS_NAMED_MAX } from './closed-links.ts';
import { DRIVER_KINDS, DRIVER_NAME_MAX_CHARS, driverFactsSchema } from './driver.ts';
import { EMERGENCY_REASON_MAX_CHARS, emergencyStopResultSchema, keptReason, pressInRoomSchema } from './emergency-stop.ts';
import { ACTION_ID_MAX_LENGTH, DEADLINE_MAX_S, ROOM_KEY_DEFAULT_TTL_S, ROOM_KEY_MAX_TTL_S, WORKERS_MAX } from './limits.ts';
import { openObject } from './open-object.ts';
import { ownerOrderSchema } from './owner-order.ts';
import { linkSchema } from './session-links.ts';
import { sessionStateSchema } from './session-state.ts';
import { controlKeySchema, controlKeysSchema, GRANT_DEFAULT_TTL_S, HOLDER_MAX_LENGTH, SERVICE_HOLDER } from './signed-claims.ts';

export const LIST_DEFAULT_LIMIT = 20;
export const LIST_MAX_LIMIT = 100;
export const DESCRIPTION_MAX_LENGTH = 2_000;
export const SCENE_ID_MAX_LENGTH = 128;
/** Defaults of a robot for fields that its creator leaves out. */
export const ROBOT_DEFAULTS = { description: '', language: 'en', voice: 'kokoro' } as const satisfies {
  description: string;
  language: (typeof ROBOT_LANGUAGES)[number];
  voice: (typeof ROBOT_VOICES)[number];
};
/** The creator of a physical robot, instead of an account. */
export const PLATFORM_CREATOR = 'platform';
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

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

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

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A robot as the public face shows it. */
export const robotSchema = z
  .object(clientRobotSchema.pick({ id: true, model: true, name: true, type: true }).shape)
  .meta({ id: 'Robot' });
/** A robot as the library face shows it. Times are ISO 8601. */
export const libraryRobotSchema = z.object(clientRobotSchema.shape).meta({ id: 'LibraryRobot' });
export type Robot = z.infer<typeof robotSchema>;
/** A robot as the service shows it to a library. Times are ISO 8601. */
export type LibraryRobot = z.infer<typeof libraryRobotSchema>;

export const roomMetadataSchema = z
  .object({
    ...clientRoomMetadataSchema.shape,
    control_keys: controlKeysSchema
      .optional()
      .describe(
        'Keys of the control service, with which grants of signed control are signed (a JWKS). Older services give none.',
      ),
    emergency_stop: pressInRoomSchema
      .optional()
      .describe('The emergency stop that the service has latched for this robot; absent while there is none.'),
    owner_order: ownerOrderSchema
      .optional()
      .describe('The last order of the owner about the driver, for the runtime; absent after some seconds.'),
    closed_links: z
      .array(closedLinkSchema)
      .optional()
      .describe(
        `Operators’ links of this session that were revoked before their end, all of them and the newest first; then those that have ended, as long as there are fewer than ${ENDED_LINKS_NAMED_MAX} in all. The runtime takes no command of them. Absent when there are none.`,
      ),
  })
  .meta({ id: 'RoomMetadata' });
/** The service's facts about a room: robot, status, expected participants, agents, keys. */
export type RoomMetadata = z.infer<typeof roomMetadataSchema>;

const viewerUrl = z
  .string()
  .nullish()
  .describe('Where the pages of robots are: links begin with it. Only where the service knows it');

/** The data that a client needs to join a robot's session. The token is a secret. */
export const librarySessionSchema = z
  .object({
    ...clientSessionSchema.shape,
    viewer_url: viewerUrl,
    room_metadata: roomMetadataSchema,
    is_new: z
      .boolean()
      .optional()
      .describe(
        'Whether this request opened the session; false when it joined the one that was open. Older services leave it out.',
      ),
  })
  .meta({ id: 'LibrarySession' });
/** The session of a robot: its room, and a token to join it with. */
export type LibrarySession = z.infer<typeof librarySessionSchema>;

export const participantTokenResultSchema = z
  .object({
    ...clientParticipantTokenSchema.shape,
    viewer_url: viewerUrl,
    link_id: z.string().optional().describe('Id of the link, with which it is revoked; only for a credential with an `access`'),
  })
  .meta({ id: 'ParticipantToken' });
/** A token to join the room of a session, and the identity that it is for. */
export type ParticipantToken = z.infer<typeof participantTokenResultSchema>;

export const controlGrantResultSchema = z
  .object({
    grant: z.string().describe('The grant: a JWT that goes into every envelope'),
    grant_id: z.string().describe('Its id, `jti` in the JWT'),
    robot_id: z.string().describe('The robot that may be commanded with it'),
    session: z.string().describe('The session that it is good for: the name of the room'),
    expires_at: time('When the grant ends'),
  })
  .meta({ id: 'ControlGrant' });
/** A grant of signed control: which robot, which session, until when. */
export type ControlGrant = z.infer<typeof controlGrantResultSchema>;

export const controlOrderResultSchema = z
  .object({
    robot_id: z.string().describe('The robot'),
    driver: driverFactsSchema.nullable().describe('Who drives now, as the runtime reports after it obeyed; null: no one'),
    previous: driverFactsSchema.nullable().describe('Who drove when it was ordered; null: no one'),
  })
  .meta({ id: 'ControlOrderResult' });
/** The answer to an order about the driver: the present driver and the previous one. */
export type ControlOrderResult = z.infer<typeof controlOrderResultSchema>;

const enveloped = <T extends z.ZodType>(result: T) => z.object({ code: z.literal('ok').describe('Always `ok`'), result });
const pageOf = (what: string) => ({
  next_id: z.string().nullable().describe('`after_id` of the next page; null on the last page'),
  total: z.int().describe(`How many ${what} you have, on all pages`),
});
const page = pageOf('robots');
const keyPage = pageOf('keys');
const linkPage = {
  ...pageOf('links'),
  total: z.int().describe('How many links of the session are valid, on all pages'),
};
const sessionPage = pageOf('sessions');
const pinCode = z.string().describe('PIN of the robot: shown here once and never again. A secret');
const nothing = z.null().describe('Always null: the robot stands again');
const commandResultSchema = z.union([actionResultSchema, guardSchema]).meta({
  id: 'CommandResult',
  description: 'How the action ended; without `meta`, the runtime refused the call and no action came of it',
});

/** Answers of the public face, `{base_url}/v1`. */
export const PUBLIC_ANSWERS = {
  robot: enveloped(robotSchema),
  created: enveloped(robotSchema).extend({ pin_code: pinCode }),
  robots: enveloped(z.array(robotSchema).describe('Your robots, oldest first')).extend(page),
  session: enveloped(
    z
      .object({
        sfu_endpoint: clientSessionSchema.shape.livekit_url,
        webrtc_token: clientSessionSchema.shape.participant_token,
      })
      .meta({ id: 'Session' }),
  ),
  participant: enveloped(participantTokenResultSchema),
  grant: enveloped(controlGrantResultSchema),
  command: enveloped(commandResultSchema),
  emergency: enveloped(emergencyStopResultSchema),
  control: enveloped(controlOrderResultSchema),
  accepted: enveloped(nothing),
  session_state: enveloped(sessionStateSchema),
  sessions: enveloped(z.array(sessionStateSchema).describe('Sessions of your robots, in the order of the robots')).extend(
    sessionPage,
  ),
  links: enveloped(z.array(linkSchema).describe('Valid links of the session, oldest first')).extend(linkPage),
  api_keys: enveloped(z.array(apiKeySchema).describe('Your keys, oldest first')).extend(keyPage),
  api_key_created: enveloped(apiKeySchema).extend({ api_key: apiKeySecretSchema }),
} as const;

/** Answers of the library face, `{rcs_url}/v1`. */
export const LIBRARY_ANSWERS = {
  robot: libraryRobotSchema,
  created: z.object({ robot: libraryRobotSchema, pin_code: pinCode }),
  robots: z.object({ robots: z.array(libraryRobotSchema).describe('Your robots, oldest first'), ...page }),
  session: librarySessionSchema,
  participant: participantTokenResultSchema,
  grant: controlGrantResultSchema,
  command: commandResultSchema,
  emergency: emergencyStopResultSchema,
  control: controlOrderResultSchema,
  accepted: enveloped(nothing),
  session_state: sessionStateSchema,
  sessions: z.object({
    sessions: z.array(sessionStateSchema).describe('Sessions of your robots, in the order of the robots'),
    ...sessionPage,
  }),
  links: z.object({ links: z.array(linkSchema).describe('Valid links of the session, oldest first'), ...linkPage }),
  api_keys: z.object({ keys: z.array(apiKeySchema).describe('Your keys, oldest first'), ...keyPage }),
  api_key_created: z.object({ key: apiKeySchema, api_key: apiKeySecretSchema }),
} as const;

/** Every error of both faces. */
export const errorSchema = z.object({
  ...clientErrorSchema.shape,
  details: z
    .looseObject({ request_id: z.string().describe('Id of the request, as in the header X-Request-Id') })
    .describe('The request id, and what else is known'),
});
export type ErrorBody = z.infer<typeof errorSchema>;
