import { z } from 'zod';
import { TOKEN_MAX_LENGTH } from './limits.ts';

/**
 * The address at which a platform says who is a robot at the moment. The page asks before it becomes the robot, and when another
 * has taken its place.
 */
export const SEAT_PATH = '/seat';

/**
 * LiveKit attributes of a page that is a robot: which browser it is in, what people call it, and which load of the page it is. Only
 * the platform signs them.
 */
export const SEAT_BROWSER_ATTRIBUTE = 'simplesim.browser';
export const SEAT_PAGE_ATTRIBUTE = 'simplesim.page';
export const SEAT_VISIT_ATTRIBUTE = 'simplesim.visit';
/** LiveKit attribute that the platform changes whenever a robot's page reports that it is busy. */
export const SEAT_BUSY_ATTRIBUTE = 'simplesim.busy';

/** A runtime that answers nothing for this long, and does not report that it is busy, is dead. */
export const SEAT_DEAD_AFTER_MS = 3_000;
/** A page whose main thread stands for this long reports that it is busy, and again every second until it runs. */
export const SEAT_BUSY_AFTER_MS = 1_000;
/** A page that waits for the robot asks this often. */
export const SEAT_ASK_EVERY_MS = 2_000;
/**
 * A page that waits for the robot joins when no one has held it for this long: a page that reloads, and one whose server
 * restarted, are back within this time.
 */
export const SEAT_FREE_AFTER_MS = 6_000;
/** The same for a page that waits for another tab of its browser: there the browser reports the moment at which the robot is free. */
export const TAB_FREE_AFTER_MS = 2_500;
/** Longest wait for the platform's answer: the question to the holder, and time for a busy machine. */
export const SEAT_PLATFORM_WITHIN_MS = SEAT_DEAD_AFTER_MS + 5_000;

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
  /** An id of this load of the page, by which the platform recognises the participant that the page became. */
  visit: z.string().regex(BROWSER_ID).optional(),
  /** Whether the page only waits and does not join after this question. */
  waits: z.boolean().optional(),
  /** A report in place of a question: the page goes away, or its main thread does not run at the moment. */
  report: z.enum(['left', 'busy']).optional(),
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
  /** How long the holder has answered nothing; 0 if it answers. */
  silent_ms: number;
  /** Whether the holder counts as dead and the asking page may take its place without a person's decision. */
  is_dead: boolean;
}

/** The platform's answer: who else is the robot, if anybody; and the page's own token again, with its marks. */
export interface SeatAnswer {
  holder: SeatHolder | null;
  token: string;
}
