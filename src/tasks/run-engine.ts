import { type Caller, unsignedCaller } from '../protocol/caller.ts';
import type { ProofCall, ProofCaller, ProofInput } from '../protocol/proof-file.ts';
import type { TaskFile } from '../protocol/task-file.ts';
import { contractFor } from '../runtime/contract-of.ts';
import { createCore, type RuntimeCore, type RuntimeDeps } from '../runtime/core.ts';
import * as lease from '../runtime/lease.ts';
import { type Runtime, runtimeOver } from '../runtime/runtime.ts';
import type { RuntimeCall } from '../runtime/runtime-call.ts';
import { stateHash } from '../simulation/world.ts';
import { createDriveStreams } from './drive-streams.ts';
import { createWorldFaults } from './faults.ts';
import { createJudge, type Judge } from './judge.ts';
import { createRunClock, type RunClock } from './run-clock.ts';

/** What a run and its re-simulation have in common: a runtime on the run's own clock, its steps counted, its ids made by the run. */
export interface RunEngine {
  readonly core: RuntimeCore;
  readonly runtime: Runtime;
  readonly clock: RunClock;
  /** Null in a run without a task. */
  readonly judge: Judge | null;
  /** Steps made so far. A reset does not set it back. */
  readonly steps: number;
  step(): void;
  /** Serves a call that may change the world; ids that are made for it can be made again. */
  call(call: RuntimeCall, reply: (text: string) => void): void;
  /** Serves a call that only looks. */
  read(call: RuntimeCall, reply: (text: string) => void): void;
  /** Makes a change that is no call; its ids can be made again too. */
  change(make: () => void): void;
  hash(): string;
}

export interface EngineDeps extends Omit<RuntimeDeps, 'newActionId'> {
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
  // What looks has ids of its own, so that a re-simulation without it makes the same ids for the rest.
  const newActionId = (): string => {
    if (isLooking) looking += 1;
    else changing += 1;
    return isLooking ? `${ids}-r${looking}` : `${ids}-${changing}`;
  };
  const drives = createDriveStreams();
  const core = createCore(
    {
      ...deps,
      newActionId,
      onAccepted(action) {
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
    call: (call, reply) => during(false, () => runtime.handle({ ...call, nowMs: clock.ms }, reply)),
    read: (call, reply) => during(true, () => runtime.handle({ ...call, nowMs: clock.ms }, reply)),
    change: (make) => during(false, make),
    hash: () => stateHash(core.world),
  };
}

/** Gives the engine an input of a proof. @throws Error when it names what the proof does not have */
export function applyInput(
  engine: RunEngine,
  input: ProofInput,
  tables: { calls: readonly ProofCall[]; callers: readonly ProofCaller[] },
): void {
  const { core, runtime, clock } = engine;
  const callerAt = (at: number): Caller => callerOfProof(must(tables.callers[at]));
  switch (input[1]) {
    case 'call': {
      const call = must(tables.calls[input[2]]);
      engine.call(callOfProof(call, must(tables.callers[call.caller])), () => undefined);
      break;
    }
    case 'heard':
      if (core.lease.holder) {
        core.nowMs = clock.ms;
        lease.hear(core, core.lease.holder.by);
      }
      break;
    case 'clock':
      clock.set(input[2]);
      break;
    case 'suspended':
      runtime.noteSuspended(input[2], clock.ms);
      break;
    case 'left':
      runtime.noteLeft(input[2], clock.ms);
      break;
    case 'owner_order':
      runtime.obeyOwner(input[2], clock.ms);
      break;
    case 'stop':
      engine.change(() => runtime.cancelActive(clock.ms, callerAt(input[2])));
      break;
    case 'emergency_stop':
      runtime.emergencyStop(clock.ms, callerAt(input[2]), {
        reason: input[3],
        ...(input[4] === null ? {} : { pressId: input[4] }),
      });
      break;
    case 'released':
      runtime.releaseEmergencyStop(clock.ms);
      break;
  }
}

function callOfProof({ method, payload, text }: ProofCall, { identity, holder, grant_id: grantId }: ProofCaller): RuntimeCall {
  return {
    requestId: 'proof',
    method,
    payload: payloadOfProof({ payload, text }),
    callerIdentity: identity,
    nowMs: 0,
    ...(holder === undefined || grantId === undefined ? {} : { signedBy: { holder, grantId } }),
  };
}

/** Returns the payload of a call as it came, but for blanks. */
export const payloadOfProof = ({ payload, text }: Pick<ProofCall, 'payload' | 'text'>): string =>
  text ?? (payload === undefined ? '' : JSON.stringify(payload));

/** Returns a caller as a proof has it. Marks of strokes are for people's lists, and left out. */
export function proofCaller(caller: Caller): ProofCaller {
  switch (caller.kind) {
    case 'page':
      return { identity: null };
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

function callerOfProof({ identity, holder, grant_id: grantId, robot, service }: ProofCaller): Caller {
  if (robot !== undefined) return { kind: 'robot', what: robot };
  if (service !== undefined) return { kind: 'service', name: service };
  if (holder !== undefined && grantId !== undefined && identity !== null)
    return { kind: 'holder', holder, grantId, carrier: identity };
  return unsignedCaller(identity);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('An input names a call or a caller that the proof does not have.');
  return value;
}
