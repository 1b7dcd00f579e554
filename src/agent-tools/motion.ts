import { z } from 'zod';
import type { AgentContext } from './agent-context.ts';
import type { SkillReply } from './robot-access.ts';
import { isFailure, type RobotFacts, readRobot, round } from './robot-facts.ts';
import { poseText } from './sentences.ts';
import type { ToolReply } from './tool-reply.ts';

/** A skill call that a tool makes. */
export interface Motion {
  skill: string;
  input: object;
  /** The robot ends the action itself after this many seconds. */
  deadlineS: number;
  /** Returns the first words about a success, without a full stop: "Picked up cube_4". */
  success(result: Readonly<Record<string, unknown>>): string;
  /** The attempt in words, for a failure: "pick up cube_4". */
  attempt: string;
}

/** Between two cancels of an action that the robot may not know yet, milliseconds. */
const CANCEL_EVERY_MS = 250;

/**
 * Runs one skill and returns the reply about it. The robot ends the action at its deadline even if this process dies.
 * @param stop fires when the action must end
 */
export async function runMotion(context: AgentContext, actionId: string, motion: Motion, stop: AbortSignal): Promise<ToolReply> {
  const before = await readRobot(context.robot);
  if (stop.aborted) return neverStarted(actionId, motion);
  const over = new AbortController();
  const cancelling = cancelWhen(stop, context, actionId, over.signal);
  try {
    const { skill, input, deadlineS } = motion;
    const reply = readSkillReply(await context.robot.invoke(skill, input, { actionId, deadlineS }));
    return motionReply(motion, actionId, reply, before, await readRobot(context.robot));
  } catch (thrown) {
    return unknownEnd(actionId, motion, thrown);
  } finally {
    over.abort();
    await cancelling;
  }
}

