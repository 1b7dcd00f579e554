import { setTimeout as sleep } from 'node:timers/promises';
import type { SemanticCommand, SessionCommandRequest } from '../../protocol/service/control-requests.ts';
import type { ActionResult, Guard } from '../../protocol/wire/action.ts';
import { commandKind, plainStop } from '../../protocol/wire/command-kinds.ts';
import { fitsRpc } from '../../protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../protocol/wire/limits.ts';
import type { Caller } from '../caller.ts';
import type { ServiceDeps } from '../deps.ts';
import { newId } from '../secrets.ts';
import { ServiceError } from '../service-error.ts';
import { type CommandSlot, inOrder } from './command-order.ts';
import { findRuntime, type RuntimeAddress } from './find-runtime.ts';
import { getRobot } from './lookup.ts';
import { callSkill, holdsVelocity, payloadOf, type SkillCall } from './runtime-calls.ts';

interface Motion {
  vx?: number;
  vy?: number;
  /** Turn to the left, rad/s. */
  turn?: number;
}

/** A semantic command moves the robot for one second: about half a metre, or half a radian. */
const SEMANTIC_MOTIONS: Record<SemanticCommand, Motion> = {
  forward: { vx: 0.5 },
  backward: { vx: -0.5 },
  left: { vy: 0.4 },
  right: { vy: -0.4 },
  'turn-left': { turn: 0.8 },
  'turn-right': { turn: -0.8 },
};
const SEMANTIC_MOTION_S = 1;
/** Time for an action without a deadline of its own. */
const DEFAULT_WAIT_S = 120;
/** After its deadline the runtime needs this long to stop and answer. */
const STOP_MARGIN_S = 5;
/**
 * A physical robot accepts a velocity, or a stop, at once. If there is no answer by then, it is unknown whether the call was
 * carried out.
 */
const HOLD_WAIT_S = 10;

/**
 * Carries a skill call to the runtime in the robot's room and returns how it ended.
 * @param signal Ends the retries when the caller stops waiting for the answer; the action itself continues.
 * @param check Rejects to keep the call from a runtime that the caller does not expect.
 */
export async function sessionCommand(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  body: SessionCommandRequest,
  signal?: AbortSignal,
  check?: (address: RuntimeAddress) => Promise<void>,
): Promise<ActionResult | Guard> {
  const input = body.parameters ?? {};
  const kind = commandKind(body.skill, input);
  const call: SkillCall = {
    skill: body.skill,
    input,
    actionId: body.action_id ?? newActionId(deps),
    deadlineS: body.deadline_s ?? undefined,
    waitS: (body.deadline_s ?? DEFAULT_WAIT_S) + STOP_MARGIN_S,
    signal,
  };
  return inOrder(deps, robotId, async (arrival) => {
    const robot = await getRobot(deps.db, caller, robotId);
    const slot = arrival.takeUp(kind);
    const carryOut = async (signal?: AbortSignal) => {
      const address = await findRuntime(deps, robot, signal);
      if (!fitsRpc(payloadOf(call))) {
        throw ServiceError.invalid(`The command is larger than ${RPC_PAYLOAD_MAX_BYTES} bytes. Send smaller parameters.`, [
          'parameters',
        ]);
      }
      await check?.(address);
      // The check takes time, and a stop does not wait for it.
      if (check && slot.isStopped()) throw ServiceError.overtaken(call.actionId);
      return callSkill(deps, address, { ...call, signal }, slot);
    };
    return kind === 'stop' ? inStopPlace(deps, caller, robotId, call, carryOut) : carryOut(signal);
  });
}

/**
 * Carries out a stop of the caller's robot, even if its caller disconnects, unless it must give its place to a later stop.
 * @throws 429 if there is no place for a stop that does more than stop; 504 if it gave its place away
 */
async function inStopPlace<T>(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  { skill, input, actionId, signal }: SkillCall,
  carryOut: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gaveWay = new AbortController();
  const giveWay = (): void => gaveWay.abort(ServiceError.stopGaveWay(actionId));
  const max = deps.settings.accountLimits.waitingCommands;
  const leave = deps.memory.stopPlaces.enter(caller.accountId, { robotId, kind: plainStop(skill, input), giveWay }, max);
  if (leave === null) throw ServiceError.accountLimit('waiting_stops', max);
  try {
    return await carryOut(AbortSignal.any([gaveWay.signal, ...(signal ? [outlive(signal, HOLD_WAIT_S)] : [])]));
  } catch (error) {
    throw gaveWay.signal.aborted ? gaveWay.signal.reason : error;
  } finally {
    leave();
  }
}

