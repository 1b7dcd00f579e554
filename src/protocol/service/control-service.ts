/**
 * The answers of the robot control service that the client library reads. The service validates its answers with the same
 * schemas and derives its OpenAPI descriptions from them. `client-models/` has the fields that existing clients insist on; the
 * answers of the library face are made of them. Requests are in `control-requests.ts`, and the other answers in
 * `face-answers.ts`, because the page of all robots loads this file.
 */
import { z } from 'zod';
import {
  clientParticipantTokenSchema,
  clientRobotSchema,
  clientRoomMetadataSchema,
  clientSessionSchema,
  time,
} from '../client-models/http.ts';
import { controlKeysSchema } from '../signed/signed-claims.ts';
import { driverFactsSchema } from '../wire/driver.ts';
import { emergencyStopResultSchema, pressInRoomSchema } from '../wire/emergency-stop.ts';
import { ownerOrderSchema } from '../wire/owner-order.ts';
import { apiKeySchema, apiKeySecretSchema } from './api-keys.ts';
import { closedLinkSchema, ENDED_LINKS_NAMED_MAX } from './closed-links.ts';
import { linkSchema } from './session-links.ts';
import { sessionStateSchema } from './session-state.ts';

/** The most entries of one page of a list. */
export const LIST_MAX_LIMIT = 100;
/** The creator of a physical robot, instead of an account. */
export const PLATFORM_CREATOR = 'platform';

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

/** Puts a result into the envelope of the public face. */
export const enveloped = <T extends z.ZodType>(result: T) => z.object({ code: z.literal('ok').describe('Always `ok`'), result });
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

/** Answers of the library face, `{rcs_url}/v1`, that the client library reads. */
export const LIBRARY_READS = {
  robot: libraryRobotSchema,
  created: z.object({ robot: libraryRobotSchema, pin_code: pinCode }),
  robots: z.object({ robots: z.array(libraryRobotSchema).describe('Your robots, oldest first'), ...page }),
  session: librarySessionSchema,
  participant: participantTokenResultSchema,
  grant: controlGrantResultSchema,
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