const skillReplySchema = z.union([
  z.looseObject({ status: z.literal('done'), result: z.record(z.string(), z.unknown()).optional() }),
  z.looseObject({
    status: z.literal('failed'),
    error: z.looseObject({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
  }),
]);

/** Returns the reply of a skill. @throws Error for anything else */
function readSkillReply(reply: unknown): SkillReply {
  if (!skillReplySchema.safeParse(reply).success) throw new Error('The reply of the robot is unreadable.');
  return reply as SkillReply;
}

/** Returns the reply about the end of an action. @param before, after the robot; a failure if it was not readable */
export function motionReply(
  motion: Pick<Motion, 'attempt' | 'success'> & { skill?: string },
  actionId: string,
  reply: SkillReply,
  before: Awaited<ReturnType<typeof readRobot>> | null,
  after: Awaited<ReturnType<typeof readRobot>>,
): ToolReply {
  const robot = isFailure(after) ? null : after;
  const { error } = reply;
  const details = error?.details ?? {};
  const hint = error ? hintOf(error.code, details.hint, motion.skill) : undefined;
  const said = error
    ? `Could not ${motion.attempt} (${error.code}): ${messageFor(error.message, details.hint, hint)}`
    : `${motion.success(reply.result ?? {})}.`;
  const note = reply.meta?.note ? ` ${reply.meta.note}` : '';
  const facts = {
    status: reply.status,
    said: `${said}${note}${robot ? ` ${poseText(robot)}` : ''}`,
    action_id: reply.meta?.action_id ?? actionId,
    evidence: (error ? details.evidence : reply.result) ?? null,
    attempted: error ? details.attempted === true : true,
    world_changed: error ? (details.world_changed ?? 'unknown') : 'yes',
    ...(error ? { code: error.code } : {}),
    ...(hint ? { hint } : {}),
    ...robotPart(robot),
    moved_m: robot && before && !isFailure(before) ? distance(before, robot) : null,
  };
  return { said: facts.said, facts, isError: reply.status === 'failed' };
}

/** The next step after a refusal, in terms of the tools; the runtime's own hints name its methods. */
const HINTS: Readonly<Record<string, string>> = {
  UNKNOWN_ENTITY: 'Call get_scene for the ids.',
  OUT_OF_REACH: 'Call go_to with this id first.',
  BUSY: 'Call wait for the running action, or stop.',
  NOT_CONTROLLER: 'Call control with do "ask" to request the robot.',
  NOT_READY: 'Call robot_status until the robot is ready.',
};

/** Skills that a step nearer to the target makes possible. */
const NEEDS_REACH: readonly (string | undefined)[] = ['pick_entity', 'place_entity'];

/** @param given the runtime's own hint */
function hintOf(code: string, given: unknown, skill: string | undefined): string | undefined {
  const isOurs = Object.hasOwn(HINTS, code) && (code !== 'OUT_OF_REACH' || NEEDS_REACH.includes(skill));
  return isOurs ? HINTS[code] : typeof given === 'string' ? given : undefined;
}

/** Returns the runtime's sentences with this hint in place of its own, and without those that name a method of the runtime. */
function messageFor(message: string, given: unknown, hint: string | undefined): string {
  const isReplaced = hint !== undefined && typeof given === 'string' && given !== hint;
  const kept = isReplaced ? message.replace(given, '') : message;
  const sentences = kept.split(/(?<=[.!?]) +/).filter((sentence) => sentence !== '' && !sentence.includes('runtime.'));
  const text = sentences.length === 0 ? message : sentences.join(' ').trim();
  return hint === undefined || text.includes(hint) ? text : `${text} ${hint}`.trim();
}

/** The part of each reply that states where the robot is. */
export const robotPart = (robot: RobotFacts | null) => ({
  held: robot?.held ?? null,
  pose: robot?.pose ?? null,
  sim_time_s: robot?.simTimeS ?? null,
  driver: robot?.driver ?? null,
});

/** Returns the reply about an action that runs on after this call. */
export function runningReply(actionId: string, tool: string, robot: RobotFacts | null): ToolReply {
  const what = robot?.active ? ` The robot is ${robot.active.phase}.` : '';
  const hint = `Call wait with action_id "${actionId}" for its result, or stop.`;
  const said = `${tool} is still running.${what} ${hint}`;
  const facts = { status: 'running', said, action_id: actionId, attempted: true, world_changed: 'unknown', hint };
  return { said, facts: { ...facts, ...robotPart(robot) }, isError: false };
}

/** Returns the reply about an action that was cancelled before it began. */
export function neverStarted(actionId: string, { attempt }: Pick<Motion, 'attempt'>): ToolReply {
  const said = `Did not ${attempt}: the call was cancelled before the robot received it. Nothing moved.`;
  const facts = { status: 'failed', said, code: 'CANCELLED', action_id: actionId, attempted: false, world_changed: 'no' };
  return { said, facts, isError: true };
}

/** Returns the reply about an action whose outcome did not arrive. */
export function unknownEnd(actionId: string, { attempt }: Pick<Motion, 'attempt'>, thrown: unknown): ToolReply {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const hint = `Call wait with action_id "${actionId}" to learn what became of it. Repeat the call only if the action is unknown there.`;
  const said = `It is unknown whether the robot could ${attempt}: ${message} ${hint}`;
  const facts = {
    status: 'failed',
    said,
    code: 'NO_ANSWER',
    action_id: actionId,
    attempted: true,
    world_changed: 'unknown',
    hint,
  };
  return { said, facts, isError: true };
}

/**
 * Cancels the action once `stop` fires, again and again until it is over, because the robot may receive the cancel before the
 * call. Never rejects.
 */
async function cancelWhen(stop: AbortSignal, { robot, clock }: AgentContext, actionId: string, over: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of [stop, over]) {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    }
  });
  while (!over.aborted) {
    // One lost cancel must not delay the next, nor the reply about the end.
    void robot.cancel(actionId).catch(() => undefined);
    await clock.pause(CANCEL_EVERY_MS, over);
  }
}

const distance = (from: RobotFacts, to: RobotFacts): number =>
  round(Math.hypot(to.pose.x - from.pose.x, to.pose.y - from.pose.y));
