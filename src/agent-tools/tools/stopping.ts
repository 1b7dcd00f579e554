import { z } from 'zod';
import { isRecord } from '../../common/schema-texts.ts';
import type { BookedAction } from '../action-book.ts';
import type { AgentContext } from '../agent-context.ts';
import { type Failure, failureOf } from '../failures.ts';
import { motionReply, robotPart, runningReply, UNKNOWN_END } from '../motion.ts';
import type { RobotAccess, SkillReply } from '../robot-access.ts';
import { errorOf, isFailure, readRobot } from '../robot-facts.ts';
import { emergencyText, idText, poseText } from '../sentences.ts';
import { answerTool, READS } from '../tool.ts';
import { done, refused, type ToolReply } from '../tool-reply.ts';
import { within } from '../within.ts';
import { MOTION_MAX_S } from './motions.ts';

/** From full speed the base stands within 1.5 s. */
const REST_MAX_MS = 2_500;
const STOP_ANSWER_MAX_MS = 5_000;
const STOP_ATTEMPTS_MAX = 5;
const REST_LOOK_MS = 50;
const WAIT_DEFAULT_S = 20;

/** `stop`. */
export const stop = answerTool({
  name: 'stop',
  title: 'Stop everything',
  description:
    'Ends every action and plan and brings the robot to rest. Works while another drives, and never waits behind other calls. Does not release an emergency stop.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  isStop: true,
  answer: (context, _input, _signal, reports) => stopAll(context, reports),
});

