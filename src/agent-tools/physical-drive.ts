import type { AgentContext } from './agent-context.ts';
import { motionReply, neverStarted, unknownEnd } from './motion.ts';
import { otherActions, replacedBy } from './replaced.ts';
import type { SkillReply } from './robot-access.ts';
import { readRobot } from './robot-facts.ts';
import type { ToolReply } from './tool-reply.ts';

/** A velocity in the body frame: m/s forward and left, rad/s to the left. */
export interface PhysicalDrive {
  vx: number;
  vy: number;
  wz: number;
  seconds: number;
}

/** The tools that can move a robot with the physical robot's contract. */
export const PHYSICAL_TOOLS: readonly string[] = ['drive', 'run_plan'];

/**
 * Drives a robot whose velocity holds until the next command, and stops it. The call's deadline ends the velocity in the robot
 * itself, so it stops in time even if this process dies or the stop is lost.
 * @param stop fires when the drive must end early
 */
export async function drivePhysically(
  context: AgentContext,
  actionId: string,
  { vx, vy, wz, seconds }: PhysicalDrive,
  stop: AbortSignal,
): Promise<ToolReply> {
  const { robot, clock } = context;
  const attempt = `drive for ${seconds} s`;
  const before = await readRobot(robot);
  if (stop.aborted) return neverStarted(actionId, { attempt });
  const others = otherActions(context.book, actionId, before);
  const text = { attempt, success: () => `Drove for ${seconds} s and stopped` };
  try {
    const velocity = { vx, vy, vyaw: wz };
    const driven = await robot.invoke('set_velocity', velocity, { actionId, deadlineS: seconds, contract: 'worker' });
    if (!driven.error) await clock.pause(seconds * 1_000, stop);
    const stopped = await robot.invoke('stop', {}, { actionId: `${actionId}.stop` });
    const ended = outcomeOf(driven, stopped, stop.aborted);
    const replaced = await replacedBy(robot, actionId, others);
    return motionReply(context, text, actionId, ended, { before, after: await readRobot(robot), replaced });
  } catch (thrown) {
    return unknownEnd(actionId, { attempt }, thrown);
  }
}

/** Returns the end of the drive: the first failure of the two calls, or the cancellation, or the success. */
function outcomeOf(driven: SkillReply, stopped: SkillReply, isCancelled: boolean): SkillReply {
  if (driven.error) return driven;
  const { meta } = driven;
  if (stopped.error) return { ...stopped, ...(meta ? { meta } : {}) };
  if (!isCancelled) return { status: 'done', result: { ...driven.result, ...stopped.result }, ...(meta ? { meta } : {}) };
  const details = { attempted: true, world_changed: 'yes', evidence: stopped.result ?? null };
  const error = { code: 'CANCELLED', message: 'The drive was cancelled, and the robot stopped.', details };
  return { status: 'failed', error, ...(meta ? { meta } : {}) };
}
