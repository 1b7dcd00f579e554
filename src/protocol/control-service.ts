/**
 * The HTTP contract of the robot control service (wire.md section 9): what both faces accept and answer. The service validates with
 * these schemas and derives its OpenAPI descriptions from them; the client library reads answers with them.
 */
import { z } from 'zod';
import { actionIdSchema, actionResultSchema, guardSchema } from './action.ts';
import { DEADLINE_MAX_S, ROOM_KEY_DEFAULT_TTL_S, ROOM_KEY_MAX_TTL_S } from './limits.ts';

export const LIST_DEFAULT_LIMIT = 20;
export const LIST_MAX_LIMIT = 100;
export const ROBOT_TEXT_MAX_LENGTH = 255;
export const DESCRIPTION_MAX_LENGTH = 2_000;
export const IDENTITY_MAX_LENGTH = 256;
export const WORKERS_MAX = 16;
export const ROBOT_LANGUAGES = ['en', 'vi', 'zh-tw'] as const;
export const ROBOT_VOICES = ['kokoro', 'piper', 'breezy', 'mms'] as const;
export const SEMANTIC_COMMANDS = ['forward', 'backward', 'left', 'right', 'turn-left', 'turn-right'] as const;

/** Live API keys start so. */
export const API_KEY_PREFIX = 'sk_live_';

