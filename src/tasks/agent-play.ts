import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { Run } from './recorded-run.ts';

/** A call that an agent makes over the wire. */
export interface AgentCall {
  method: string;
  payload: unknown;
}

/** A reply as an agent reads it: a result, a failure, or the document that was asked for. */
// biome-ignore lint/suspicious/noExplicitAny: an agent reads replies of all methods, which are checked elsewhere.
export type AgentReply = any;

/** An agent as a course of calls, each continued with its reply: it runs at once in a process, or behind a room, and is the same each time. */
export type AgentCourse = Part<void>;

/** A part of such a course, which comes to a result. */
export type Part<T> = Generator<AgentCall, T, AgentReply>;

export interface PlayOptions {
  /** Identity of the agent. @default 'agent' */
  identity?: string;
  /** Steps within which a call is answered; after that the agent gets `NO_REPLY`. @default a minute of simulated time */
  answerWithinSteps?: number;
  /** Milliseconds since the epoch at the start. @default 0 */
  startMs?: number;
}

/** The answer for an agent without a reply: it is unknown whether the call was carried out. */
const NO_REPLY: AgentReply = { status: 'failed', error: { code: 'NO_REPLY', message: 'No reply came.', details: {} } };
const STEP_MS = 1000 / STEPS_PER_SECOND;
/** Things that the last action moved come to rest, and are judged, within this time. */
const SETTLES_STEPS = 2 * STEPS_PER_SECOND;

/**
 * Lets an agent play in a run as fast as it goes, on a clock that the steps move. Ends when the judge has decided, or some time after the
 * agent has ended.
 */
export function play(run: Run, agent: AgentCourse, options: PlayOptions = {}): void {
  const { identity = 'agent', answerWithinSteps = 60 * STEPS_PER_SECOND, startMs = 0 } = options;
  let turns = 0;
  let calls = 0;
  const step = (): void => {
    turns += 1;
    run.runtime.step(startMs + turns * STEP_MS);
  };
  const isDecided = (): boolean => run.decided() !== null;
  let next = agent.next();
  while (!next.done && !isDecided()) {
    const { method, payload } = next.value;
    let text: string | null = null;
    calls += 1;
    const call = {
      requestId: `${calls}`,
      method,
      payload: JSON.stringify(payload),
      callerIdentity: identity,
      nowMs: startMs + turns * STEP_MS,
    };
    run.runtime.handle(call, (answer) => {
      text = answer;
    });
    for (let waited = 0; text === null && waited < answerWithinSteps && !isDecided(); waited += 1) step();
    // A call that the decision overtook has no owner.
    if (isDecided()) break;
    next = agent.next(text === null ? NO_REPLY : JSON.parse(text));
  }
  for (let waited = 0; waited < SETTLES_STEPS && !isDecided(); waited += 1) step();
}
