import type { TaskFile } from '../../../protocol/files/task-file.ts';
import type { FromSimulation } from '../../../runtime/host/sim-messages.ts';
import type { Runtime, RuntimeDeps } from '../../../runtime/runtime.ts';
import { proofText } from '../../../tasks/proof-text.ts';
import { createRun, UNPROVABLE } from '../../../tasks/recorded-run.ts';

/** How often the page updates the state of a task. */
const TELL_EVERY_STEPS = 60;

/** A robot whose run is recorded and judged. */
export interface JudgedRobot {
  runtime: Runtime;
  /** Returns the proof of the run so far, or why there is none. */
  proof(): { ok: true; text: string } | { ok: false; problem: string };
}

/**
 * Creates the robot of a task. The task's state is posted at the start, twice a second of simulated time, and when it is decided.
 */
export function createJudgedRobot(deps: RuntimeDeps, task: TaskFile, post: (message: FromSimulation) => void): JudgedRobot {
  const { newActionId: _, ...rest } = deps;
  const run = createRun({ ...rest, task, waitsForAction: true });
  let isDecided = false;
  const report = (): void => {
    const verdict = run.verdict();
    if (verdict) post({ kind: 'task', verdict, isDecided, missing: isDecided ? run.missing() : [] });
  };
  report();
  return {
    runtime: {
      ...run.runtime,
      step(nowMs) {
        run.runtime.step(nowMs);
        if (isDecided) return;
        isDecided = run.decided() !== null;
        if (isDecided || run.steps() % TELL_EVERY_STEPS === 0) report();
      },
    },
    proof() {
      const proved = run.proof();
      return proved.ok ? { ok: true, text: proofText(proved.proof) } : { ok: false, problem: UNPROVABLE[proved.reason] };
    },
  };
}
