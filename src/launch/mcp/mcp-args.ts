import { unknownRobot, unknownScene, wrongSeed } from '../../protocol/texts/headless-texts.ts';
import { MAX_SEED } from '../../protocol/wire/limits.ts';
import { DEFAULT_ROBOT_ID, isRobotId, ROBOT_IDS, type RobotId } from '../../protocol/wire/robot.ts';
import { isSceneId, SCENE_IDS, START_SCENE_ID } from '../../protocol/wire/scene-ids.ts';
import { readPort } from '../ports.ts';
import { readOptions, UsageError, wrongUsage } from '../read-options.ts';

/** The options of the tools for an agent. */
export interface McpArgs {
  modelId: RobotId;
  /** The id of a scene of the product, or the path of a scene file; null: that of the task, or the start scene. */
  scene: string | null;
  /** The id of a task of the product, or the path of a task file. */
  task: string | null;
  seed: number;
  /** Whether the world cannot be started over. */
  isExam: boolean;
  /** The folder in which the world is kept over restarts. */
  keepDir: string | null;
  /** The file that receives the proof of the run at the end. */
  proofFile: string | null;
  /** The port of the page on which people watch; 0 takes a free one, null opens none. */
  watchPort: number | null;
  /** The robot of a room, instead of one in this process. */
  room: McpRoomArgs | null;
}

/** The options of `--room`. */
export interface McpRoomArgs {
  /** A link to drive, or a room key; null: see `readRoomPlace`. */
  link: string | null;
  isExam: boolean;
  /** Whether a physical robot may move without the consent of a person at the client. */
  isMotionAllowed: boolean;
}

const COMMAND = 'npm run simplesim -- mcp';
export const MCP_USAGE = `${COMMAND} [options] [--room [LINK]]

  Gives an agent a robot: a server of the Model Context Protocol on standard input and output. An agent client such as Claude
  Code starts it. The robot is simulated in this process: no browser, no server, no network. docs/agents.md has a line for each
  client.

Options
  --robot NAME           ${ROBOT_IDS.join(' or ')}                                     default: ${DEFAULT_ROBOT_ID}
  --scene ID|FILE.json   ${SCENE_IDS.join(', ')}, or a scene file     default: ${START_SCENE_ID}
  --task ID|FILE.json    a task, which names its scene; its instruction is in robot_status
  --seed N               0 to ${MAX_SEED}                                       default: 1
  --exam                 the world cannot be started over
  --keep FOLDER          keep the world here, and continue it at the next start
  --proof FILE           at the end, write a proof of the run of --task
  --room [LINK]          drive a robot that runs elsewhere, behind a link to drive; without LINK, the robot of "npm start". Other
                         users of this machine can read arguments: give a link in SIMPLESIM_ROOM_KEY instead. SIMPLESIM_TASK is
                         then the instruction in robot_status. Goes with --exam only
  --allow-motion         of --room: a physical robot may move without the consent of a person at the client
  --watch [PORT]         a page on 127.0.0.1 that shows the robot live, each call of the agent, and why it failed; it only
                         shows. Its address is printed to standard error                 default: a free port
  --help                 this

If a Chrome or Chromium is installed, take_picture works. Ends when its input ends, or with SIGTERM; the robot stops first.
Ends with 0 after that, 2 for wrong options, 3 when it could not run.`;

const OPTIONS = {
  robot: { type: 'string' },
  scene: { type: 'string' },
  task: { type: 'string' },
  seed: { type: 'string' },
  exam: { type: 'boolean' },
  keep: { type: 'string' },
  proof: { type: 'string' },
  room: { type: 'boolean' },
  'allow-motion': { type: 'boolean' },
  watch: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @returns null if help is requested @throws UsageError */
export function readMcpArgs(args: string[]): McpArgs | null {
  const { values, positionals } = readOptions(withWatchPort(args), OPTIONS, { command: COMMAND, positionalsMax: 1 });
  if (values.help) return null;
  const room = readRoomArgs(values, positionals[0] ?? null);
  const { robot = DEFAULT_ROBOT_ID, scene = null, task = null, seed = '1', keep = null, proof = null, exam = false } = values;
  if (!isRobotId(robot)) throw new UsageError(unknownRobot(robot, ROBOT_IDS));
  if (scene !== null && !scene.endsWith('.json') && !isSceneId(scene)) throw new UsageError(unknownScene(scene));
  if (scene !== null && task !== null && !scene.endsWith('.json'))
    throw new UsageError('--task names its scene. Leave out --scene, or give the file of that scene.');
  if (!(/^\d{1,10}$/.test(seed) && Number(seed) <= MAX_SEED)) throw new UsageError(wrongSeed(seed));
  if (proof !== null && task === null) throw new UsageError('--proof needs --task.');
  if (keep !== null && task !== null) throw new UsageError('--keep does not go with --task: a kept world has no proof.');
  const watchPort = values.watch === undefined ? null : readWatchPort(values.watch);
  return { modelId: robot, scene, task, seed: Number(seed), isExam: exam, keepDir: keep, proofFile: proof, watchPort, room };
}

/** @param link a secret, which no error repeats @throws UsageError */
function readRoomArgs(values: Readonly<Record<string, unknown>>, link: string | null): McpRoomArgs | null {
  const isMotionAllowed = values['allow-motion'] === true;
  if (values.room !== true) {
    if (link !== null) throw wrongUsage('A link needs --room before it.', COMMAND);
    if (isMotionAllowed) throw new UsageError('--allow-motion belongs to --room.');
    return null;
  }
  const other = ['robot', 'scene', 'task', 'seed', 'keep', 'proof', 'watch'].find((name) => values[name] !== undefined);
  if (other !== undefined)
    throw new UsageError(`--${other} does not go with --room, whose robot runs elsewhere. Leave one of them out.`);
  return { link, isExam: values.exam === true, isMotionAllowed };
}

/** Gives a `--watch` without a port the port 0. */
const withWatchPort = (args: string[]): string[] =>
  args.flatMap((arg, at) => {
    if (arg !== '--watch') return [arg];
    const next = args[at + 1];
    return next === undefined || next.startsWith('-') ? ['--watch=0'] : [arg];
  });

/** @throws UsageError */
function readWatchPort(value: string): number {
  try {
    return readPort(value, '--watch');
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
