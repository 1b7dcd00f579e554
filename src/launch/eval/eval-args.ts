import { PLANNER } from '../../headless/eval/planner-run.ts';
import { WORDINGS, type Wording } from '../../headless/eval/run-record.ts';
import { unknownRobot, wrongSeed } from '../../protocol/texts/headless-texts.ts';
import { MAX_SEED } from '../../protocol/wire/limits.ts';
import { DEFAULT_ROBOT_ID, isRobotId, ROBOT_IDS, type RobotId } from '../../protocol/wire/robot.ts';
import { readOptions, UsageError, wrongUsage } from '../read-options.ts';
import { commandOf } from './mcp-agent.ts';

/** The options of an evaluation. */
export interface EvalArgs {
  taskFiles: string[];
  /** Scene files, and folders of them. */
  scenePaths: string[];
  /** `planner`, a command of the shell, or `mcp:` and the command of an MCP client. */
  agent: string;
  seeds: number[];
  outDir: string;
  robot: RobotId;
  wording: Wording;
  jobs: number;
  /** Whether cameras draw: for agents that use images, and for the report. */
  pictures: boolean;
  agentSeconds: number;
  minSuccess: number | null;
  /** An earlier `summary.json`. */
  compareFile: string | null;
  adaptive: { widthMax: number; runsMax: number } | null;
}

const DEFAULTS = { seeds: '1..5', out: 'results', jobs: 1, agentSeconds: 900, points: 14, runsMax: 200 };
const SEEDS_MAX = 10_000;

const COMMAND = 'npm run simplesim -- eval';
export const EVAL_USAGE = `${COMMAND} TASK.json|DIR… --agent AGENT [options]

  Lets an agent try tasks, judges each run from the simulated world, and writes the results: results.jsonl, summary.json,
  junit.xml, report.html, a proof of each run (npm run simplesim -- verify) and the agent's output. A folder means all task files in it
  and in its folders. docs/evaluate.md describes the rest.

Options
  --agent AGENT          "${PLANNER}", which is included and runs in this process; or a command, as "python my_agent.py", which is
                         started for each run with a robot's room and the words of the task in its environment; or "mcp:" and the
                         command of an MCP client, as 'mcp:my-client "$SIMPLESIM_TASK" --mcp-config "$SIMPLESIM_MCP_CONFIG"'
  --scenes FILE|DIR      a scene file of your own, or a folder of them; several times for several. A task names the scene by its id
  --seeds LIST           1..5, or 3,5,9                                                  default: ${DEFAULTS.seeds}
  --robot NAME           ${ROBOT_IDS.join(' or ')}                                             default: ${DEFAULT_ROBOT_ID}
  --wording NAME         ${WORDINGS.join(', ')}: the words of the task for the agent     default: default
  --out DIR              the folder of the results, a new or empty one                   default: ${DEFAULTS.out}
  --pictures             the robot's cameras draw, and the report shows how each run began and ended; it takes a Chrome or Chromium
  --jobs N               runs at a time, 1 to 64                                         default: ${DEFAULTS.jobs}
  --agent-seconds N      an agent may take so long for a run, on the clock               default: ${DEFAULTS.agentSeconds}
  --min-success RATE     not passed when fewer of the runs pass, 0 to 1
  --compare FILE         the summary.json of an earlier evaluation: not passed when a task, or all of them together, has become
                         worse than chance explains (the 95 % intervals lie apart); a single task needs 5 seeds for that
  --adaptive             continues with further seeds until the 95 % interval of each task is narrow enough
  --points N             of --adaptive: how wide an interval may be                      default: ${DEFAULTS.points}
  --max-runs N           of --adaptive: runs of a task at most                           default: ${DEFAULTS.runsMax}
  --help                 this

Ends with 0; with 1 when --min-success or --compare is not met; with 2 for wrong arguments, a file that is not a task, or a folder that
is not empty; with 3 when a run could not be made, when the agent ended with an error before its first action in every run, or when
the evaluation was ended early.`;

