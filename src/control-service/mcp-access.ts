import type { RobotAccess, SkillReply } from '../agent-tools/robot-access.ts';
import { SentenceError } from '../protocol/sentence-error.ts';
import type { Caller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import { sessionCommand } from './operations/commands.ts';
import { findRuntime } from './operations/find-runtime.ts';
import { getRobot, type RobotRow } from './operations/lookup.ts';
import { ATTEMPT_MS, untilAnswered } from './operations/until-answered.ts';
import { newId } from './secrets.ts';
import { ServiceError } from './service-error.ts';

/** An agent gets an answer to a read, or the reason for its absence, within this time. */
const READ_MAX_MS = 4_000;

const NO_PICTURES =
  'The control service carries no pictures. Call get_scene for the things near the robot. For pictures, connect the agent to the room: "simplesim mcp --room".';
const NO_CONTROL =
  'The calls of this agent come through the control service, which is not in the room and so cannot hold the right to drive. While no one drives, its motions are accepted without that right. If a person drives, ask them to release the robot, or let its owner free it with POST /v1/robots/{robot_id}/session/control.';

/** Returns the robot of a caller as an agent's tools use it: through the operations of the service. */
export function robotAccess(deps: ServiceDeps, caller: Caller, { id: robotId, type }: RobotRow): RobotAccess {
  /** Calls a method of the runtime that starts no action. @throws with a sentence */
  async function ask(method: string, payload: object): Promise<unknown> {
    const signal = AbortSignal.timeout(READ_MAX_MS);
    try {
      const line = await findRuntime(deps, await getRobot(deps.db, caller, robotId), signal);
      const { room, identity } = line;
      const text = JSON.stringify(payload);
      const actionId = newId(deps.clock.nowMs(), deps.randomBytes);
      const reply = await untilAnswered(deps, line, { actionId, waitS: READ_MAX_MS / 1_000, signal }, async () => ({
        kind: 'answer',
        value: await deps.sfu.performRpc({ room, identity, method, payload: text, timeoutMs: ATTEMPT_MS, signal }),
      }));
      return JSON.parse(reply);
    } catch (error) {
      if (error instanceof SyntaxError) throw new SentenceError('The reply of the robot is unreadable.');
      throw signal.aborted ? new SentenceError('The robot did not answer in time.') : error;
    }
  }

  return {
    profile: type === 'physical' ? 'worker' : 'simulator',
    identity: undefined,
    async invoke(skill, input, { actionId, deadlineS }) {
      const body = { skill, parameters: { ...input }, action_id: actionId, deadline_s: deadlineS };
      try {
        return (await sessionCommand(deps, caller, robotId, body)) as SkillReply;
      } catch (error) {
        return refusalOf(error);
      }
    },
    read: (method, payload = {}) => ask(method, payload).catch(refusalOf),
    cancel: (actionId) => ask('runtime.cancel', { options: { action_id: actionId } }),
    control: () => Promise.reject(new SentenceError(NO_CONTROL)),
    takePicture: () => Promise.reject(new SentenceError(NO_PICTURES)),
  };
}

/** The service's errors after which the robot may have carried out the call. */
const IN_DOUBT = ['runtime.timeout', 'runtime.call_failed', 'robot.not_stopped', 'database.unavailable', 'service.timeout'];

/** Returns the reply about a call that the robot did not carry out. @throws the error if it may have done so */
function refusalOf(error: unknown): SkillReply {
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, details } = error;
  // The service names the action if the robot may have received it.
  const isLost = 'action_id' in details && code !== 'command.overtaken';
  if (isLost || IN_DOUBT.includes(code)) throw error;
  return { status: 'failed', error: { code, message, details: { ...details, attempted: false, world_changed: 'no' } } };
}
