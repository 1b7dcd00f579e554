import type { ProofCall, ProofCaller, ProofInput } from '../protocol/files/proof-file.ts';
import type { TaskFile } from '../protocol/files/task-file.ts';
import { guardSchema } from '../protocol/wire/action.ts';
import { type Caller, unsignedCaller } from '../protocol/wire/caller.ts';
import { contractOf } from '../protocol/wire/contract.ts';
import { driverKey } from '../protocol/wire/driver.ts';
import { CANCEL_ACTIVE, METHOD_REQUESTS } from '../protocol/wire/methods.ts';
import type { OwnerOrder } from '../protocol/wire/owner-order.ts';
import { contractFor } from '../runtime/contract-of.ts';
import { createCore, type RuntimeCore, type RuntimeDeps } from '../runtime/core.ts';
import * as lease from '../runtime/lease.ts';
import { type Runtime, runtimeOver } from '../runtime/runtime.ts';
import type { RuntimeCall } from '../runtime/runtime-call.ts';
import { stateHash } from '../simulation/world.ts';
import { createDriveStreams } from './drive-streams.ts';
import { createWorldFaults } from './faults.ts';
import { createJudge, type Judge } from './judge.ts';
import { payloadOfProof } from './proof-text.ts';
import { refusedInTask } from './refused-in-task.ts';
import { createRunClock, type RunClock } from './run-clock.ts';

/** The common part of a run and its re-simulation: a runtime on the run's own clock, with counted steps and the ids of the run. */
export interface RunEngine {
  readonly core: RuntimeCore;
  readonly runtime: Runtime;
  readonly clock: RunClock;
  /** Null in a run without a task. */
  readonly judge: Judge | null;
  /** Steps made so far. A reset does not set it back. */
  readonly steps: number;
  step(): void;
  /**
   * Serves a call of a method that may change the world (`mayChange`); ids that are made for it can be made again.
   * @returns whether it can have changed more than the look of things: only such a call is an input of the run
   */
  call(call: RuntimeCall, reply: (text: string) => void): boolean;
  /** Serves a call that only looks. */
  read(call: RuntimeCall, reply: (text: string) => void): void;
  /** Makes a change that is not a call; its ids are reproducible too. */
  change(make: () => void): void;
  hash(): string;
}

/** Methods that may change the world; all others look. */
const CHANGING: ReadonlySet<string> = new Set([
  'runtime.tools_call',
  'runtime.cancel',
  'runtime.emergency_stop',
  'runtime.control',
]);

/** Returns whether a call of this method may be an input of a run. */
export const mayChange = (method: string): boolean => CHANGING.has(method);

/** Returns whether a leaving participant drives, or asks to; only then its leaving is an input. */
export function isOfLease({ lease: { holder, askers } }: RuntimeCore, identity: string): boolean {
  const key = driverKey({ kind: 'participant', identity });
  return [holder, ...askers].some((one) => one?.key === key);
}

/** The driver and those who ask, as a text to compare: a call that does not change it is a sign of life at most. */
const driversOf = ({ lease: { holder, askers } }: RuntimeCore): string =>
  JSON.stringify([holder?.key, askers.map(({ key, heardAtMs }) => [key, heardAtMs])]);

const REFUSAL = guardSchema.strict();

/** Returns whether a reply rejects its call, which then has changed nothing. A fault may occur in the middle of a change. */
function isRefusal(text: string): boolean {
  const read = REFUSAL.safeParse(JSON.parse(text));
  return read.success && read.data.error.code !== 'INTERNAL';
}

/** Returns whether an order of the owner is new; only then it is an input. */
export const isNewOrder = ({ lease }: RuntimeCore, order: Pick<OwnerOrder, 'order_id'>): boolean =>
  !lease.orders.heard.some(({ order_id: heard }) => heard === order.order_id);

export interface EngineDeps extends Omit<RuntimeDeps, 'newActionId' | 'refuseSkill'> {
  /** The beginning of the ids of actions whose caller chose none. */
  ids: string;
  task?: TaskFile | undefined;
}

