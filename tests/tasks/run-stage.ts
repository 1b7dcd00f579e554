import RAPIER from '@dimforge/rapier3d-compat';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import type { CaptureJob } from '../../src/runtime/runtime.ts';
import { stateHash } from '../../src/simulation/world.ts';
import { createRun, type Run, type RunDeps } from '../../src/tasks/recorded-run.ts';
import { checkRpcReply } from '../client-models/check.ts';
import type { LoggedCall, Stage } from '../promises/replay-log.ts';

/** A recorded run whose calls and steps are made by hand, at the pace of a clock that can be moved. */
export interface RunStage extends Omit<Stage, 'core'> {
  run: Run;
  /** The real clock, milliseconds since the epoch. */
  nowMs: number;
  /** How much of a step's time passes on the real clock. @default 1 */
  pace: number;
  hashes: string[];
}

const STEP_MS = 1000 / 120;

export async function createRunStage(options: Partial<RunDeps> = {}): Promise<RunStage & Stage> {
  await RAPIER.init();
  const ends: string[] = [];
  const jobs: CaptureJob[] = [];
  let requests = 0;
  const run = createRun({
    rapier: RAPIER,
    seed: 1,
    productVersion: '0.0.0-test',
    startCapture: (job) => void jobs.push(job),
    onAction: () => undefined,
    onEnded: ({ name, status, result }) => void ends.push(`${name} ${status === 'done' ? 'done' : result.error?.code}`),
    ...options,
  });
  const stage: RunStage & Stage = {
    run,
    runtime: run.runtime,
    get core(): RuntimeCore {
      throw new Error('a run shows its world alone');
    },
    ends,
    hashes: [],
    nowMs: 1_760_000_000_000,
    pace: 1,
    call({ method, payload, caller }: Omit<LoggedCall, 'step'>, onReply = () => {}) {
      requests += 1;
      const call = {
        requestId: `r${requests}`,
        method,
        payload: JSON.stringify(payload),
        callerIdentity: caller,
        nowMs: stage.nowMs,
      };
      run.runtime.handle(call, (text) => onReply(checkRpcReply(method, text)));
    },
    step() {
      for (const { actionId } of jobs.splice(0)) run.runtime.finishCapture(actionId, { ok: true, byteLength: 1 }, stage.nowMs);
      stage.nowMs += (STEP_MS * stage.pace) / run.runtime.speed();
      run.runtime.step(stage.nowMs);
      const hash = stateHash(run.world());
      stage.hashes.push(hash);
      return hash;
    },
  };
  return stage;
}

/** The proof of a run, which must have one. */
export function proofOf({ run }: RunStage) {
  const proved = run.proof();
  if (!proved.ok) throw new Error(`there is no proof: ${proved.reason}`);
  return proved.proof;
}
