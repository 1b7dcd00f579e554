/**
 * The fields that existing clients read from the library face over HTTP, and those that they send. Such a client rejects a whole
 * answer when one field has another type, so the types are exact: a field is present and never null unless it is `nullish` here.
 * Further fields are ignored. The service's own schemas (`control-service.ts`) are made of these.
 */
import { z } from 'zod';
import { byName } from './by-name.ts';

export const ROBOT_TYPES = ['physical', 'virtual'] as const;
export const ROBOT_LANGUAGES = ['en', 'vi', 'zh-tw'] as const;
export const ROBOT_VOICES = ['kokoro', 'piper', 'breezy', 'mms'] as const;
export const ROBOT_TEXT_MAX_LENGTH = 255;
export const IDENTITY_MAX_LENGTH = 256;

const text = (description: string) => z.string().describe(description);
export const time = (description: string) => z.iso.datetime({ offset: true, local: true }).describe(`${description}, ISO 8601`);

// ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export const clientRobotSchema = z.looseObject({
  id: text('Unique id; ids sort by the age of the robots'),
  model: text('Model of the robot'),
  name: text('Name of the robot'),
  type: z.enum(ROBOT_TYPES).describe('A machine, or a robot of the virtual world'),
  description: text('What the robot is for; empty if not given'),
  language: z.enum(ROBOT_LANGUAGES).describe('Language that it speaks'),
  voice: z.enum(ROBOT_VOICES).describe('Voice with which it speaks'),
  team_id: text('Team it belongs to. Teams are not kept apart here: an account is one team, and this is its id'),
  organization_id: text('Organization it belongs to: the id of the account'),
  created_by: text('Account that created it; `platform` for a physical robot, which the operator of the service has issued'),
  public_key: z.string().nullish().describe('Key with which it signs, if it has one'),
  created_at: time('When it was made'),
  updated_at: time('When it was last changed'),
});

export const clientCreatedRobotSchema = z.looseObject({ robot: clientRobotSchema, pin_code: z.string() });

export const clientRobotPageSchema = z.looseObject({ robots: z.array(clientRobotSchema), next_id: z.string().nullish() });

const requiredParticipant = z.looseObject({ min_count: z.int().describe('How many of them') });
const dispatch = z.looseObject({});

export const clientRoomMetadataSchema = z.looseObject({
  robot_id: text('The robot whose room it is'),
  status: text('`active`: the session is open'),
  required_participants: byName(requiredParticipant, {
    description:
      'Who the robot needs in its room: a key for each. A participant counts for a key when its identity is the key, or begins with it and `-`, or when its LiveKit attribute `lk.agent.name` is the key',
    valueSchema: {
      type: 'object',
      properties: { min_count: { type: 'integer', description: 'How many of them' } },
      required: ['min_count'],
    },
  }),
  dispatches: byName(dispatch, {
    description: 'Agents that were sent into the room, by name',
    valueSchema: { type: 'object', properties: { id: { type: 'string', description: 'Id of the dispatch' } } },
  }),
  dispatched_agent_names: z.array(z.string()).nullish().describe('Names of these agents'),
  scene_id: z.string().nullish().describe('Scene that the room is for, if one was named'),
  created_at: text('When the session was opened, ISO 8601'),
});

const place = {
  room_name: text('Name of the room'),
  livekit_url: text('Address of the media server (SFU), `ws://…` or `wss://…`'),
  participant_token: text('Credential for the room: a LiveKit access token. A secret'),
};

export const clientSessionSchema = z.looseObject({ ...place, room_metadata: clientRoomMetadataSchema });

export const clientParticipantTokenSchema = z.looseObject({
  ...place,
  participant_identity: text('Identity that the token is for'),
  expires_at: time('When the token ends'),
});

/** Every error of both faces. */
export const clientErrorSchema = z.looseObject({
  code: text('Identifies the kind of error; docs/reference/errors.md lists them all'),
  message: text('A sentence that describes the problem and what to do'),
  details: z.looseObject({}).nullish().describe('The request id, and what else is known'),
});

// ── Requests: existing clients send these fields and no others, and every value of them is accepted ──────────────────────────

const isOfLength = (min: number, max: number) => (value: string) => {
  const { length } = [...value];
  return length >= min && length <= max;
};
const nameText = z.string().refine(isOfLength(1, ROBOT_TEXT_MAX_LENGTH));
const details = {
  description: z.string().nullish(),
  language: z.enum(ROBOT_LANGUAGES).nullish(),
  voice: z.enum(ROBOT_VOICES).nullish(),
};

export const clientCreateRobotSchema = z.strictObject({ name: nameText, model: nameText, ...details });

export const clientUpdateRobotSchema = z.strictObject({ name: nameText.nullish(), ...details });

export const clientSessionRequestSchema = z.strictObject({
  workers: z.looseObject({}).nullish(),
  scene_id: z.string().nullish(),
  worker_names: z.array(z.string()).nullish(),
  rsl_session_grant: z.base64().nullish(),
  rsl_session_pub: z.base64().nullish(),
});

export const clientParticipantTokenRequestSchema = z.strictObject({
  participant_identity: z.string().refine(isOfLength(1, IDENTITY_MAX_LENGTH)),
  participant_name: z.string().nullish(),
  ttl_seconds: z.int().nullish(),
});
