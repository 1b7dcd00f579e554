import { PLANNER, runPlanner } from '../../headless/eval/planner-run.ts';
import type { Pictures } from '../../headless/pictures/pictures.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { EvalArgs } from './eval-args.ts';
import { openRoomDesk } from './room-desk.ts';

/** @throws Error if a requirement of the agent cannot be started */
export const openAgentDesk = async (args: EvalArgs, resultsDir: string, pictures: Pictures | null): Promise<AgentDesk> =>
  args.agent === PLANNER ? plannerDesk() : openRoomDesk(args, resultsDir, pictures);

function plannerDesk(): AgentDesk {
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