/** Ends all actions of the robot and waits until it stands. */
async function stopAll(context: AgentContext, reports: (action: BookedAction) => void): Promise<ToolReply> {
  const { robot, book, clock } = context;
  const running = book.running();
  for (const action of running) {
    action.stop();
    reports(action);
  }
  const hint = 'Call robot_status. If the robot moves, ask a person to press its emergency stop.';
  let reply: SkillReply | null;
  try {
    reply = await within(invokeStop(context), STOP_ANSWER_MAX_MS, context);
    if (reply === null) throw new Error(`The robot did not answer within ${STOP_ANSWER_MAX_MS / 1_000} s.`);
  } catch (thrown) {
    return refused('NO_ANSWER', `The stop was not confirmed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, hint);
  }
  const error = errorOf({ ...reply });
  // Under a latched emergency stop, a physical robot rejects a stop: it was stopped already.
  if (error && error.details?.emergency_stop !== true) {
    const { code, text } = failureOf(error, context);
    return refused(code, `The stop was rejected: ${text}`, hint);
  }
  const untilMs = clock.nowMs() + REST_MAX_MS;
  let facts = await readRobot(robot);
  while (!isFailure(facts) && facts.isMoving && clock.nowMs() < untilMs) {
    await clock.pause(REST_LOOK_MS);
    facts = await readRobot(robot);
  }
  const ids = reply.result?.cancelled_action_ids;
  // The robot lists only what this call ended, and may have received the cancels of the running actions first.
  const stopped = [...new Set([...running.map(({ id }) => id), ...(Array.isArray(ids) ? ids.map(String) : [])])];
  const atRest = !isFailure(facts) && !facts.isMoving;
  const named = stopped.map((id) => {
    const own = running.find((action) => action.id === id);
    return own ? `${own.tool} (action ${idText(id)})` : `action ${idText(id)}`;
  });
  const what = named.length === 0 ? 'Nothing was running.' : `Stopped ${named.join(', ')}.`;
  const latched = isFailure(facts) || facts.emergencyStop === null ? '' : ` ${emergencyText(facts.emergencyStop)}`;
  const said = `${what}${latched} ${isFailure(facts) ? `It is unknown whether the robot stands: ${failureOf(facts, context).text}` : poseText(facts)}`;
  return done(said, { status: 'done', stopped, at_rest: atRest, ...robotPart(isFailure(facts) ? null : facts) });
}

/** Calls the skill that stops the robot. A drive that ends at the same time sends a stop too, and the later one replaces the other. */
async function invokeStop({ robot, newId }: AgentContext): Promise<SkillReply> {
  const skill = robot.profile === 'worker' ? 'stop' : 'cancel';
  for (let attempt = 1; ; attempt += 1) {
    const reply = await robot.invoke(skill, {}, { actionId: newId() });
    if (reply.error?.code !== 'CANCELLED' || attempt === STOP_ATTEMPTS_MAX) return reply;
  }
}

/** `wait`. */
export const wait = answerTool({
  name: 'wait',
  title: 'Wait for an action',
  description:
    'Waits for the result of a running action and returns it; for_s 0 only looks. Without action_id: the last action. The result of an ended action is returned at once, as often as you ask.',
  hints: READS,
  input: z.strictObject({
    action_id: z.string().min(1).max(128).optional(),
    for_s: z.number().min(0).max(MOTION_MAX_S).default(WAIT_DEFAULT_S),
  }),
  async answer(context, { action_id: givenId, for_s: forS }, signal, reports) {
    const { book, clock, robot } = context;
    const action = givenId === undefined ? book.last : book.byId(givenId);
    if (action === null && givenId === undefined) {
      await clock.pause(forS * 1_000, signal);
      return done(`You have started no action. Waited ${forS} s.`, { status: 'done' });
    }
    if (action !== null) {
      const ended = action.ended ?? (await within(action.reply, forS * 1_000, context, signal));
      if (ended !== null) {
        reports(action);
        // The call had no answer, but the robot may know the end of its action.
        return ended.facts.code === UNKNOWN_END ? ofRuntime(context, action.id, forS, signal) : ended;
      }
      const facts = await readRobot(robot);
      return runningReply(action.id, action.tool, isFailure(facts) ? null : facts);
    }
    return ofRuntime(context, givenId ?? '', forS, signal);
  },
});

const LOOK_EVERY_MS = 500;

/** Reads an action that this client did not start, or started before a restart, from the robot itself. */
async function ofRuntime(context: AgentContext, actionId: string, forS: number, signal: AbortSignal): Promise<ToolReply> {
  const { robot, clock } = context;
  const untilMs = clock.nowMs() + forS * 1_000;
  for (;;) {
    const reply = await readRaw(robot, actionId);
    if (reply.status === 'running') {
      if (clock.nowMs() < untilMs && !signal.aborted) {
        await clock.pause(LOOK_EVERY_MS, signal);
        continue;
      }
      const facts = await readRobot(robot);
      return runningReply(actionId, 'The action', isFailure(facts) ? null : facts);
    }
    if (isRecord(reply.meta)) return endedReply(context, actionId, reply as unknown as SkillReply);
    const error = errorOf(reply) ?? { code: UNKNOWN_END, message: 'The robot did not report what became of the action.' };
    return unknownReply(actionId, failureOf(error, context));
  }
}

/** Returns the reply of `runtime.action`; if there is none, a failure with the code `NO_ANSWER`. */
async function readRaw(robot: RobotAccess, actionId: string): Promise<Record<string, unknown>> {
  try {
    const reply = await robot.read('runtime.action', { action_id: actionId });
    if (isRecord(reply)) return reply;
    throw new Error('The reply of the robot is unreadable.');
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return { status: 'failed', error: { code: UNKNOWN_END, message } };
  }
}

/** Returns the reply about an action that the robot does not know, or did not report. */
function unknownReply(actionId: string, { code, text }: Failure): ToolReply {
  const hint = 'Call robot_status. Repeat the call only if its effect is missing.';
  const said = `It is unknown what became of action ${idText(actionId)}: ${text} ${hint}`;
  const facts = { status: 'failed', said, code, action_id: actionId, attempted: null, world_changed: 'unknown', hint };
  return { said, facts, isError: true };
}

async function endedReply(context: AgentContext, actionId: string, reply: SkillReply): Promise<ToolReply> {
  const text = { attempt: `complete action ${idText(actionId)}`, success: () => `Action ${idText(actionId)} is done` };
  return motionReply(context, text, actionId, reply, { before: null, after: await readRobot(context.robot) });
}
