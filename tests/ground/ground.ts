/** The base of tests of the whole stack: a local platform with its own SFU and database, a client of it, workers and sessions. */
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Client, type ConnectOptions, connect, type PlatformSession } from '../../src/client/index.ts';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../src/launch/platform.ts';
import type { LogEntry } from '../../src/worker/log.ts';
import { watchRooms } from '../client-models/watch-rpc.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { killWorkers, runWorker, type WorkerProcess } from '../worker/helpers/worker-process.ts';

/** Far longer than any event takes on a busy machine. */
export const WITHIN_MS = 60_000;
const STARTED_WITHIN_MS = 300_000;
/** The setting that selects any free ports. */
const ANY_PORT = '0';

export interface Ground {
  readonly dataDir: string;
  /** The folder that contains the data folder, and is deleted at the end. */
  readonly root: string;
  /** The most recently started platform. */
  readonly platform: Platform;
  /** A client with the key of that platform. */
  readonly client: Client;
  /** The requested worker. */
  readonly worker: WorkerProcess;
  /** The file in which the platform records its address for programs of this machine. */
  local(): ReturnType<typeof readLocalFile>;
  /** Starts a platform on the data folder, after the previous one has stopped. @param sfuPort `null`: its usual choice */
  startAgain(sfuPort?: string | null, options?: Pick<PlatformOptions, 'newSfuKeys'>): Promise<void>;
  /** The signal port of the SFU. */
  sfuPort(): string;
  /** Starts a worker with seed 1 that finds the platform automatically and logs in JSON. It is killed at the end. */
  runWorker(args: string[], env?: Record<string, string>): WorkerProcess;
  /** Starts the requested worker again, after the previous one has ended. */
  startWorkerAgain(): WorkerProcess;
  /** The same as `runWorker`, for `npm run headless`, which ends after the test. */
  runHeadless(args: string[], env?: Record<string, string>, stdin?: string): WorkerProcess;
  newRobot(): Promise<string>;
  /** Opens a session with the worker's robot or an existing one, waits until it takes calls, and cleans up as `later` defines. */
  openSession(robotId: string, options?: ConnectOptions): Promise<PlatformSession>;
  /** The same without waiting for the robot. */
  connect(robotId: string, options?: ConnectOptions): Promise<PlatformSession>;
  /** Runs after the test, or after the file if it is registered in `prepare`; the last one registered runs first. */
  later(each: () => Promise<unknown>): void;
}

export interface GroundOptions {
  /** A worker that is registered before the first test. */
  worker?: {
    /** @default the product's own name */
    name?: string;
    /** Whether it takes signed commands only. @default true */
    signedOnly?: boolean;
  };
  /** Runs when the platform and the worker are ready. */
  prepare?: (ground: Ground) => Promise<void>;
}

/**
 * Prepares the base before the first test of a file and clears it after the last. Checks replies of robots against the
 * client models.
 */
export function layGround({ worker: asked, prepare }: GroundOptions = {}): Ground {
  const folders = makeFakeDist();
  type Leave = () => Promise<unknown>;
  const leaving: Leave[] = [];
  const ofTheFile: Leave[] = [];
  const leave = async (left: Leave[]): Promise<void> => {
    for (const each of left.splice(0).reverse()) await each();
  };
  let platform: Platform | null = null;
  let client: Client | null = null;
  let worker: WorkerProcess | null = null;
  const there = <T>(thing: T | null): T => {
    if (thing === null) throw new Error('The ground is laid before the first test, and has only what was asked for.');
    return thing;
  };
  const sessionsAre: ConnectOptions = asked
    ? { workerNames: [asked.name ?? 'rcw'], rcwIdentityPrefix: 'rcw' }
    : { workerNames: [] };

  const ground: Ground = {
    dataDir: folders.dataDir,
    root: folders.root,
    get platform() {
      return there(platform);
    },
    get client() {
      return there(client);
    },
    get worker() {
      return there(worker);
    },
    local: () => readLocalFile(folders.dataDir),
    async startAgain(sfuPort = ANY_PORT, options = {}) {
      const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, SIMPLESIM_SFU_PORT: _port, ...env } = process.env;
      const ports = sfuPort === null ? {} : { SIMPLESIM_SFU_PORT: sfuPort };
      const { dataDir, distDir } = folders;
      platform = await startPlatform({ port: 0, dataDir, distDir, env: { ...env, ...ports }, ...options });
      const { rcsUrl, apiKey, viewerUrl } = platform;
      client = new Client({ rcsUrl, apiKey, viewerUrl });
    },
    sfuPort: () => new URL(String(ground.local().livekit_url)).port,
    runWorker: (args, env = {}) =>
      runWorker(['--log', 'json', '--seed', '1', ...args], { SIMPLESIM_DATA_DIR: folders.dataDir, ...env }),
    startWorkerAgain() {
      const { name, signedOnly = true } = there(asked ?? null);
      worker = ground.runWorker(name === undefined ? [] : ['--name', name], signedOnly ? {} : { RCW_RSL_REQUIRED: 'false' });
      return worker;
    },
    runHeadless(args, env = {}, stdin) {
      const all = { SIMPLESIM_DATA_DIR: folders.dataDir, ...env };
      const started = runWorker(['--log', 'json', '--seed', '1', ...args], all, stdin, 'headless');
      leaving.push(() => ended(started));
      return started;
    },
    newRobot: async () => (await ground.client.robots.create({ name: 'Ada', model: 'm' })).robot.id,
    async connect(robotId, options = {}) {
      const session: PlatformSession = await connect(ground.client, robotId, { ...sessionsAre, ...options });
      leaving.push(() => session.disconnect());
      return session;
    },
    async openSession(robotId, options = {}) {
      const session = await ground.connect(robotId, options);
      await session.waitUntilReady({ timeoutMs: WITHIN_MS });
      return session;
    },
    later: (each) => void leaving.push(each),
  };

  watchRooms();
  beforeAll(async () => {
    await layDatabase(folders.dataDir);
    await ground.startAgain();
    if (asked) await ground.startWorkerAgain().logged('registered');
    await prepare?.(ground);
    ofTheFile.push(...leaving.splice(0));
  }, STARTED_WITHIN_MS);
  afterEach(() => leave(leaving));
  afterAll(async () => {
    await leave(ofTheFile);
    if (worker) await ended(worker);
    killWorkers();
    await platform?.stop();
    rmSync(folders.root, { recursive: true, force: true });
  });
  return ground;
}

async function ended(started: WorkerProcess): Promise<void> {
  started.child.kill('SIGTERM');
  await started.exit;
}

/** Matches log entries about this robot. */
export const of =
  (robotId: string) =>
  (entry: LogEntry): boolean =>
    'robot_id' in entry && entry.robot_id === robotId;
