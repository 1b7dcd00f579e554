import { type EmergencyStopResult, readEmergencyAnswer } from '../../../protocol/emergency-stop.ts';

/** The result of a press on one path. */
export type PressOutcome =
  /** The robot's side reports that the robot is at a standstill. */
  | { kind: 'stands' }
  /** The stop is latched, and no one has reported a standstill. */
  | { kind: 'latched' }
  /**
   * The robot rejects the press, with its message. The reason may be temporary: it still loads, is overloaded, or this page
   * briefly has no grant.
   */
  | { kind: 'refused'; text: string }
  /** This page's link grants no right to press there, now or later. */
  | { kind: 'no-right' }
  /** No answer. */
  | { kind: 'silent' };

/** The paths on which an operator's page presses the emergency stop. */
export interface PressPaths {
  room(): Promise<PressOutcome>;
  /** Null if no platform serves the page. */
  http: (() => Promise<PressOutcome>) | null;
}

interface PressDeps {
  /** Reports the progress to a person; null for nothing to report. */
  report(stop: StopReport): void;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

/** The report of a stop to an operator. */
export interface StopReport {
  /** A sentence that asks the operator to act. */
  problem: string | null;
  /** A sentence that the stop is done, if the robot itself cannot be observed. */
  done: string | null;
  /**
   * The event that makes the problem obsolete: any message of the robot, or its latched state. Absent while the stop is still
   * being pressed, and for a rejection.
   */
  settledBy?: 'word' | 'latch';
}

/** How long a press is repeated while no path reports a standstill. */
export const PRESSED_FOR_MS = 30_000;
export const PRESS_AGAIN_AFTER_MS = 250;

export const STOP_UNANSWERED = 'The robot does not answer the stop. The page keeps sending it; go to the robot if you can.';
export const STOP_GIVEN_UP = 'The robot has not answered the stop. Press it again, and go to the robot if you can.';
/** If both answer, the robot's own answer has arrived by then, and the platform's need not be shown. */
const ROOM_ANSWERS_WITHIN_MS = 1_500;

const LATCHED_ONLY =
  'The emergency stop is latched, but no answer confirms that the robot stands. The page keeps sending it; go to the robot if you can.';
const LATCHED_GIVEN_UP =
  'The emergency stop is latched, but no answer confirms that the robot stands, and the page has stopped sending it. Press it again, and go to the robot if you can.';
const STANDS_BY_HTTP =
  'The platform reports that the emergency stop is latched and the robot stands. This page cannot ask the robot itself.';

/**
 * Presses on every path at once. Each press is repeated until one path reports that the robot is at a standstill, or for
 * `PRESSED_FOR_MS`; a path without the right is pressed once. A slow or broken path does not delay the other.
 */
export async function pressByEveryPath({ room, http }: PressPaths, { report, nowMs, sleep }: PressDeps): Promise<void> {
  const untilMs = nowMs() + PRESSED_FOR_MS;
  let isSure = false;
  let isLatched = false;
  let isRoomAnswered = false;
  let refusal: string | null = null;
  const say = (problem: string, more: Pick<StopReport, 'settledBy'> = {}): void => {
    if (!isSure) report({ problem, done: null, ...more });
  };
  /** Presses on one path. @returns whether this press made the standstill certain */
  async function press(path: () => Promise<PressOutcome>): Promise<boolean> {
    while (!isSure && nowMs() < untilMs) {
      const outcome = await path();
      if (path === room) isRoomAnswered = outcome.kind !== 'silent';
      if (isSure || outcome.kind === 'no-right') return false;
      if (outcome.kind === 'stands') {
        isSure = true;
        report({ problem: null, done: null });
        return true;
      }
      if (outcome.kind === 'latched') isLatched = true;
      if (outcome.kind === 'refused') refusal = outcome.text;
      say(isLatched ? LATCHED_ONLY : (refusal ?? STOP_UNANSWERED));
      await sleep(PRESS_AGAIN_AFTER_MS);
    }
    return false;
  }
  const overHttp = async (): Promise<void> => {
    if (http === null || !(await press(http))) return;
    await sleep(ROOM_ANSWERS_WITHIN_MS);
    if (!isRoomAnswered) report({ problem: null, done: STANDS_BY_HTTP });
  };
  await Promise.all([overHttp(), press(room)]);
  if (isLatched) say(LATCHED_GIVEN_UP, { settledBy: 'word' });
  else if (refusal !== null) say(refusal);
  else say(STOP_GIVEN_UP, { settledBy: 'latch' });
}

/** Reads the robot's own answer to a press over the room. */
export function outcomeOfReply(reply: unknown): PressOutcome {
  // The holder of the robot's key may answer anything.
  const { status, error } = (reply ?? {}) as { status?: string; error?: { message?: string } };
  if (status === 'done') return { kind: 'stands' };
  if (readEmergencyAnswer(reply)) return { kind: 'latched' };
  return { kind: 'refused', text: error?.message ?? 'The robot rejected the stop.' };
}

/** Reads the platform's answer. @param stop null if the link grants no right to it */
export function outcomeOfResult(stop: Pick<EmergencyStopResult, 'stands'> | null): PressOutcome {
  if (stop === null) return { kind: 'no-right' };
  return { kind: stop.stands === true ? 'stands' : 'latched' };
}
