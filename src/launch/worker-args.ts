import { RCW_PRODUCT_NAME } from '../protocol/wire/identity.ts';
import { DATA_DIR_DEFAULT } from './installation.ts';
import { readOptions, UsageError } from './read-options.ts';

/** The operator's options for the worker. */
export interface WorkerArgs {
  /** The name by which sessions request it. */
  name: string;
  /** Seed of the first world of every robot; null for a random one. */
  seed: number | null;
  maxRobots: number;
  /** Whether to read a room key from the standard input. */
  keyFromStdin: boolean;
  logAs: 'json' | 'plain' | null;
  /** Whether to ask a person at the terminal to release the emergency stops of this worker's robots first. */
  releaseStops: boolean;
}

/** A robot takes about a fifth of a core; see `docs/reference/measured.md`. */
const DEFAULT_MAX_ROBOTS = 4;

export const WORKER_USAGE = `npm run worker [-- options]

  A Robot Control Worker without a page: the simulated body behind the physical robot's contract. It joins a robot's
  room as rcw-<robot_id>, when a session asks for it by name or with a room key. docs/headless.md is its manual.

Options
  --name NAME          the name that sessions ask for it by (worker_names)              default: ${RCW_PRODUCT_NAME}
  --seed N             seed of every robot's first world, 0 to 4294967295               default: by chance; the log has it
  --max-robots N       so many robots at a time at most, each in a process of its own   default: ${DEFAULT_MAX_ROBOTS}
  --key-from-stdin     serve one robot with the room key, or the participant token with its address, on the standard input
  --log json|plain     JSON lines, or lines for people                                  default: plain in a terminal
  --release-emergency-stop
                       ask you, twice, whether robots whose emergency stop is latched take commands again
  --help               this

Environment
  LIVEKIT_URL          address of the SFU, ws://… or wss://…; without it the platform of "npm start" is looked for
  LIVEKIT_API_KEY      keys of the SFU
  LIVEKIT_API_SECRET
  RCW_RSL_REQUIRED     "false" takes unsigned calls (development only)                  default: true
  RCW_ROOM_KEY         serve one robot with this room key; as --key-from-stdin, without agent registration
  SIMPLESIM_DATA_DIR   where "npm start" keeps its files                                default: ${DATA_DIR_DEFAULT}

Beside "npm start" it needs no settings. A session gets it by its name:

  connect(client, robotId, { workerNames: ['${RCW_PRODUCT_NAME}'], rcwIdentityPrefix: 'rcw' })
  POST /v1/robots/<robot_id>/session   {"worker_names": ["${RCW_PRODUCT_NAME}"]}

Ctrl-C, or SIGTERM, stops every robot, leaves every room and ends.`;

const AGENT_NAME = /^[^\s,]{1,128}$/;
const SEED_MAX = 4_294_967_295;
const MAX_ROBOTS_MAX = 256;

/** Reads the arguments. @returns null if help is requested @throws UsageError */
export function readWorkerArgs(args: string[]): WorkerArgs | null {
  const options = {
    name: { type: 'string' },
    seed: { type: 'string' },
    'max-robots': { type: 'string' },
    'key-from-stdin': { type: 'boolean' },
    log: { type: 'string' },
    'release-emergency-stop': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = readOptions(args, options, { command: 'npm run worker --' });
  if (values.help) return null;
  const { name = RCW_PRODUCT_NAME, seed, 'max-robots': maxRobots, log } = values;
  if (!AGENT_NAME.test(name)) throw new UsageError('--name must be 1 to 128 characters without spaces and commas.');
  if (log !== undefined && log !== 'json' && log !== 'plain') throw new UsageError('--log must be json or plain.');
  return {
    name,
    seed: seed === undefined ? null : wholeNumber(seed, '--seed', 0, SEED_MAX),
    maxRobots: maxRobots === undefined ? DEFAULT_MAX_ROBOTS : wholeNumber(maxRobots, '--max-robots', 1, MAX_ROBOTS_MAX),
    keyFromStdin: values['key-from-stdin'] ?? false,
    logAs: log ?? null,
    releaseStops: values['release-emergency-stop'] ?? false,
  };
}

/** Returns whether unsigned calls are rejected: RCW_RSL_REQUIRED, true by default. @throws UsageError */
export function readSignedOnly(env: NodeJS.ProcessEnv): boolean {
  const value = env.RCW_RSL_REQUIRED ?? '';
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  // Any other value must not open the robot to all callers.
  throw new UsageError(`RCW_RSL_REQUIRED is "${value}", and must be true or false.`);
}

function wholeNumber(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < min || value > max) {
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}.`);
  }
  return value;
}
