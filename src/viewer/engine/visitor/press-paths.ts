import { type EmergencyStopResult, readEmergencyAnswer } from '../../../protocol/emergency-stop.ts';

/** What became of a press on one path. */
export type PressOutcome =
  /** Somebody at the robot says that it stands. */
  | { kind: 'stands' }
  /** It is latched, and nobody has said that the robot stands. */
  | { kind: 'latched' }
  /** The answer is no, and another try has the same. `words` are the robot's. */
  | { kind: 'refused'; words: string }
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
}

/** A press that nobody answers is repeated for so long. */
export const PRESSED_FOR_MS = 30_000;
export const PRESS_AGAIN_AFTER_MS = 250;

export const STOP_UNANSWERED = 'The robot does not answer the stop. It is sent again and again; go to the robot if you can.';
export const STOP_GIVEN_UP = 'The robot has not answered the stop. Press it again, and go to the robot if you can.';
/** Where both answer, the robot's own word is there by then, and the platform's need not be told. */
const ROOM_ANSWERS_WITHIN_MS = 1_500;

const LATCHED_ONLY =
  'The emergency stop is latched, but nobody has said that the robot stands. It is sent again and again; go to the robot if you can.';
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
  const say = (problem: string): void => {
    if (!isSure) tell({ problem: isLatched ? LATCHED_ONLY : problem, done: null });
  };
  /** @returns whether it was the one that made sure */
  async function press(path: () => Promise<PressOutcome>, note: (outcome: PressOutcome) => void): Promise<boolean> {
    while (!isSure && nowMs() < untilMs) {
      const outcome = await path();
      note(outcome);
      if (isSure || outcome.kind === 'refused') return false;
      if (outcome.kind === 'stands') {
        isSure = true;
        tell({ problem: null, done: null });
        return true;
      }
      if (outcome.kind === 'latched') isLatched = true;
      say(STOP_UNANSWERED);
      await sleep(PRESS_AGAIN_AFTER_MS);
    }
    return false;
  }
  const overHttp = async (): Promise<void> => {
    if (http === null || !(await press(http, () => undefined))) return;
    await sleep(ROOM_ANSWERS_WITHIN_MS);
    if (!isRoomAnswered) tell({ problem: null, done: STANDS_BY_HTTP });
  };
  await Promise.all([
    overHttp(),
    press(room, (outcome) => {
      isRoomAnswered = outcome.kind !== 'silent';
      if (outcome.kind === 'refused') refusal = outcome.words;
    }),
  ]);
  say(refusal ?? STOP_GIVEN_UP);
}

/** Reads the robot's own answer to a press over the room. */
export function outcomeOfReply(reply: unknown): PressOutcome {
  const { status, error } = reply as { status?: string; error?: { message?: string } };
  if (status === 'done') return { kind: 'stands' };
  if (readEmergencyAnswer(reply)) return { kind: 'latched' };
  return { kind: 'refused', words: error?.message ?? 'The robot did not take the stop.' };
}

/** Reads the platform's answer. @param stop null where the link gives no right to it */
export function outcomeOfResult(stop: Pick<EmergencyStopResult, 'stands'> | null): PressOutcome {
  if (stop === null) return { kind: 'refused', words: '' };
  return { kind: stop.stands === true ? 'stands' : 'latched' };
}
