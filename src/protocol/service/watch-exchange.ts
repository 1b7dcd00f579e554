import { z } from 'zod';
import { controlKeySchema } from '../signed/signed-claims.ts';
import { TOKEN_MAX_LENGTH } from '../wire/limits.ts';

/**
 * The address at which a platform gives the page of a visitor's link a token of its own. The SFU admits one participant under
 * each identity, and a link has one identity and many readers.
 */
export const WATCH_PATH = '/watch';

/**
 * The request of a page: the token of the link, or a token that it received for the link. An operator's page sends the public
 * half of a key that it has made, and gets a grant for it.
 */
export const watchQuestionSchema = z.object({
  token: z.string().max(TOKEN_MAX_LENGTH),
  public_key: controlKeySchema.optional(),
});
export type WatchAsked = z.infer<typeof watchQuestionSchema>;

/** The platform's reply. */
export interface WatchReply {
  /** Null for a token that gives no place. */
  watch: WatchAnswer | null;
  /** Why there is no place: the owner revoked the link. Absent for every other reason. */
  ended?: 'revoked';
}

/** A place in the room: a token with the same room, access and end, and an unused identity. */
export interface WatchAnswer {
  token: string;
  /** The robot's name, as its owner calls it. Absent if its session is closed. */
  robot_name?: string;
  /** For the key of an operator's page: the data to sign its commands. Absent for a viewer, and without a key. */
  grant?: OperatorGrant;
}

/** The permission for a key to command the robot of a session until the link ends. */
export interface OperatorGrant {
  /** As in `runtime.forward_envelope`. */
  grant: string;
  robot_id: string;
  /** Name of the room. */
  session: string;
}
