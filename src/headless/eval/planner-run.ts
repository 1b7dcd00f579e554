import { play } from '../../tasks/agent-play.ts';
import { plannerAgent } from '../../tasks/planner-agent.ts';
import { createRun } from '../../tasks/recorded-run.ts';
import { startEngine } from '../../worker/robot/physics-engine.ts';
import { productVersion } from '../product-version.ts';
import type { PlannedRun } from './run-record.ts';
import { brokenRun, type FinishedRun, finishRun, type WatchedRun, watchRun } from './watched-run.ts';

/** The included agent, in this process. */
export const PLANNER = 'planner';

/** Lets the planner play, as fast as this machine can: no room, no clock. Never throws. */
export async function runPlanner(planned: PlannedRun): Promise<FinishedRun> {
  const startedMs = performance.now();
  const wallS = (): number => (performance.now() - startedMs) / 1_000;
  const rapier = await startEngine();
  const { task, seed, robot, sceneFile } = planned;
  let run: WatchedRun | null = null;
  try {
    run = watchRun(
      createRun({
        rapier,
        seed,
        robotId: robot,
        task,
        ...(sceneFile === null ? {} : { sceneFile }),
        productVersion: productVersion(),
        cameras: { kind: 'none' },
        startCapture: () => undefined,
        onAction: () => undefined,
      }),
    );
    play(run, plannerAgent(task), { identity: PLANNER });
    return finishRun(planned, run, wallS());
  } catch (thrown) {
    return brokenRun(planned, thrown instanceof Error ? thrown.message : String(thrown), wallS());
  } finally {
    run?.runtime.dispose();
  }
}