/** Returns a signal that aborts this long after the given one: a stop is delivered even if its caller has disconnected. */
function outlive(signal: AbortSignal, graceS: number): AbortSignal {
  const late = new AbortController();
  const end = (): void => void setTimeout(() => late.abort(signal.reason), graceS * 1000).unref();
  // If the caller has already disconnected, no further event comes.
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return late.signal;
}

/**
 * Moves the robot a little, and ends when it stands again.
 * @throws 409 with the runtime's own code if it did not move (502 if the contract has no such code), `robot.not_stopped` if it
 * may still move
 */
export async function semanticCommand(
  deps: ServiceDeps,
  caller: Caller,
  robotId: string,
  command: SemanticCommand,
  signal?: AbortSignal,
): Promise<void> {
  const { turn: yawRate, ...motion } = SEMANTIC_MOTIONS[command];
  const waitS = DEFAULT_WAIT_S + STOP_MARGIN_S;
  const actionId = newActionId(deps);
  return inOrder(deps, robotId, async (arrival) => {
    const robot = await getRobot(deps.db, caller, robotId);
    const slot = arrival.takeUp('drive');
    const address = await findRuntime(deps, robot, signal);
    if (await holdsVelocity(deps, address, { actionId, waitS, signal })) {
      return driveAndStop(deps, address, { ...motion, ...(yawRate === undefined ? {} : { vyaw: yawRate }) }, slot, signal);
    }
    const input = { ...motion, ...(yawRate === undefined ? {} : { wz: yawRate }), duration_s: SEMANTIC_MOTION_S };
    const result = await callSkill(deps, address, { skill: 'set_velocity', input, actionId, waitS, signal }, slot);
    if (result.error) throw ServiceError.saidByRuntime(result.error);
  });
}

/**
 * Drives and stops a Robot Control Worker, which keeps its velocity until the next command. The service stops it, even if the
 * caller disconnects in the meantime or it is unknown whether the robot has begun to move.
 */
async function driveAndStop(
  deps: ServiceDeps,
  address: RuntimeAddress,
  input: Record<string, number>,
  slot: CommandSlot,
  signal?: AbortSignal,
): Promise<void> {
  const actionId = newActionId(deps);
  const call = { skill: 'set_velocity', input, actionId, waitS: HOLD_WAIT_S, signal };
  const { failure, mayMove } = await drive(deps, address, call, slot);
  if (mayMove) await stop(deps, address, actionId);
  if (failure !== null) throw failure;
}

async function drive(
  deps: ServiceDeps,
  address: RuntimeAddress,
  call: SkillCall,
  slot: CommandSlot,
): Promise<{ failure: unknown; mayMove: boolean }> {
  try {
    const result = await callSkill(deps, address, call, slot);
    if (result.error) {
      // Without `meta`, the call did not become an action.
      return {
        failure: ServiceError.saidByRuntime(result.error),
        mayMove: 'meta' in result && result.error.details?.attempted !== false,
      };
    }
    await sleep(SEMANTIC_MOTION_S * 1000, undefined, call.signal ? { signal: call.signal } : {});
    return { failure: null, mayMove: true };
  } catch (failure) {
    const isUnreported = failure instanceof ServiceError && failure.code === 'command.overtaken';
    return { failure, mayMove: !isUnreported };
  }
}

/** Asks for a stop, or at least for a zero velocity. @throws `robot.not_stopped`, with the runtime's answer to it */
async function stop(deps: ServiceDeps, address: RuntimeAddress, driveId: string): Promise<void> {
  let why = '';
  try {
    for (const [skill, input] of [
      ['stop', {}],
      ['set_velocity', { vx: 0, vy: 0, vyaw: 0 }],
    ] as const) {
      const call = { skill, input, actionId: newActionId(deps), waitS: HOLD_WAIT_S };
      const { error } = await inOrder(deps, address.robotId, (arrival) => callSkill(deps, address, call, arrival.takeUp('stop')));
      if (!error) return;
      why = error.message;
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    why = error.message;
  }
  deps.log({ level: 'error', event: 'robot_not_stopped', room: address.room, action_id: driveId });
  throw ServiceError.robotNotStopped(driveId, why);
}

const newActionId = (deps: ServiceDeps): string => newId(deps.clock.nowMs(), deps.randomBytes);
