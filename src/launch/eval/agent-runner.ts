import type { PlannedRun } from '../../headless/eval/run-record.ts';
import type { FinishedRun } from '../../headless/eval/watched-run.ts';

/** Runs tasks with one agent. */
export interface AgentRunner {
  /** Never throws. */
  makeRun(planned: PlannedRun): Promise<FinishedRun>;
  /** Ends the active runs. */
  endAll(): Promise<void>;
  /** Ends everything that was started for it. */
  close(): Promise<void>;
}
