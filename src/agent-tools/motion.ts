import { z } from 'zod';
import type { AgentContext } from './agent-context.ts';
import type { TOOL_CODES } from './codes.ts';
import { failureOf } from './failures.ts';
import { otherActions, type ReplacedAction, replacedBy, replacedText } from './replaced.ts';
import { resultNotes } from './result-notes.ts';
import type { SkillReply } from './robot-access.ts';
import { errorOf, isFailure, type RobotFacts, readRobot, round } from './robot-facts.ts';
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
  // The input was made for this contract. The robot may become another while its state is read.
  const contract = context.robot.profile;
  const before = await readRobot(context.robot);
  if (stop.aborted) return neverStarted(actionId, motion);
  const others = otherActions(context.book, actionId, before);
  const over = new AbortController();
  const cancelling = cancelWhen(stop, context, actionId, over.signal);
  try {
    const { skill, input, deadlineS } = motion;
    const reply = readSkillReply(await context.robot.invoke(skill, input, { actionId, deadlineS, contract }));
    const replaced = await replacedBy(context.robot, actionId, others);
    return motionReply(context, motion, actionId, reply, { before, after: await readRobot(context.robot), replaced });
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

/** The robot around an action. */
interface Surroundings {
  /** The robot before and after; a failure if it was not readable, null if it was not read. */
  before: Awaited<ReturnType<typeof readRobot>> | null;
  after: Awaited<ReturnType<typeof readRobot>>;
  /** @default none */
  replaced?: readonly ReplacedAction[];
}

/** Returns the reply about the end of an action. */
export function motionReply(
  context: Pick<AgentContext, 'robot' | 'place'>,
  motion: Pick<Motion, 'attempt' | 'success'>,
  actionId: string,
  reply: SkillReply,
  { before, after, replaced = [] }: Surroundings,
): ToolReply {
  const robot = isFailure(after) ? null : after;
  const error = errorOf({ ...reply });
  const details = error?.details ?? {};
  const failure = error && failureOf(error, context);
  const sentences = [
    failure ? `Could not ${motion.attempt} (${failure.code}): ${failure.text}` : `${motion.success(reply.result ?? {})}.`,
    ...resultNotes(reply),
    ...replacedText(replaced),
    ...(robot ? [poseText(robot)] : []),
  ];
  const facts = {
    status: reply.status,
    said: sentences.join(' '),
    action_id: reply.meta?.action_id ?? actionId,
    evidence: (error ? details.evidence : reply.result) ?? null,
    attempted: error ? details.attempted === true : true,
    world_changed: error ? (details.world_changed ?? 'unknown') : 'yes',
    ...(failure ? { code: failure.code } : {}),
    ...(failure?.hint ? { hint: failure.hint } : {}),
    ...(typeof details.superseded_by === 'string' ? { replaced_by: details.superseded_by } : {}),
    ...(replaced.length > 0 ? { replaced } : {}),
    ...robotPart(robot),
    moved_m: robot && before && !isFailure(before) ? distance(before, robot) : null,
  };
  return { said: facts.said, facts, isError: reply.status === 'failed' };
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

/** The code of a reply about an action whose outcome did not arrive. */
export const UNKNOWN_END = 'NO_ANSWER' satisfies keyof typeof TOOL_CODES;

/** Returns the reply about an action whose outcome did not arrive. */
export function unknownEnd(actionId: string, { attempt }: Pick<Motion, 'attempt'>, thrown: unknown): ToolReply {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const hint = `Call wait with action_id "${actionId}" to learn what became of it. Repeat the call only if the action is unknown there.`;
  const said = `It is unknown whether the robot could ${attempt}: ${message} ${hint}`;
  const facts = {
    status: 'failed',
    said,
    code: UNKNOWN_END,
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
    if (stop.aborted || over.aborted) return resolve();
    // A plan has one signal for the motions of all its steps.
    stop.addEventListener('abort', () => resolve(), { once: true, signal: over });
    over.addEventListener('abort', () => resolve(), { once: true });
  });
  while (!over.aborted) {
    // One lost cancel must not delay the next, nor the reply about the end.
    void robot.cancel(actionId).catch(() => undefined);
    await clock.pause(CANCEL_EVERY_MS, over);
  }
}

const distance = (from: RobotFacts, to: RobotFacts): number =>
  round(Math.hypot(to.pose.x - from.pose.x, to.pose.y - from.pose.y));
