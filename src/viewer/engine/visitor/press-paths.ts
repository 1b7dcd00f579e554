import { type PressOutcome, pressEverywhere } from '../../../remote-robot/press.ts';

/** The paths on which an operator's page presses the emergency stop. Neither rejects. */
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

/** Presses the emergency stop on every path at once, and reports the progress to the operator. */
export async function pressByEveryPath({ room, http }: PressPaths, { report, nowMs, sleep }: PressDeps): Promise<void> {
  let isLatched = false;
  let isRoomAnswered = false;
  let refusal: string | null = null;
  const noted = (path: () => Promise<PressOutcome>) => async (): Promise<PressOutcome> => {
    const outcome = await path();
    if (path === room) isRoomAnswered = outcome.status !== 'silent';
    return outcome;
  };
  const paths = { room: noted(room), ...(http && { http: noted(http) }) };
  const { by } = await pressEverywhere<'room' | 'http'>(paths as Required<typeof paths>, {
    untilMs: nowMs() + PRESSED_FOR_MS,
    pauseMs: PRESS_AGAIN_AFTER_MS,
    monotonicMs: nowMs,
    sleep,
    onOutcome(_path, { status, problem }) {
      if (status === 'stands') return report({ problem: null, done: null });
      if (status === 'latched') isLatched = true;
      // A path without the right to press has nothing to report.
      else if (status === 'refused' && problem === null) return;
      else if (status === 'refused') refusal = problem;
      report({ problem: isLatched ? LATCHED_ONLY : (refusal ?? STOP_UNANSWERED), done: null });
    },
  });
  if (by === 'http') {
    await sleep(ROOM_ANSWERS_WITHIN_MS);
    if (!isRoomAnswered) report({ problem: null, done: STANDS_BY_HTTP });
  } else if (by === null) {
    if (isLatched) report({ problem: LATCHED_GIVEN_UP, done: null, settledBy: 'word' });
    else if (refusal !== null) report({ problem: refusal, done: null });
    else report({ problem: STOP_GIVEN_UP, done: null, settledBy: 'latch' });
  }
}
