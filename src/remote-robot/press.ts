import { readEmergencyAnswer } from '../protocol/wire/emergency-stop.ts';
import { readRefusal } from './refusal.ts';

/** The answer to one press of the emergency stop on one path. */
export interface PressOutcome {
  /**
   * `stands`: the path confirms that the robot stands. `latched`: the stop is latched, and the standstill is not confirmed.
   * `refused`: the press was rejected. `silent`: no answer.
   */
  status: 'stands' | 'latched' | 'refused' | 'silent';
  /** Why the standstill is not confirmed, in a sentence; null for none. */
  problem: string | null;
  /** Another press on this path would get the same answer. */
  isFinal: boolean;
}

export const STANDS: PressOutcome = { status: 'stands', problem: null, isFinal: true };
export const SILENT: PressOutcome = { status: 'silent', problem: null, isFinal: false };

/** An outcome with its time, by the monotonic clock. */
export type TimedOutcome = PressOutcome & { atMs: number };

/** How the presses of all paths ended. */
export interface Pressed<Path extends string> {
  /** The path that confirmed first that the robot stands; null if none did. */
  by: Path | null;
  /** The last outcome of each path; null while its first press is under way. A latched stop is not replaced by a failure. */
  outcomes: Record<Path, TimedOutcome | null>;
}

export interface PressOptions<Path extends string> {
  /** Until when a press is repeated, by the monotonic clock. */
  untilMs: number;
  pauseMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonicMs(): number;
  sleep(durationMs: number): Promise<unknown>;
  /** Called with every outcome, unless a path has confirmed the standstill before. */
  onOutcome?(path: Path, outcome: PressOutcome): void;
}

/**
 * Presses the emergency stop on every path at once, because a slow or broken path must not delay another. Each press is repeated
 * until one path confirms that the robot stands, or the time is up; a press is safe to repeat.
 * @param paths each presses once, and waits for the answer at most the given milliseconds; it never rejects
 * @returns when the first path confirms the standstill, or all have ended
 */
export async function pressEverywhere<Path extends string>(
  paths: Readonly<Record<Path, (leftMs: number) => Promise<PressOutcome>>>,
  { untilMs, pauseMs, monotonicMs, sleep, onOutcome }: PressOptions<Path>,
): Promise<Pressed<Path>> {
  const names = Object.keys(paths) as Path[];
  const pressed = { by: null, outcomes: Object.fromEntries(names.map((name) => [name, null])) } as Pressed<Path>;
  const leftMs = (): number => Math.ceil(untilMs - monotonicMs());

  async function press(name: Path): Promise<void> {
    do {
      const outcome = await paths[name](Math.max(1, leftMs()));
      if (pressed.by !== null) return;
      const isWeaker = pressed.outcomes[name]?.status === 'latched' && outcome.status !== 'stands';
      if (!isWeaker) pressed.outcomes[name] = { ...outcome, atMs: monotonicMs() };
      if (outcome.status === 'stands') pressed.by = name;
      onOutcome?.(name, outcome);
      if (outcome.isFinal) return;
      await sleep(Math.min(pauseMs, Math.max(0, leftMs())));
    } while (pressed.by === null && leftMs() > 0);
  }

  const ends = names.map(press);
  const confirmed = ends.map((end) => end.then(() => (pressed.by === null ? Promise.reject(new Error()) : undefined)));
  await Promise.any(confirmed).catch(() => undefined);
  return pressed;
}

const STILL_MOVES = 'The robot is stopped, but still moves: something pushes it.';
export const KNOWS_NO_PRESS = 'The participant in the room knows no emergency stop. Stop the robot in another way.';
const STRANGE = "The runtime's answer is not an answer to an emergency stop.";

/** Reads a runtime's answer to a press. Only its statement that the robot stands confirms it. */
export function outcomeOfAnswer(reply: unknown): PressOutcome {
  const answer = readEmergencyAnswer(reply);
  if (answer) return answer.stands ? STANDS : { status: 'latched', problem: STILL_MOVES, isFinal: false };
  const refusal = readRefusal(reply);
  // A participant that answers so would answer the next press in the same way.
  if (refusal === null || refusal.code === '') return { status: 'refused', problem: STRANGE, isFinal: true };
  if (refusal.code === 'METHOD_NOT_FOUND') return { status: 'refused', problem: KNOWS_NO_PRESS, isFinal: true };
  // The reason of any other rejection may pass: the robot still loads, is overloaded, or the caller has no grant for a moment.
  return { status: 'refused', problem: refusal.message || STRANGE, isFinal: false };
}

const NO_RUNTIME = 'It is latched, and no runtime is in the room to stop.';

/** Reads the control service's answer to a press. */
export function outcomeOfService(answer: {
  stands: boolean | null;
  runtimes: readonly { problem: string | null }[];
}): PressOutcome {
  if (answer.stands) return STANDS;
  const problems = answer.runtimes.flatMap(({ problem }) => problem ?? []).join(' ');
  // Without a runtime, nothing can be stopped. A runtime that joins finds the latch.
  return { status: 'latched', problem: problems || NO_RUNTIME, isFinal: answer.stands === null };
}
