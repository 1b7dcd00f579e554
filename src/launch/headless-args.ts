import { unknownRobot, unknownScene, wrongSeed } from '../protocol/texts/headless-texts.ts';
import { MAX_SEED } from '../protocol/wire/limits.ts';
import { DEFAULT_ROBOT_ID, isRobotId, ROBOT_IDS, type RobotId } from '../protocol/wire/robot.ts';
import { isSceneId, SCENE_IDS, START_SCENE_ID } from '../protocol/wire/scene-ids.ts';
import { DATA_DIR_DEFAULT } from './installation.ts';
import { readOptions, UsageError } from './read-options.ts';

/** The operator's options for headless simulators. */
export interface HeadlessArgs {
  /** Links or keys; empty: the robot of the local platform. */
  keys: string[];
  keyFromStdin: boolean;
  modelId: RobotId;
  /** The id of a built-in scene, or the path of a scene file; null: the scene that the session requests, or the start scene. */
  scene: { id: string } | { file: string } | null;
  /** Seed of the first world; null for a random one. */
  seed: number | null;
  /** Whether it starts a new world, even if a world of this room was saved. */
  isFresh: boolean;
  takesOver: boolean;
  /** Whether its cameras draw. */
  pictures: boolean;
  logAs: 'json' | 'plain' | null;
  releaseStops: boolean;
}

export const HEADLESS_USAGE = `npm run headless -- [link or room key …] [options]

  The simulator's robot without a page: joins its room as the tab would, with the same rules and skills.
  Without a link, it is the robot of the platform that "npm start" runs here. docs/headless.md is its manual.

Options
  --robot NAME           ${ROBOT_IDS.join(', ')}; default: ${DEFAULT_ROBOT_ID}
  --scene ID|FILE.json   ${SCENE_IDS.join(', ')}; default: the one that its session
                         asks for, or ${START_SCENE_ID}
  --seed N               seed of its first world, 0 to ${MAX_SEED}          default: by chance; the log has it
  --fresh                start from scratch; otherwise it resumes the world that it left in this session
  --take-over            take the place of the tab or program that is the robot now
  --pictures             its cameras draw, in a Chrome or Chromium that all robots of this command share
  --key-from-stdin       read the link or key from the standard input: arguments are visible to every user of the machine
  --log json|plain       JSON lines, or lines for people                      default: plain in a terminal
  --release-emergency-stop
                         ask you, twice, whether robots whose emergency stop is latched take commands again
  --help                 this

Environment
  SIMPLESIM_ROOM_KEY     a link or key, as --key-from-stdin
  SIMPLESIM_CHROMIUM     the browser that draws                           default: one that is installed
  SIMPLESIM_DATA_DIR     where "npm start" keeps its files                    default: ${DATA_DIR_DEFAULT}

Ctrl-C, or SIGTERM, stops every robot, leaves every room and ends.
Ends with 0 after that, and when the session is deleted or another takes the robot's place; 2 for wrong options; 3 when it could
not run: a key that has expired or is refused, a room of another robot, a fault.`;

const OPTIONS = {
  robot: { type: 'string' },
  scene: { type: 'string' },
  seed: { type: 'string' },
  fresh: { type: 'boolean' },
  'take-over': { type: 'boolean' },
  'key-from-stdin': { type: 'boolean' },
  pictures: { type: 'boolean' },
  log: { type: 'string' },
  'release-emergency-stop': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments. @returns null if help is requested @throws UsageError */
export function readHeadlessArgs(args: string[]): HeadlessArgs | null {
  const { values, positionals } = readOptions(args, OPTIONS, {
    command: 'npm run headless --',
    positionalsMax: Number.POSITIVE_INFINITY,
  });
  if (values.help) return null;
  const { robot = DEFAULT_ROBOT_ID, scene = null, seed, log } = values;
  if (!isRobotId(robot)) throw new UsageError(unknownRobot(robot, ROBOT_IDS));
  const isFile = scene?.endsWith('.json') ?? false;
  if (scene !== null && !isFile && !isSceneId(scene)) throw new UsageError(unknownScene(scene));
  if (seed !== undefined && !(/^\d{1,10}$/.test(seed) && Number(seed) <= MAX_SEED)) throw new UsageError(wrongSeed(seed));
  if (log !== undefined && log !== 'json' && log !== 'plain') throw new UsageError('--log must be json or plain.');
  return {
    keys: positionals,
    keyFromStdin: values['key-from-stdin'] ?? false,
    modelId: robot,
    scene: scene === null ? null : isFile ? { file: scene } : { id: scene },
    seed: seed === undefined ? null : Number(seed),
    isFresh: values.fresh ?? false,
    takesOver: values['take-over'] ?? false,
    pictures: values.pictures ?? false,
    logAs: log ?? null,
    releaseStops: values['release-emergency-stop'] ?? false,
  };
}