const OPTIONS = {
  agent: { type: 'string' },
  scenes: { type: 'string', multiple: true },
  seeds: { type: 'string' },
  robot: { type: 'string' },
  wording: { type: 'string' },
  out: { type: 'string' },
  jobs: { type: 'string' },
  pictures: { type: 'boolean' },
  'agent-seconds': { type: 'string' },
  'min-success': { type: 'string' },
  compare: { type: 'string' },
  adaptive: { type: 'boolean' },
  points: { type: 'string' },
  'max-runs': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @returns null if help is requested @throws UsageError */
export function readEvalArgs(args: string[]): EvalArgs | null {
  const { values, positionals } = readOptions(args, OPTIONS, { command: COMMAND, positionalsMax: Number.POSITIVE_INFINITY });
  if (values.help) return null;
  const { agent = '', robot = DEFAULT_ROBOT_ID, wording = 'default', seeds = DEFAULTS.seeds, out = DEFAULTS.out } = values;
  if (positionals.length === 0) throw wrongUsage('Name a task file.', COMMAND);
  if (agent.trim() === '') throw wrongUsage(`--agent is missing: "${PLANNER}", or a command.`, COMMAND);
  if (commandOf(agent.trim()) === '') throw wrongUsage('The --agent "mcp:" needs a command after it.', COMMAND);
  if (!isRobotId(robot)) throw new UsageError(unknownRobot(robot, ROBOT_IDS));
  const chosen = WORDINGS.find((name) => name === wording);
  if (!chosen) throw new UsageError(`--wording must be one of ${WORDINGS.join(', ')}.`);
  if (!values.adaptive && (values.points !== undefined || values['max-runs'] !== undefined))
    throw new UsageError('--points and --max-runs belong to --adaptive.');
  const given = readSeeds(seeds);
  return {
    taskFiles: positionals,
    scenePaths: values.scenes ?? [],
    agent: agent.trim(),
    seeds: given,
    outDir: out,
    robot,
    wording: chosen,
    jobs: number(values.jobs, '--jobs', 1, 64, DEFAULTS.jobs),
    pictures: values.pictures ?? false,
    agentSeconds: number(values['agent-seconds'], '--agent-seconds', 1, 86_400, DEFAULTS.agentSeconds),
    minSuccess: values['min-success'] === undefined ? null : share(values['min-success']),
    compareFile: values.compare ?? null,
    adaptive: values.adaptive
      ? {
          widthMax: number(values.points, '--points', 1, 99, DEFAULTS.points) / 100,
          runsMax: readRunsMax(values['max-runs'], given),
        }
      : null,
  };
}

/** Reads `1..5`, `3`, or `1,4,9`. @throws UsageError */
function readSeeds(text: string): number[] {
  const seeds = text.split(',').flatMap((part) => {
    const [, from = '', to = from] = /^\s*(\d{1,10})(?:\.\.(\d{1,10}))?\s*$/.exec(part) ?? [];
    if (from === '') throw new UsageError(`--seeds "${text}" is not a list of seeds. Write 1..5, or 3,5,9.`);
    const [first, last] = [Number(from), Number(to)];
    const wrong = [first, last].find((seed) => seed > MAX_SEED);
    if (wrong !== undefined) throw new UsageError(wrongSeed(wrong));
    if (last < first || last - first >= SEEDS_MAX)
      throw new UsageError(`--seeds ${part.trim()}: the second must not be smaller, and ${SEEDS_MAX} are the most.`);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  if (new Set(seeds).size < seeds.length)
    throw new UsageError(`--seeds "${text}" names a seed twice: it would be the same run again.`);
  if (seeds.length > SEEDS_MAX) throw new UsageError(`--seeds names ${seeds.length} seeds; ${SEEDS_MAX} are the most.`);
  return seeds;
}

/** @param seeds the given seeds; the seeds of further runs follow the largest of them */
function readRunsMax(text: string | undefined, seeds: readonly number[]): number {
  const runsMax = number(text, '--max-runs', 1, SEEDS_MAX, DEFAULTS.runsMax);
  const last = Math.max(...seeds);
  const mostRuns = seeds.length + MAX_SEED - last;
  if (runsMax > mostRuns)
    throw new UsageError(
      `--adaptive continues after the seed ${last}, and would pass the largest, ${MAX_SEED}. Give smaller --seeds, or --max-runs ${mostRuns}.`,
    );
  return runsMax;
}

function number(text: string | undefined, name: string, min: number, max: number, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d{1,6}$/.test(text) || value < min || value > max)
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

function share(text: string): number {
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value > 1) throw new UsageError('--min-success must be a number from 0 to 1, as 0.8.');
  return value;
}
