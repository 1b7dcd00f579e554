/** `npm run worker` in a terminal. */
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { errorFacts } from '../common/error-facts.ts';
import { productVersion } from '../headless/product-version.ts';
import type { Log, LogEntry } from '../worker/log.ts';
import { readWorkerKey } from '../worker/room-key.ts';
import type { SfuAccess } from '../worker/sfu.ts';
import { type RunningWorker, startAgentWorker, startRoomWorker } from '../worker/start.ts';
import { readGivenKey } from './given-key.ts';
import { leaveOnce } from './leave-once.ts';
import { readLocalFile } from './local-file.ts';
import { print, printTrouble } from './output.ts';
import { UsageError } from './read-options.ts';
import { processTerminal, releaseStops } from './release-stops.ts';
import { readDataDir, readSfuAccess } from './service-settings.ts';
import { terminalLog } from './terminal-log.ts';
import { readSignedOnly, readWorkerArgs, WORKER_USAGE, type WorkerArgs } from './worker-args.ts';

const howToGetIt = (name: string): string =>
  `A session gets a robot of this worker when it is opened with worker_names ["${name}"]; clients find it by the prefix "rcw".`;
const UNSIGNED =
  'RCW_RSL_REQUIRED is false: EVERY PARTICIPANT IN THE ROOM CAN MOVE THE ROBOT, without a signature. Use this for development only.';
let worker: RunningWorker | null = null;

try {
  const args = readWorkerArgs(process.argv.slice(2));
  if (args === null) print(WORKER_USAGE);
  else await work(args);
} catch (error) {
  printTrouble(error);
  process.exit(error instanceof UsageError ? 2 : 1);
}

async function work(args: WorkerArgs): Promise<void> {
  const log = terminalLog(args.logAs);
  // After a second Ctrl-C, the processes of the robots detect that this one has exited, and end.
  const leaving = leaveOnce((why) => leave(log, why === 'told' ? 0 : 1), 1);
  process.on('unhandledRejection', (thrown) => log(faultOf(thrown)));
  const signedOnly = readSignedOnly(process.env);
  const worldsDir = join(readDataDir(process.env), 'worlds');
  if (args.releaseStops) await releaseStops(worldsDir, processTerminal(), Date.now(), log);
  const settings = {
    seed: args.seed ?? randomInt(2 ** 32),
    signedOnly,
    productVersion: productVersion(),
    maxRobots: args.maxRobots,
    worldsDir,
  };
  if (!signedOnly) log({ level: 'warn', event: 'UNSIGNED_CONTROL', message: UNSIGNED });

  const key = args.keyFromStdin ? await readGivenKey(process.stdin) : process.env.RCW_ROOM_KEY || null;
  if (key !== null) {
    worker = startRoomWorker({ place: readWorkerKey(key, Date.now()), settings, log });
  } else {
    const fixed = process.env.LIVEKIT_URL ? accessOf(process.env) : null;
    const access = fixed ? () => fixed : localAccess;
    worker = startAgentWorker({ agentName: args.name, settings, access, retryRefused: fixed === null, log });
    log({ level: 'info', event: 'worker', name: args.name, signed_only: signedOnly, message: howToGetIt(args.name) });
  }
  const why = await worker.over;
  if (leaving.hasBegun()) return;
  log({ level: 'error', event: 'ended', message: why });
  process.exit(1);
}

/** Returns the SFU of the platform that `npm start` has started here, also after a restart. */
function localAccess(): SfuAccess | null {
  const { livekit_url: url, livekit_api_key: apiKey, livekit_api_secret: apiSecret } = readLocalFile(readDataDir(process.env));
  return url && apiKey && apiSecret ? { url, apiKey, apiSecret } : null;
}

function accessOf(env: NodeJS.ProcessEnv): SfuAccess {
  const { participantUrl: url, apiKey, apiSecret } = readSfuAccess({ ...env, LIVEKIT_PUBLIC_URL: '' }, 'The worker');
  return { url, apiKey, apiSecret };
}

async function leave(log: Log, exitCode: number): Promise<void> {
  log({ level: 'info', event: 'stopping', message: 'Every robot stops and leaves its room.' });
  await worker?.stop();
  log({ level: 'info', event: 'stopped' });
  process.exit(exitCode);
}

function faultOf(thrown: unknown): LogEntry {
  return { level: 'error', event: 'fault', ...errorFacts(thrown) };
}
