import { HOLDER_BUSY_ATTRIBUTE, HOLDER_DEAD_AFTER_MS } from '../protocol/room/holder-question.ts';
import type { Holder } from './sfu-admin.ts';

/**
 * When a holder is asked, in milliseconds from the first question. LiveKit gives up on a question that is not acknowledged within
 * 2 s, so a later question must cover the rest of the time.
 */
const ASKED_AT_MS = [0, 1_000, 2_000] as const;
/** A participant that has just joined may not be able to answer yet. */
const SETTLES_WITHIN_MS = 5_000;

/** The signs of life of a robot's holder. */
export interface LifeSigns {
  /**
   * Asks the holder. Never rejects.
   * @returns whether it answered; also true if it cannot be asked at all, because that proves nothing
   */
  answers(withinMs: number): Promise<boolean>;
  /** Returns the participant that holds the robot, null if there is none. */
  look(): Promise<Holder | null>;
  /** Waits this many milliseconds. */
  pause(ms: number): Promise<void>;
  /** Returns how long the holder has been in the room, in milliseconds. */
  ageMs(holder: Holder): number;
  /** Whether the holder, which is not connected, may still be joining. */
  mayBeJoining(holder: Holder): boolean;
}

/**
 * Decides whether a holder is dead, within {@link HOLDER_DEAD_AFTER_MS}. An answer at any time shows that it lives. A page whose
 * main thread is blocked cannot answer; its worker then reports that it is busy, which changes an attribute of the participant. A
 * process that neither answers nor reports is dead: it was killed, sleeps, or has lost its network.
 * @param holder as seen before the first question
 */
export async function isDead(holder: Holder, signs: LifeSigns): Promise<boolean> {
  const { answers, look, pause } = signs;
  let isOver = false;
  const answered = Promise.any(
    ASKED_AT_MS.map(async (atMs) => {
      await pause(atMs);
      if (!isOver && !(await answers(HOLDER_DEAD_AFTER_MS - atMs))) throw new Error('no answer');
      return true;
    }),
  );
  const late = pause(HOLDER_DEAD_AFTER_MS).then(() => false);
  // Questions that the SFU could not deliver fail at once. The holder still has its full time.
  const hasAnswered = await Promise.race([answered.catch(() => late), late]);
  isOver = true;
  if (hasAnswered) return false;
  const present = await look();
  if (present === null || present.joinId !== holder.joinId) return false;
  if (present.attributes[HOLDER_BUSY_ATTRIBUTE] !== holder.attributes[HOLDER_BUSY_ATTRIBUTE]) return false;
  return present.isConnected ? signs.ageMs(present) >= SETTLES_WITHIN_MS : !signs.mayBeJoining(present);
}
