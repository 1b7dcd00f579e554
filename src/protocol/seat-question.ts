import { z } from 'zod';
import { TOKEN_MAX_LENGTH } from './limits.ts';

/**
 * The address at which a platform says who is a robot at the moment. The page asks before it becomes the robot, and when another
 * has taken its place.
 */
export const SEAT_PATH = '/seat';

/** LiveKit attributes of a page that is a robot: which browser it is in, and what people call it. Only the platform signs them. */
export const SEAT_BROWSER_ATTRIBUTE = 'simplesim.browser';
export const SEAT_PAGE_ATTRIBUTE = 'simplesim.page';

const BROWSER_ID = /^[\w-]{8,64}$/;
const PAGE_NAME_MAX_LENGTH = 80;

/**
 * What a page asks. `browser` is an id that all pages of one browser have in this room: of these, a lock of the browser lets one
 * be the robot, so that another one in the room is a page that crashed, or is about to leave. `page` is what people are told of
 * it: "Chrome on Windows".
 */
export const seatQuestionSchema = z.object({
  token: z.string().max(TOKEN_MAX_LENGTH),
  browser: z.string().regex(BROWSER_ID),
  page: z.string().max(PAGE_NAME_MAX_LENGTH),
});
export type SeatAsked = z.infer<typeof seatQuestionSchema>;

/** Another that is the robot. */
export interface SeatHolder {
  /** What the holder's page calls itself; null of a page that did not say. */
  page: string | null;
  /** Whether a worker without a page holds the place. */
  is_worker: boolean;
  /** How long the holder has been in the room, by the platform's clock. */
  for_ms: number;
}

/** The platform's answer: who else is the robot, if anybody; and the page's own token again, with its marks. */
export interface SeatAnswer {
  holder: SeatHolder | null;
  token: string;
}
