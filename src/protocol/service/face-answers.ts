/** The answers of both faces of the robot control service. Both have the same operations; the public face has other wordings. */
import { z } from 'zod';
import { clientErrorSchema, clientSessionSchema } from '../client-models/http.ts';
import { actionResultSchema, guardSchema } from '../wire/action.ts';
import { apiKeySchema } from './api-keys.ts';
import { enveloped, LIBRARY_READS, robotSchema } from './control-service.ts';

const commandResultSchema = z.union([actionResultSchema, guardSchema]).meta({
  id: 'CommandResult',
  description: 'How the action ended; without `meta`, the runtime refused the call and no action came of it',
});

/** Answers of the library face, `{rcs_url}/v1`. */
export const LIBRARY_ANSWERS = { ...LIBRARY_READS, command: commandResultSchema } as const;

const { created, robots, sessions, links, api_keys: keys, api_key_created: keyCreated } = LIBRARY_READS;
/** Returns the fields of a page besides its entries. */
const pageOf = <N, T>({ next_id, total }: { next_id: N; total: T }) => ({ next_id, total });

/** Answers of the public face, `{base_url}/v1`. */
export const PUBLIC_ANSWERS = {
  robot: enveloped(robotSchema),
  created: enveloped(robotSchema).extend({ pin_code: created.shape.pin_code }),
  robots: enveloped(z.array(robotSchema).describe('Your robots, oldest first')).extend(pageOf(robots.shape)),
  session: enveloped(
    z
      .object({
        sfu_endpoint: clientSessionSchema.shape.livekit_url,
        webrtc_token: clientSessionSchema.shape.participant_token,
      })
      .meta({ id: 'Session' }),
  ),
  participant: enveloped(LIBRARY_READS.participant),
  grant: enveloped(LIBRARY_READS.grant),
  command: enveloped(commandResultSchema),
  emergency: enveloped(LIBRARY_READS.emergency),
  control: enveloped(LIBRARY_READS.control),
  accepted: LIBRARY_READS.accepted,
  session_state: enveloped(LIBRARY_READS.session_state),
  sessions: enveloped(sessions.shape.sessions).extend(pageOf(sessions.shape)),
  links: enveloped(links.shape.links).extend(pageOf(links.shape)),
  api_keys: enveloped(keys.shape.keys).extend(pageOf(keys.shape)),
  api_key_created: enveloped(apiKeySchema).extend({ api_key: keyCreated.shape.api_key }),
} as const;

/** Every error of both faces. */
export const errorSchema = z.object({
  ...clientErrorSchema.shape,
  details: z
    .looseObject({ request_id: z.string().describe('Id of the request, as in the header X-Request-Id') })
    .describe('The request id, and what else is known'),
});
export type ErrorBody = z.infer<typeof errorSchema>;
