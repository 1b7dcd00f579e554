import { z } from 'zod';
import { TOKEN_MAX_LENGTH } from './limits.ts';

/**
 * The address at which a platform gives the page of a visitor's link a token of its own. The SFU lets one participant in under each
 * identity, and a link has one identity and many readers.
 */
export const WATCH_PATH = '/watch';

/** What a page asks: the token of the link, or one that it was given for it. */
export const watchQuestionSchema = z.object({ token: z.string().max(TOKEN_MAX_LENGTH) });
export type WatchAsked = z.infer<typeof watchQuestionSchema>;

/** The platform's answer: a token with the same room, access and end, and an identity that nobody has. */
export interface WatchAnswer {
  token: string;
}