export function createRunEngine({ ids, task, ...deps }: EngineDeps): RunEngine {
  const clock = createRunClock();
  let steps = 0;
  let changing = 0;
  let looking = 0;
  let isLooking = true;
  // Reads have ids of their own, so that a re-simulation without them makes the same ids for the rest.
  const newActionId = (): string => {
    if (isLooking) looking += 1;
    else changing += 1;
    return isLooking ? `${ids}-r${looking}` : `${ids}-${changing}`;
  };
  const drives = createDriveStreams();
  const { hasCommandsWithoutAction } = contractOf(deps.profile ?? 'simulator');
  let accepted = 0;
  const core = createCore(
    {
      ...deps,
      newActionId,
      ...(task?.time === undefined ? {} : { time: task.time }),
      // The only gate of a task, for the run and for its re-simulation: where skills are dispatched, by the name that was read.
      ...(task === undefined ? {} : { refuseSkill: refusedInTask }),
      onAccepted(action) {
        accepted += 1;
        if (action.kind === 'tool' && !drives.goesOn(action, steps)) judge?.noteCall();
        deps.onAccepted?.(action);
      },
    },
    contractFor(deps),
  );
  const runtime = runtimeOver(core);
  const judge = task === undefined ? null : createJudge(task, core.world);
  const faults = task?.faults === undefined ? null : createWorldFaults(task.faults, deps.seed, core);
  function during(looks: boolean, make: () => void): void {
    const before = isLooking;
    isLooking = looks;
    try {
      make();
    } finally {
      isLooking = before;
    }
  }
  function call(one: RuntimeCall, reply: (text: string) => void): boolean {
    const acceptedBefore = accepted;
    const idsBefore = changing;
    // Pictures are actions too, and change nothing.
    const mayEnd = [...core.ledger.active.values()].some(({ kind }) => kind === 'tool');
    const isCancelOfTool = one.method === 'runtime.cancel' && mayEnd && namesTool(core, one.payload);
    const wasLatched = core.emergency.latched !== null;
    const driving = one.method === 'runtime.control' ? driversOf(core) : null;
    const isIdle = !hasCommandsWithoutAction && one.method === 'runtime.emergency_stop' && wasLatched && !mayEnd;
    let isOver = false;
    let isRefused = false;
    during(isIdle, () =>
      runtime.handle({ ...one, nowMs: clock.ms }, (text) => {
        if (!isOver) isRefused = isRefusal(text);
        reply(text);
      }),
    );
    isOver = true;
    const isAccepted = accepted > acceptedBefore;
    // The reply of a refused call names no id: the next call gets the id that was made for it.
    if (one.method === 'runtime.tools_call' && !isAccepted && (isRefused || !hasCommandsWithoutAction)) changing = idsBefore;
    if (driving !== null) return driversOf(core) !== driving;
    if (one.method === 'runtime.cancel') return isCancelOfTool;
    if (isRefused && !isAccepted) return false;
    if (hasCommandsWithoutAction) return true;
    switch (one.method) {
      case 'runtime.tools_call':
        return isAccepted;
      default:
        return !isIdle && core.emergency.latched !== null;
    }
  }
  return {
    core,
    runtime,
    clock,
    judge,
    get steps() {
      return steps;
    },
    step() {
      clock.step(core.speed);
      steps += 1;
      faults?.beforeStep();
      runtime.step(clock.ms);
      judge?.afterStep(core.world, steps);
    },
    call,
    read: (call, reply) => during(true, () => runtime.handle({ ...call, nowMs: clock.ms }, reply)),
    change: (make) => during(false, make),
    hash: () => stateHash(core.world),
  };
}

/** Returns whether a cancel is for something other than a picture, which a proof does not contain. */
function namesTool({ ledger: { active } }: RuntimeCore, payload: string): boolean {
  const request = METHOD_REQUESTS['runtime.cancel'].safeParse(parsed(payload));
  if (!request.success) return false;
  const { action_id: id } = request.data.options;
  return id === CANCEL_ACTIVE || active.get(id)?.kind === 'tool';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Gives the engine an input of a proof.
 * @returns whether a run writes down such an input at this moment
 * @throws Error when it names what the proof does not have
 */
export function applyInput(
  engine: RunEngine,
  input: ProofInput,
  tables: { calls: readonly ProofCall[]; callers: readonly ProofCaller[] },
): boolean {
  const { core, runtime, clock } = engine;
  const callerAt = (at: number): Caller => callerOfProof(must(tables.callers[at]));
  switch (input[1]) {
    case 'call': {
      const call = must(tables.calls[input[2]]);
      return engine.call(callOfProof(call, must(tables.callers[call.caller])), () => undefined);
    }
    case 'heard':
      if (core.lease.holder === null) return false;
      core.nowMs = clock.ms;
      lease.hear(core, core.lease.holder.by);
      return true;
    case 'clock': {
      const isLater = input[2] > clock.ms;
      clock.set(input[2]);
      return isLater;
    }
    case 'suspended':
      runtime.noteSuspended(input[2], clock.ms);
      return true;
    case 'left': {
      const isInput = isOfLease(core, input[2]);
      runtime.noteLeft(input[2], clock.ms);
      return isInput;
    }
    case 'owner_order': {
      const isInput = isNewOrder(core, input[2]);
      runtime.obeyOwner(input[2], clock.ms);
      return isInput;
    }
    case 'stop':
      engine.change(() => runtime.cancelActive(clock.ms, callerAt(input[2])));
      return true;
    case 'emergency_stop':
      runtime.emergencyStop(clock.ms, callerAt(input[2]), {
        reason: input[3],
        ...(input[4] === null ? {} : { pressId: input[4] }),
      });
      return core.emergency.latched !== null;
    case 'released': {
      const isInput = core.emergency.latched !== null;
      runtime.releaseEmergencyStop(clock.ms);
      return isInput;
    }
  }
}

function callOfProof({ method, payload, text }: ProofCall, caller: ProofCaller): RuntimeCall {
  const { identity, agent, holder, grant_id: grantId } = caller;
  return {
    requestId: 'proof',
    method,
    payload: payloadOfProof({ payload, text }),
    callerIdentity: identity,
    nowMs: 0,
    mark: agent && 'agent',
    ...(holder === undefined || grantId === undefined ? {} : { signedBy: { holder, grantId } }),
  };
}

/** Returns a caller as a proof has it. Marks of strokes are for people's lists, and left out. */
export function proofCaller(caller: Caller): ProofCaller {
  switch (caller.kind) {
    case 'page':
      return caller.agent ? { identity: null, agent: true } : { identity: null };
    case 'participant':
      return { identity: caller.identity };
    case 'holder':
      return { identity: caller.carrier, holder: caller.holder, grant_id: caller.grantId };
    case 'service':
      return { identity: null, service: caller.name };
    case 'robot':
      return { identity: null, robot: caller.what };
  }
}

/** Returns the caller that a proof names. */
export function callerOfProof({ identity, agent, holder, grant_id: grantId, robot, service }: ProofCaller): Caller {
  if (robot !== undefined) return { kind: 'robot', what: robot };
  if (service !== undefined) return { kind: 'service', name: service };
  if (holder !== undefined && grantId !== undefined && identity !== null)
    return { kind: 'holder', holder, grantId, carrier: identity };
  return unsignedCaller(identity, agent && 'agent');
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('An input names a call or a caller that the proof does not have.');
  return value;
}
