import { z } from 'zod';
import { TOKEN_MAX_LENGTH } from './limits.ts';
import { controlKeySchema } from './signed-claims.ts';

/**
 * The address at which a platform gives the page of a visitor's link a token of its own. The SFU lets one participant in under each
 * identity, and a link has one identity and many readers.
 */
export const WATCH_PATH = '/watch';

/**
 * What a page asks: the token of the link, or one that it was given for it. An operator's page sends the public half of a key that it has
 * made, and gets a grant for it.
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

/** A place in the room: a token with the same room, access and end, and an identity that nobody has. */
export interface WatchAnswer {
  token: string;
  /** The robot's name, as its owner calls it. Absent where its session is not open any more. */
  robot_name?: string;
  /** For the key of an operator's page: what it needs to sign its commands. Absent for who only watches, and without a key. */
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