// Messages are the second half of a sentence that begins with the field's name.
const text = (min: number, max: number) => {
  const error = min > 0 ? `must be text of ${min} to ${max} characters` : `must be text of at most ${max} characters`;
  return z.string({ error }).min(min, { error }).max(max, { error });
};
const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.map((value) => `"${value}"`).join(', ')}` });

const robotText = text(1, ROBOT_TEXT_MAX_LENGTH);
const details = {
  description: text(0, DESCRIPTION_MAX_LENGTH).nullish(),
  language: oneOf(ROBOT_LANGUAGES).nullish(),
  voice: oneOf(ROBOT_VOICES).nullish(),
};
const virtualType = z.literal('virtual', {
  error: 'must be "virtual"; a physical robot is claimed with its PIN, not created',
});

// ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const limitError = `must be a whole number from 1 to ${LIST_MAX_LIMIT}`;
export const listQuerySchema = z.object({
  limit: z.coerce
    .number({ error: limitError })
    .int({ error: limitError })
    .min(1, { error: limitError })
    .max(LIST_MAX_LIMIT, { error: limitError })
    .default(LIST_DEFAULT_LIMIT)
    .describe('robots on a page'),
  after_id: robotText.optional().describe('`next_id` of the page before'),
});

export const createRobotSchema = z.object({ name: robotText, model: robotText, type: virtualType, ...details });
/** On the library face the type may be absent. */
export const libraryCreateRobotSchema = createRobotSchema.extend({ type: virtualType.default('virtual') });
export type CreateRobotRequest = z.infer<typeof createRobotSchema>;

export const updateRobotSchema = z.object({ name: robotText, ...details });
/** On the library face any of the fields may be left as it is, but not all. */
export const libraryUpdateRobotSchema = updateRobotSchema
  .partial({ name: true })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'The body holds nothing to change: send name, description, language or voice.',
  });
export type UpdateRobotRequest = z.infer<typeof libraryUpdateRobotSchema>;

export const claimSchema = z.object({ pin_code: text(1, 64) });

const workerNamesError = `must be a list of at most ${WORKERS_MAX} worker names`;
export const createSessionSchema = z.object({
  worker_names: z
    .array(text(1, 128), { error: workerNamesError })
    .max(WORKERS_MAX, { error: workerNamesError })
    .nullish()
    .describe('agents to dispatch; an empty list dispatches none; absent: the default of the platform'),
  scene_id: text(1, 128).nullish(),
});
export type CreateSessionRequest = z.infer<typeof createSessionSchema>;

const ttlError = `must be a whole number of seconds, at least 1 (more than ${ROOM_KEY_MAX_TTL_S} is cut to ${ROOM_KEY_MAX_TTL_S})`;
export const participantTokenSchema = z.object({
  participant_identity: text(1, IDENTITY_MAX_LENGTH),
  participant_name: text(1, IDENTITY_MAX_LENGTH).nullish(),
  ttl_seconds: z
    .int({ error: ttlError })
    .min(1, { error: ttlError })
    .transform((seconds) => Math.min(seconds, ROOM_KEY_MAX_TTL_S))
    .nullish()
    .transform((seconds) => seconds ?? ROOM_KEY_DEFAULT_TTL_S)
    .describe(`default ${ROOM_KEY_DEFAULT_TTL_S}, at most ${ROOM_KEY_MAX_TTL_S}`),
});

export const semanticCommandSchema = z.object({ command: oneOf(SEMANTIC_COMMANDS) });
export type SemanticCommand = (typeof SEMANTIC_COMMANDS)[number];

const deadlineError = `must be a number of seconds above 0, at most ${DEADLINE_MAX_S}`;
export const sessionCommandSchema = z.object({
  skill: text(1, 64),
  parameters: z.record(z.string(), z.unknown(), { error: 'must be an object' }).nullish(),
  action_id: actionIdSchema.nullish(),
  deadline_s: z
    .number({ error: deadlineError })
    .positive({ error: deadlineError })
    .max(DEADLINE_MAX_S, { error: deadlineError })
    .nullish(),
});
export type SessionCommandRequest = z.infer<typeof sessionCommandSchema>;

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A robot as the public face shows it. */
export const robotSchema = z.object({
  id: z.string(),
  model: z.string(),
  name: z.string(),
  type: z.enum(['physical', 'virtual']),
});
/** A robot as the library face shows it. Times are ISO 8601. */
export const libraryRobotSchema = robotSchema.extend({
  description: z.string().nullable(),
  language: z.string().nullable(),
  voice: z.string().nullable(),
  team_id: z.string().nullable(),
  organization_id: z.string().nullable(),
  created_by: z.string().nullable(),
  public_key: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Robot = z.infer<typeof robotSchema>;
export type LibraryRobot = z.infer<typeof libraryRobotSchema>;

export const roomMetadataSchema = z.object({
  robot_id: z.string(),
  status: z.literal('active'),
  required_participants: z.array(z.string()).describe('identities that the robot needs in its room'),
  dispatches: z.array(z.object({ id: z.string(), agent_name: z.string() })),
  dispatched_agent_names: z.array(z.string()),
  scene_id: z.string().nullable(),
  created_at: z.string(),
});
export type RoomMetadata = z.infer<typeof roomMetadataSchema>;

/** What a client needs to join a robot's session. The token is a secret. */
export const librarySessionSchema = z.object({
  room_name: z.string(),
  livekit_url: z.string(),
  participant_token: z.string(),
  room_metadata: roomMetadataSchema,
});
export type LibrarySession = z.infer<typeof librarySessionSchema>;

export const participantTokenResultSchema = z.object({
  room_name: z.string(),
  livekit_url: z.string(),
  participant_token: z.string(),
  participant_identity: z.string(),
  expires_at: z.string().describe('ISO 8601'),
});
export type ParticipantToken = z.infer<typeof participantTokenResultSchema>;

const enveloped = <T extends z.ZodType>(result: T) => z.object({ code: z.literal('ok'), result });
const page = { next_id: z.string().nullable().describe('null on the last page'), total: z.int() };
const pinCode = z.string().describe('shown here once and never again');
const commandResultSchema = z.union([actionResultSchema, guardSchema]);

/** Answers of the public face, `{base_url}/v1`. */
export const PUBLIC_ANSWERS = {
  robot: enveloped(robotSchema),
  created: enveloped(robotSchema).extend({ pin_code: pinCode }),
  robots: enveloped(z.array(robotSchema)).extend(page),
  session: enveloped(z.object({ sfu_endpoint: z.string(), webrtc_token: z.string() })),
  participant: enveloped(participantTokenResultSchema),
  command: enveloped(commandResultSchema),
  accepted: enveloped(z.null()),
} as const;

/** Answers of the library face, `{rcs_url}/v1`. */
export const LIBRARY_ANSWERS = {
  robot: libraryRobotSchema,
  created: z.object({ robot: libraryRobotSchema, pin_code: pinCode }),
  robots: z.object({ robots: z.array(libraryRobotSchema), ...page }),
  session: librarySessionSchema,
  participant: participantTokenResultSchema,
  command: commandResultSchema,
  accepted: enveloped(z.null()),
} as const;

/** Every error of both faces. */
export const errorSchema = z.object({
  code: z.string(),
  message: z.string().describe('a sentence that says what is the case and what to do'),
  details: z.looseObject({ request_id: z.string() }),
});
export type ErrorBody = z.infer<typeof errorSchema>;
