/** The emergency stop over a real SFU and the real service: each path alone, and whatever may die in between. */
import { rmSync } from 'node:fs';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client, connect, type PlatformSession, type SignControl } from '../../src/client/index.ts';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { pressOf } from '../../src/protocol/emergency-stop.ts';
import { watchRooms } from '../client-models/watch-rpc.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

const WITHIN_MS = 60_000;
const folders = makeFakeDist();
let platform: Platform;
let client: Client;
let worker: WorkerProcess;
let sfuPort = '0';
const leaving: (() => Promise<unknown>)[] = [];

watchRooms();

async function start(): Promise<void> {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  platform = await startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: sfuPort },
  });
  // A new SFU is where the one before was.
  sfuPort = new URL(String(readLocalFile(folders.dataDir).livekit_url)).port;
  client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
}

const startWorker = (): WorkerProcess =>
  runWorker(['--log', 'json', '--seed', '1', '--name', 'signed'], { SIMPLESIM_DATA_DIR: folders.dataDir });

beforeAll(async () => {
  await layDatabase(folders.dataDir);
  await start();
  worker = startWorker();
  await worker.logged('registered');
}, 300_000);
afterEach(async () => {
  for (const leave of leaving.splice(0).reverse()) await leave();
});
afterAll(async () => {
  worker.child.kill('SIGTERM');
  await worker.exit;
  killWorkers();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

const of = (robotId: string) => (entry: object) => 'robot_id' in entry && entry.robot_id === robotId;

async function newRobot(): Promise<string> {
  return (await client.robots.create({ name: 'Ada', model: 'm' })).robot.id;
}

async function join(robotId: string, signControl: SignControl = 'auto', name = 'ann'): Promise<PlatformSession> {
  const session = await connect(client, robotId, {
    workerNames: ['signed'],
    rcwIdentityPrefix: 'rcw',
    signControl,
    name,
    keepSession: true,
  });
  leaving.push(() => session.disconnect());
  return session;
}

async function ready(robotId: string, signControl: SignControl = 'auto', name = 'ann'): Promise<PlatformSession> {
  const session = await join(robotId, signControl, name);
  await session.waitUntilReady({ timeoutMs: WITHIN_MS });
  return session;
}

// biome-ignore lint/suspicious/noExplicitAny: the parts of the state that the worker profile adds.
const extraOf = async (session: PlatformSession): Promise<any> => (await session.state.get('robot_status')).robot.extra;
const stopOf = async (session: PlatformSession) => (await extraOf(session)).emergency_stop;
const drive = (session: PlatformSession) => session.invoke('set_velocity' as string, { vx: 1.5 });
const refusal = (session: PlatformSession) => drive(session).catch((error: unknown) => error);
const REFUSED = { code: 'NOT_READY', details: { emergency_stop: true } };

async function atFullSpeed(session: PlatformSession): Promise<void> {
  await drive(session);
  await waitUntil(async () => (await extraOf(session)).command.vx > 1, 'the robot to drive', WITHIN_MS);
}

async function metadataOf(room: string): Promise<string> {
  const { livekit_url: url, livekit_api_key: key, livekit_api_secret: secret } = readLocalFile(folders.dataDir);
  const rooms = new RoomServiceClient(String(url).replace(/^ws/, 'http'), key, secret);
  return (await rooms.listRooms([room]))[0]?.metadata ?? '';
}

describe('each path', () => {
  it('all at once: the library presses, the robot stands and is limp, and says who pressed and why', async () => {
    const session = await ready(await newRobot());
    await atFullSpeed(session);
    const stopped = await session.emergencyStop({ reason: 'smoke' });
    expect(stopped.paths[stopped.by]).toMatchObject({ status: 'stands' });
    expect(await extraOf(session)).toMatchObject({
      emergency_stop: { reason: 'smoke' },
      control: { emergency_stop: true, velocity_holds: false, upper_body: { mode: 'damp' } },
    });
    expect(await refusal(session)).toMatchObject(REFUSED);
    await waitUntil(async () => pressOf(await metadataOf(session.roomName)) !== null, 'the room to be told', WITHIN_MS);
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('over HTTP alone, with the service’s own signature', async () => {
    const robotId = await newRobot();
    const session = await ready(robotId);
    await atFullSpeed(session);
    const result = await client.robots.emergencyStop(robotId, { reason: 'gas' });
    expect(result).toMatchObject({ stands: true, runtimes: [{ identity: `rcw-${robotId}`, stands: true, problem: null }] });
    expect(await stopOf(session)).toMatchObject({
      // The room's metadata and the call of the service are on their way side by side.
      by: expect.stringMatching(/^(control-service|over HTTP)$/),
      reason: 'gas',
    });
    expect(await refusal(session)).toMatchObject(REFUSED);
    expect(await client.robots.sendSessionCommand(robotId, 'stop', {}).catch((error: unknown) => error)).toMatchObject(REFUSED);
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('over the room alone is taken signed, and refused unsigned', async () => {
    const session = await ready(await newRobot());
    const stranger = await ready(session.robotId, false, 'ben');
    await atFullSpeed(session);
    const refused = await stranger.call('runtime.emergency_stop', {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await stopOf(session)).toBeNull();
    expect(await session.call('runtime.emergency_stop', { reason: 'smoke' })).toMatchObject({ result: { stands: true } });
    expect(await stopOf(session)).toMatchObject({ by: 'ann' });
    await session.disconnect({ keepSession: false });
  }, 120_000);
});

describe('whatever dies', () => {
  it('the robot’s process, killed right after it answered: the next one is stopped', async () => {
    const robotId = await newRobot();
    const session = await ready(robotId);
    await atFullSpeed(session);
    await session.call('runtime.emergency_stop', { reason: 'smoke' });
    const since = worker.log.length;
    process.kill(Number((await worker.logged('robot_starts', of(robotId))).pid), 'SIGKILL');
    await worker.logged('robot_joined', of(robotId), since);
    await session.waitUntilReady({ timeoutMs: WITHIN_MS });
    expect(await stopOf(session)).toMatchObject({ by: 'ann', reason: 'smoke' });
    expect(await refusal(session)).toMatchObject(REFUSED);
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('a worker that was not there when it was pressed takes no command when it comes, however many wait for it', async () => {
    const robotId = await newRobot();
    const session = await ready(robotId);
    worker.child.kill('SIGKILL');
    await worker.exit;
    await waitUntil(async () => session.runtimeIdentity === null, 'the robot to be gone', WITHIN_MS);
    expect(await client.robots.emergencyStop(robotId, { reason: 'gas' })).toMatchObject({ stands: null, runtimes: [] });
    let done = 0;
    const stream = setInterval(
      () =>
        void drive(session).then(
          () => (done += 1),
          () => {},
        ),
      20,
    );
    try {
      worker = startWorker();
      await worker.logged('robot_joined', of(robotId));
      await session.waitUntilReady({ timeoutMs: WITHIN_MS });
      await waitUntil(async () => (await stopOf(session)) !== null, 'the robot to say that it is stopped', WITHIN_MS);
    } finally {
      clearInterval(stream);
    }
    expect(done).toBe(0);
    expect(await stopOf(session)).toMatchObject({ by: expect.stringContaining('over HTTP'), reason: 'gas' });
    await session.disconnect({ keepSession: false });
  }, 180_000);

  it('service, SFU and worker: the new ones have it, and the robot that comes back is stopped', async () => {
    const robotId = await newRobot();
    const session = await ready(robotId);
    await client.robots.emergencyStop(robotId, { reason: 'gas' });
    worker.child.kill('SIGKILL');
    await worker.exit;
    await platform.stop();
    await start();
    worker = startWorker();
    leaving.length = 0;
    const again = await join(robotId);
    await again.waitUntilReady({ timeoutMs: WITHIN_MS });
    expect(again.roomName).toBe(session.roomName);
    expect(pressOf(await metadataOf(again.roomName))).toMatchObject({ reason: 'gas' });
    expect(await stopOf(again)).toMatchObject({ reason: 'gas' });
    expect(await refusal(again)).toMatchObject(REFUSED);
    await again.disconnect({ keepSession: false });
  }, 180_000);
});
