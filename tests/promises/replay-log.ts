/**
 * A call log and its replay: the runtime with its world, a clock tied to the steps, and the state hash after each step. Uses
 * neither Node nor vitest, because the same file runs in a browser's worker.
 */

import { createCore, type RuntimeCore } from '../../src/runtime/core.ts';
import { type CaptureJob, type Runtime, runtimeOver, type StoredAction } from '../../src/runtime/runtime.ts';
import { SIMULATOR_CONTRACT } from '../../src/runtime/simulator-contract.ts';
import type { Physics } from '../../src/simulation/sim-world.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { checkRpcReply } from '../client-models/check.ts';

/** A call made before the step of this number, counted from 0. */
export interface LoggedCall {
  step: number;
  method: string;
  payload: unknown;
  caller: string;
}

export interface CallLog {
  name: string;
  /** Of the world at the start. */
  seed: number;
  steps: number;
  /** In the order of their steps. */
  calls: readonly LoggedCall[];
}

/** The hashes and replies of a replay. */
export interface Replay {
  /** The world's state hash after each step. */
  hashes: string[];
  /** Ended actions in the order of their ends: "pick_entity done", "go_to CANCELLED". */
  ends: string[];
}

/** A runtime whose calls and steps are made by hand, at the pace of its own clock. */
export interface Stage {
  core: RuntimeCore;
  runtime: Runtime;
  ends: string[];
  /** Calls at once; the parsed reply comes at once or in a later step. */
  call(call: Omit<LoggedCall, 'step'>, onReply?: (reply: unknown) => void): void;
  /** One step; pictures requested before it count as drawn. Returns the hash. */
  step(): string;
}

const EPOCH_MS = 1_760_000_000_000;
const STEP_MS = 1000 / 120;

const endOf = ({ name, status, result }: StoredAction): string => `${name} ${status === 'done' ? 'done' : result.error?.code}`;

/** A new runtime over a new world of a seed. */
export function createStage(rapier: Physics, seed: number): Stage {
  let steps = 0;
  let ids = 0;
  let requests = 0;
  const jobs: CaptureJob[] = [];
  const ends: string[] = [];
  const core = createCore(
    {
      rapier,
      seed,
      productVersion: '0.0.0-replay',
      newActionId: () => `made-${++ids}`,
      startCapture: (job) => void jobs.push(job),
      onAction: () => {},
      onEnded: (stored) => void ends.push(endOf(stored)),
    },
    SIMULATOR_CONTRACT,
  );
  const runtime = runtimeOver(core);
  const nowMs = (): number => EPOCH_MS + steps * STEP_MS;
  return {
    core,
    runtime,
    ends,
    call({ method, payload, caller }, onReply = () => {}) {
      requests += 1;
      const call = {
        requestId: `r${requests}`,
        method,
        payload: JSON.stringify(payload),
        callerIdentity: caller,
        nowMs: nowMs(),
      };
      runtime.handle(call, (text) => onReply(checkRpcReply(method, text)));
    },
    step() {
      for (const { actionId } of jobs.splice(0)) runtime.finishCapture(actionId, { ok: true, byteLength: 1 }, nowMs());
      steps += 1;
      runtime.step(nowMs());
      return stateHash(core.world);
    },
  };
}

/**
 * Replays a log on a stage in its present state.
 * @param before called before each step with its number, for a test that disturbs the replay
 */
export function replayOn(stage: Stage, log: CallLog, before: (step: number) => void = () => {}): Replay {
  const hashes: string[] = [];
  const firstEnd = stage.ends.length;
  let next = 0;
  for (let step = 0; step < log.steps; step += 1) {
    before(step);
    for (let call = log.calls[next]; call?.step === step; call = log.calls[next]) {
      stage.call(call);
      next += 1;
    }
    hashes.push(stage.step());
  }
  return { hashes, ends: stage.ends.slice(firstEnd) };
}

/** Replays a log in a new world of its seed. */
export function replay(rapier: Physics, log: CallLog): Replay {
  const stage = createStage(rapier, log.seed);
  const replayed = replayOn(stage, log);
  stage.runtime.dispose();
  return replayed;
}

/** The first step, counted from 1, whose hashes differ; null if all are equal. Lengths must be equal too. */
export function firstDifference(one: readonly string[], other: readonly string[]): number | null {
  for (let step = 0; step < Math.max(one.length, other.length); step += 1) if (one[step] !== other[step]) return step + 1;
  return null;
}

/**
 * Hashes combined into one after each step (FNV-1a over their characters, 32 bits twice): equal digests mean equal hashes at
 * every step so far.
 * @returns the digest after every `everySteps` steps, and after the last
 */
export function rollingDigests(hashes: readonly string[], everySteps: number): string[] {
  let [first, second] = [0x811c9dc5, 0x050c5d1f];
  const digests: string[] = [];
  hashes.forEach((hash, index) => {
    for (let i = 0; i < hash.length; i += 1) {
      first = Math.imul(first ^ hash.charCodeAt(i), 0x01000193);
      second = Math.imul(second ^ hash.charCodeAt(i), 0x01000193);
      second ^= second >>> 13;
    }
    if ((index + 1) % everySteps !== 0 && index + 1 !== hashes.length) return;
    digests.push([first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''));
  });
  return digests;
}
