import type { PlannedRun } from '../../headless/eval/run-record.ts';
import type { FinishedRun } from '../../headless/eval/watched-run.ts';

/** Makes runs with one agent. */
export interface AgentDesk {
  /** Never throws. */
  makeRun(planned: PlannedRun): Promise<FinishedRun>;
  /** Ends the runs that are under way. */
  endAll(): Promise<void>;
  /** Ends everything that was started for it. */
  close(): Promise<void>;
}
