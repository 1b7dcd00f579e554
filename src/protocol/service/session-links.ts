/** The answers of the operations on the links of a session. Requests are in `control-requests.ts`. */
import { z } from 'zod';
import { time } from '../client-models/http.ts';
import { ACCESSES } from './access.ts';

export const linkSchema = z
  .object({
    id: z.string().describe('Unique id; ids sort by the age of the links'),
    access: z.enum(ACCESSES).describe('What its holder may do: `watch` only sees, `drive` calls as well'),
    participant_identity: z.string().describe('Identity that the link was made for'),
    participant_name: z.string().describe('Name that others in the room see'),
    created_at: time('When it was made'),
    expires_at: time('When it ends automatically'),
  })
  .meta({ id: 'SessionLink' });
/** A link to watch or to drive a robot, as the robot's owner sees it, without its token. Times are ISO 8601. */
export type SessionLink = z.infer<typeof linkSchema>;
