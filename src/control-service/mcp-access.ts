import { z } from 'zod';
import type { InvokeOptions, RobotAccess, SkillReply } from '../agent-tools/robot-access.ts';
import { capitalise } from '../common/capitalise.ts';
import { SentenceError } from '../common/sentence-error.ts';
import { commandKind } from '../protocol/wire/command-kinds.ts';
import { driverFactsSchema, saidDriver } from '../protocol/wire/driver.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import type { Caller } from './caller.ts';
import type { ServiceDeps } from './deps.ts';
import { sessionCommand } from './operations/commands.ts';
import { findRuntime, type RuntimeAddress } from './operations/find-runtime.ts';
import { getRobot, type RobotRow } from './operations/lookup.ts';
import { holdsVelocity } from './operations/runtime-calls.ts';
import { ATTEMPT_MS, untilAnswered } from './operations/until-answered.ts';
import { newId } from './secrets.ts';
import { ServiceError } from './service-error.ts';

/** An agent gets an answer to a read, or the reason for its absence, within this time. */
const READ_MAX_MS = 4_000;

const NO_PICTURES =
  'This connection carries no pictures: the control service is not in the room of the robot, and a picture is larger than its calls. get_scene lists the things near the robot, with their places. For pictures, the user can connect you with "simplesim mcp --room", which joins the room.';
const NO_LEASE =
  'This connection cannot hold the right to drive, nor ask for it. "simplesim mcp --room" can, because it joins the room of the robot.';
const UNLEASED = 'No one drives now, so the robot accepts your motions, and those of others.';
const RELEASE_IT =
  'drives, so the robot rejects your motions. Ask your user to have someone release the robot. Its owner can free it with POST /v1/robots/{robot_id}/session/control and {"to": null}.';

/** How long to wait for the contract of a runtime, which answers this also while it loads. */
const CONTRACT_MAX_MS = 2_500;
/** Each contract has another skill that stops the robot. */
const OTHER_STOP: Readonly<Record<string, string>> = { cancel: 'stop', stop: 'cancel' };
const UNKNOWN_CONTRACT =
  'The robot did not answer which contract it keeps, so nothing was sent. Call robot_status, then repeat the call.';
const CHANGED = 'Another program became this robot while the call began. Call robot_status, then repeat the call.';

const refusal = (code: string, message: string, details: object = {}): SkillReply => ({
  status: 'failed',
  error: { code, message, details: { ...details, attempted: false, world_changed: 'no' } },
});

/** The part of the state about the driver. */
const stateSchema = z.looseObject({
  robot: z.looseObject({ extra: z.looseObject({ driver: driverFactsSchema.nullish().catch(null) }) }),
});

/** Thrown when a call was kept from the runtime: it keeps another contract than the call was made for, or does not report it. */
class NotSent extends Error {}

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

  /** The runtime that was in the room last. Any robot may be a program of either contract. */
  let known: { joinId: string; profile: RuntimeProfile } = { joinId: '', profile: type === 'physical' ? 'worker' : 'simulator' };

  async function contractOf(address: RuntimeAddress, signal?: AbortSignal): Promise<RuntimeProfile> {
    const joinId = address.seen?.joinId ?? '';
    if (joinId !== known.joinId || joinId === '') {
      const actionId = newId(deps.clock.nowMs(), deps.randomBytes);
      const holds = await holdsVelocity(deps, address, { actionId, waitS: CONTRACT_MAX_MS / 1_000, signal });
      known = { joinId, profile: holds ? 'worker' : 'simulator' };
    }
    return known.profile;
  }

  async function command(skill: string, input: object, { actionId, deadlineS, contract }: InvokeOptions): Promise<SkillReply> {
    const body = { skill, parameters: { ...input }, action_id: actionId, deadline_s: deadlineS };
    const expected = contract ?? known.profile;
    const kind = commandKind(skill, input);
    const isFree = kind === 'stop' || kind === 'read';
    // A velocity for one contract would not end under the other.
    const check = async (address: RuntimeAddress): Promise<void> => {
      if (isFree) return;
      const now = await contractOf(address).catch(() => {
        throw new NotSent(UNKNOWN_CONTRACT);
      });
      if (now !== expected) throw new NotSent(CHANGED);
    };
    try {
      return (await sessionCommand(deps, caller, robotId, body, undefined, check)) as SkillReply;
    } catch (error) {
      return error instanceof NotSent ? refusal('NOT_READY', error.message) : refusalOf(error);
    }
  }

  return {
    get profile() {
      return known.profile;
    },
    identity: undefined,
    async meet() {
      const signal = AbortSignal.timeout(CONTRACT_MAX_MS);
      try {
        await contractOf(await findRuntime(deps, await getRobot(deps.db, caller, robotId), signal), signal);
      } catch {
        // The call itself reports why there is no runtime.
      }
    },
    async invoke(skill, input, options) {
      const reply = await command(skill, input, options);
      const other = OTHER_STOP[skill];
      return other !== undefined && reply.error?.code === 'UNKNOWN_SKILL' ? command(other, input, options) : reply;
    },
    read: (method, payload = {}) => ask(method, payload).catch(refusalOf),
    cancel: (actionId) => ask('runtime.cancel', { options: { action_id: actionId } }),
    // A lease belongs to an identity in the room, and the media server gives each call of the service another one. A lease that was
    // taken here would lock out everyone, this agent too.
    async control() {
      const state = stateSchema.safeParse(await ask('runtime.state', {}).catch(() => null));
      const driver = state.data?.robot.extra.driver;
      const now = !state.success ? [] : [driver ? `${capitalise(saidDriver(driver))} ${RELEASE_IT}` : UNLEASED];
      return refusal('NOT_CONTROLLER', [NO_LEASE, ...now].join(' '));
    },
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
  return refusal(code, message, details);
}
