import { z } from 'zod';
import { TOKEN_MAX_LENGTH } from '../wire/limits.ts';

/**
 * The address at which a platform reports who is a robot at the moment. The page asks before it becomes the robot, and when
 * another page has displaced it.
 */
export const HOLDER_PATH = '/seat';

/**
 * LiveKit attributes of a page that is a robot: its browser, its name for people, and the id of its load. Only the platform signs
 * them.
 */
export const HOLDER_BROWSER_ATTRIBUTE = 'simplesim.browser';
export const HOLDER_PAGE_ATTRIBUTE = 'simplesim.page';
export const HOLDER_VISIT_ATTRIBUTE = 'simplesim.visit';
/** LiveKit attribute that the platform changes whenever a robot's page reports that it is busy. */
export const HOLDER_BUSY_ATTRIBUTE = 'simplesim.busy';

/** A runtime that does not answer for this long, and does not report that it is busy, is dead. */
export const HOLDER_DEAD_AFTER_MS = 3_000;
/** A page whose main thread is blocked for this long reports that it is busy, and again every second until the thread runs. */
export const HOLDER_BUSY_AFTER_MS = 1_000;
/** A page that waits for the robot asks at this interval. */
export const HOLDER_ASK_EVERY_MS = 2_000;
/**
 * A page that waits for the robot joins if the robot has had no holder for this long: a page that reloads, and a page whose
 * server restarted, are back within this time.
 */
export const HOLDER_GONE_AFTER_MS = 6_000;
/**
 * The same for a page that waits for another tab of its browser: the browser itself reports the moment at which the robot is
 * free.
 */
export const TAB_FREE_AFTER_MS = 2_500;
/** Longest wait for the platform's answer: the question to the holder, and time for a busy machine. */
export const HOLDER_ANSWER_WITHIN_MS = HOLDER_DEAD_AFTER_MS + 5_000;

const BROWSER_ID = /^[\w-]{8,64}$/;
const PAGE_NAME_MAX_LENGTH = 80;

/**
 * The question of a page. `browser` is an id that all pages of one browser share in this room: a lock of the browser lets only
 * one of them be the robot, so another one in the room is a page that crashed or is about to leave. `page` is its name for
 * people: "Chrome on Windows".
 */
export const holderQuestionSchema = z.object({
  token: z.string().max(TOKEN_MAX_LENGTH),
  browser: z.string().regex(BROWSER_ID),
  page: z.string().max(PAGE_NAME_MAX_LENGTH),
  /** An id of this load of the page, by which the platform recognises the participant that the page became. */
  visit: z.string().regex(BROWSER_ID).optional(),
  /** Whether the page only waits and does not join after this question. */
  waits: z.boolean().optional(),
  /** A report instead of a question: the page is closing, or its main thread does not run at the moment. */
  report: z.enum(['left', 'busy']).optional(),
});
export type HolderQuestion = z.infer<typeof holderQuestionSchema>;

/** The present holder of the robot. */
export interface RobotHolder {
  /** The name that the holder's page gives itself; null for a page without a name. */
  page: string | null;
  /** Whether a worker without a page holds the place. */
  is_worker: boolean;
  /** How long the holder has been in the room, by the platform's clock. */
  for_ms: number;
  /** How long the holder has not answered; 0 if it answers. */
  silent_ms: number;
  /** Whether the holder counts as dead and the asking page may take its place without a person's decision. */
  is_dead: boolean;
}

/** The platform's answer: the other holder of the robot, if any, and the page's own token again, with its attributes. */
export interface HolderAnswer {
  holder: RobotHolder | null;
  token: string;
}
