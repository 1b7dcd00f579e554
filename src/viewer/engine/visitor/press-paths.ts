import { type EmergencyStopResult, readEmergencyAnswer } from '../../../protocol/emergency-stop.ts';

/** What became of a press on one path. */
export type PressOutcome =
  /** Somebody at the robot says that it stands. */
  | { kind: 'stands' }
  /** It is latched, and nobody has said that the robot stands. */
  | { kind: 'latched' }
  /** The robot says no, in its words. That may pass: it still loads, is asked too much, or this page has no grant for a moment. */
  | { kind: 'refused'; words: string }
  /** This page's link gives no right to press there, at no other time either. */
  | { kind: 'no-right' }
  /** No answer. */
  | { kind: 'silent' };

/** The ways on which an operator's page presses the emergency stop. */
export interface PressPaths {
  room(): Promise<PressOutcome>;
  /** Null where no platform serves the page. */
  http: (() => Promise<PressOutcome>) | null;
}

interface PressDeps {
  /** Tells a person how it goes; null for nothing to say. */
  tell(stop: StopTold): void;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

/** What an operator is told of a stop. */
export interface StopTold {
  /** A sentence that asks for something to be done. */
  problem: string | null;
  /** A sentence that it is done, where the robot itself cannot be seen. */
  done: string | null;
  /** What makes the problem old: any word of the robot, or that it shows the latch. Absent while it is pressed on, and for a refusal. */
  settledBy?: 'word' | 'latch';
}

/** A press that nobody answers is repeated for so long. */
export const PRESSED_FOR_MS = 30_000;
export const PRESS_AGAIN_AFTER_MS = 250;

export const STOP_UNANSWERED = 'The robot does not answer the stop. It is sent again and again; go to the robot if you can.';
export const STOP_GIVEN_UP = 'The robot has not answered the stop. Press it again, and go to the robot if you can.';
/** The robot's own word is there by then, where both answer; the platform's need not be told. */
const ROOM_ANSWERS_WITHIN_MS = 1_500;

const LATCHED_ONLY =
  'The emergency stop is latched, but nobody has said that the robot stands. It is sent again and again; go to the robot if you can.';
const LATCHED_GIVEN_UP =
  'The emergency stop is latched, but nobody has said that the robot stands, and it is sent no more. Press it again, and go to the robot if you can.';
const STANDS_BY_HTTP =
  'The platform says that the emergency stop is latched and the robot stands. This page cannot ask the robot itself.';

/**
 * Presses on every path at once, each again and again until it is answered, and all until one says that the robot stands. One that is
 * slow or cut off keeps the other from nothing.
 */
export async function pressByEveryPath({ room, http }: PressPaths, { tell, nowMs, sleep }: PressDeps): Promise<void> {
  const untilMs = nowMs() + PRESSED_FOR_MS;
  let isSure = false;
  let isLatched = false;
  let isRoomAnswered = false;
  let refusal: string | null = null;
  const say = (problem: string, more: Pick<StopTold, 'settledBy'> = {}): void => {
    if (!isSure) tell({ problem, done: null, ...more });
  };
  /** @returns whether it was the one that made sure */
  async function press(path: () => Promise<PressOutcome>): Promise<boolean> {
    while (!isSure && nowMs() < untilMs) {
      const outcome = await path();
      if (path === room) isRoomAnswered = outcome.kind !== 'silent';
      if (isSure || outcome.kind === 'no-right') return false;
      if (outcome.kind === 'stands') {
        isSure = true;
        tell({ problem: null, done: null });
        return true;
      }
      if (outcome.kind === 'latched') isLatched = true;
      if (outcome.kind === 'refused') refusal = outcome.words;
      say(isLatched ? LATCHED_ONLY : (refusal ?? STOP_UNANSWERED));
      await sleep(PRESS_AGAIN_AFTER_MS);
    }
    return false;
  }
  const overHttp = async (): Promise<void> => {
    if (http === null || !(await press(http))) return;
    await sleep(ROOM_ANSWERS_WITHIN_MS);
    if (!isRoomAnswered) tell({ problem: null, done: STANDS_BY_HTTP });
  };
  await Promise.all([overHttp(), press(room)]);
  if (isLatched) say(LATCHED_GIVEN_UP, { settledBy: 'word' });
  else if (refusal !== null) say(refusal);
  else say(STOP_GIVEN_UP, { settledBy: 'latch' });
}

/** Reads the robot's own answer to a press over the room. */
export function outcomeOfReply(reply: unknown): PressOutcome {
  // Whoever has the robot's key may answer anything.
  const { status, error } = (reply ?? {}) as { status?: string; error?: { message?: string } };
  if (status === 'done') return { kind: 'stands' };
  if (readEmergencyAnswer(reply)) return { kind: 'latched' };
  return { kind: 'refused', words: error?.message ?? 'The robot did not take the stop.' };
}

/** Reads the platform's answer. @param stop null where the link gives no right to it */
export function outcomeOfResult(stop: Pick<EmergencyStopResult, 'stands'> | null): PressOutcome {
  if (stop === null) return { kind: 'no-right' };
  return { kind: stop.stands === true ? 'stands' : 'latched' };
}
