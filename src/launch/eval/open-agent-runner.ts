import { PLANNER, runPlanner } from '../../headless/eval/planner-run.ts';
import type { Pictures } from '../../headless/pictures/pictures.ts';
import type { AgentRunner } from './agent-runner.ts';
import type { EvalArgs } from './eval-args.ts';
import { openRoomRunner } from './room-runner.ts';

/** @throws Error if a requirement of the agent cannot be started */
export const openAgentRunner = async (args: EvalArgs, resultsDir: string, pictures: Pictures | null): Promise<AgentRunner> =>
  args.agent === PLANNER ? plannerRunner() : openRoomRunner(args, resultsDir, pictures);

function plannerRunner(): AgentRunner {
  return {
    async makeRun(planned) {
      // A run blocks the event loop. Signals are handled between two runs.
      await new Promise((resolve) => setImmediate(resolve));
      return runPlanner(planned);
    },
    endAll: async () => undefined,
    close: async () => undefined,
  };
}
