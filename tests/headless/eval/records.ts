import type { AgentRecord, RunRecord } from '../../../src/headless/eval/run-record.ts';

/** A run as a record, for tests of results of many runs. */
export const recordOf = (given: Partial<RunRecord> = {}): RunRecord => ({
  task: 'take-one',
  suite: 'fetch',
  title: 'Take one',
  instruction: 'Take one cube and hold it.',
  task_sha256: 'a1',
  scene: 'hall',
  robot: 'humanoid',
  seed: 1,
  wording: 'default',
  outcome: 'passed',
  reason: 'goal_reached',
  share: 1,
  credit: 1,
  calls: 2,
  simulated_s: 3,
  wall_s: 0.5,
  verdict: null,
  missing: [],
  sentences: [],
  agent: null,
  proof_file: null,
  output_file: null,
  no_proof: null,
  pictures: null,
  no_pictures: null,
  ...given,
});

/** A program of an agent that has ended, as a record. */
export const agentOf = (given: Partial<AgentRecord>): AgentRecord => ({
  end: 'exited',
  exit_code: 0,
  signal: null,
  left_behind: 0,
  output_dropped: 0,
  error_line: null,
  ended_robot: null,
  ...given,
});
