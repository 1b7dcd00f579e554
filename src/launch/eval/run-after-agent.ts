import { thrownText } from '../../control-service/thrown.ts';
import type { JudgedRobot } from '../../headless/eval/judged-robot.ts';
import { notStarted } from '../../headless/eval/not-started.ts';
import { endByAgent } from '../../headless/eval/robot-left.ts';
import type { AgentRecord, PlannedRun } from '../../headless/eval/run-record.ts';
import { brokenRun, type FinishedRun, finishRun } from '../../headless/eval/watched-run.ts';
import type { ProgramRecord } from './agent-program.ts';

/** After the agent or its robot has ended, objects that still move come to rest and are judged within this time. */
export const SETTLES_MS = 2_000;

export interface AfterAgent {
  program: ProgramRecord;
  /** The agent, a command of the shell. */
  command: string;
  /** The file of its output, relative to the folder of the results. */
  outputFile: string;
  /** Whether the same SFU was up all the time. */
  sfuStayed: boolean;
  wallS: number;
  /** Aborted when the evaluation ends early. */
  endedEarly: boolean;
}

/** Returns the result of a run, once its agent has ended. Reports what the agent did, even after an error. */
export function runAfterAgent(
  planned: PlannedRun,
  judged: Pick<JudgedRobot, 'run' | 'left' | 'wasCalled' | 'settle'>,
  { program, command, outputFile, sfuStayed, wallS, endedEarly }: AfterAgent,
): FinishedRun {
  const left = judged.left();
  const agent: AgentRecord = { ...program, ended_robot: left && endByAgent(left, sfuStayed) };
  // A program may exit with the code by which a shell reports a missing command. If it has called or ended the robot, the command
  // exists.
  if (agent.end === 'not_started' && (judged.wasCalled() || agent.ended_robot !== null)) agent.end = 'exited';
  const agentFacts = { agent, output_file: outputFile };
  try {
    const run = judged.run();
    if (run === null || (left !== null && agent.ended_robot === null))
      return brokenRun(planned, `The robot of this run broke (${left ?? 'it has no world'}).`, wallS, agentFacts);
    if (left !== null) judged.settle(SETTLES_MS / 1_000);
    const finished = finishRun(planned, run, wallS);
    Object.assign(finished.record, agentFacts);
    const why = whyNotMade(agent, command, endedEarly && run.decided() === null);
    if (why !== null) Object.assign(finished.record, { outcome: 'error', reason: why });
    return finished;
  } catch (thrown) {
    return brokenRun(planned, thrownText(thrown), wallS, agentFacts);
  }
}

function whyNotMade({ end, exit_code: code }: AgentRecord, command: string, isEndedEarly: boolean): string | null {
  if (isEndedEarly) return 'The evaluation was ended during this run.';
  return end === 'not_started' ? notStarted(command, code) : null;
}
