import type { TaskFile } from '../../protocol/files/task-file.ts';
import type { Verdict } from '../../protocol/files/verdict.ts';
import type { RobotId } from '../../protocol/wire/robot.ts';
import type { SceneLayout } from '../../protocol/wire/scene.ts';
import type { EndByAgent } from './robot-left.ts';

/** The wordings of an instruction. */
export const WORDINGS = ['default', 'vague', 'specific'] as const satisfies readonly (keyof TaskFile['instruction'])[];
export type Wording = (typeof WORDINGS)[number];

/** One run to be made. */
export interface PlannedRun {
  task: TaskFile;
  seed: number;
  robot: RobotId;
  wording: Wording;
  /** The text of the file of its scene, which then goes into the proof; null for a scene of the product. */
  sceneFile: string | null;
}

/** How the program of an agent ended. */
export type AgentEnd =
  | 'exited'
  /** It was asked to end, because the run was decided. */
  | 'told_to_end'
  /** The time on the clock was over. */
  | 'timed_out'
  | 'not_started';

/** The end of the agent's program; null for an agent in this process. */
export interface AgentRecord {
  end: AgentEnd;
  exit_code: number | null;
  signal: string | null;
  /** Programs of it that were still there afterwards, and were killed. */
  left_behind: number;
  /** Bytes of its output that were not kept. */
  output_dropped: number;
  /** If it ended with an error: the last line of its output that names one, or else the last line; null if it printed nothing. */
  error_line: string | null;
  /** How it ended the robot of its run, which is judged as its world was then; null when it did not. */
  ended_robot: EndByAgent | null;
}

/** One run, as a line of `results.jsonl` has it. */
export interface RunRecord {
  task: string;
  suite: string;
  title: string;
  /** The task of the agent, in the wording of the run. */
  instruction: string;
  /** SHA-256 of the task and of a scene file of one's own: what is tried under one name may change. */
  task_sha256: string;
  scene: string;
  robot: RobotId;
  seed: number;
  wording: Wording;
  /** `error`: the run could not be made, and proves nothing about the agent. */
  outcome: 'passed' | 'failed' | 'error';
  /** The judge's reason, or of an `error` what went wrong. */
  reason: string;
  share: number;
  credit: number;
  calls: number;
  simulated_s: number;
  wall_s: number;
  verdict: Verdict | null;
  /** The missing parts for a pass, as sentences; empty if it passed or could not be made. */
  missing: readonly string[];
  /** For each predicate of the verdict, in its order, the sentences about it; none for a predicate that is made of others. */
  sentences: readonly (readonly string[])[];
  agent: AgentRecord | null;
  /** Files of this run, relative to the folder of the results; null for a missing one. */
  proof_file: string | null;
  output_file: string | null;
  /** Why there is no proof. */
  no_proof: string | null;
  /** Pictures of the world as the run began and ended, from the folder of the results on; null without `--pictures`. */
  pictures: { start_file: string; end_file: string } | null;
  /** Why there are none though they were asked for. */
  no_pictures: string | null;
}

/** The data for a drawing of a run. Metres, world frame, seen from above. */
export interface RunDrawing {
  /** The layout of the run's first scene. */
  layout: SceneLayout;
  /** The robot's way, a point at each half second. */
  path: readonly (readonly [number, number])[];
  things: readonly { id: string; colour: string | null; from: readonly [number, number]; to: readonly [number, number] | null }[];
}

/** The name of a run's files, without folder and ending. */
export const runName = ({ task, seed, wording }: Pick<RunRecord, 'task' | 'seed' | 'wording'>): string =>
  `${task}-${seed}${wording === 'default' ? '' : `-${wording}`}`;
