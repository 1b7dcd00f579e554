/** A robot without a page stays while `npm start` beside it ends and starts again on the same data folder. */
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { type Platform, type PlatformOptions, startPlatform } from '../../src/launch/platform.ts';
import { probePlace } from '../../src/worker/robot/probe.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { killWorkers, runWorker, type WorkerProcess } from '../worker/helpers/worker-process.ts';

const WITHIN_MS = 60_000;
const folders = makeFakeDist();
let platform: Platform;
let headless: WorkerProcess | null = null;

/** @param sfuPort `null`: the usual choice of ports */
async function startAgain(sfuPort: string | null, options: Pick<PlatformOptions, 'newSfuKeys'> = {}): Promise<void> {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, SIMPLESIM_SFU_PORT: _port, ...env } = process.env;
  const { dataDir, distDir } = folders;
  const ports = sfuPort === null ? {} : { SIMPLESIM_SFU_PORT: sfuPort };
  platform = await startPlatform({ port: 0, dataDir, distDir, env: { ...env, ...ports }, ...options });
}

beforeAll(async () => {
  await layDatabase(folders.dataDir);
  await startAgain('0');
}, 300_000);
afterEach(async () => {
  headless?.child.kill('SIGTERM');
  await headless?.exit;
  headless = null;
});
afterAll(async () => {
  killWorkers();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

const earlierUrl = () => readLocalFile(folders.dataDir).livekit_url;

/** Starts the robot, from a link or from `local.json`, ends the platform and starts it again. */
async function restartBeside(args: string[], again: () => Promise<void>): Promise<void> {
  const robot = runWorker(
    ['--log', 'json', '--seed', '1', ...args],
    { SIMPLESIM_DATA_DIR: folders.dataDir },
    undefined,
    'headless',
  );
  headless = robot;
  await robot.logged('robot_joined');
  const since = robot.log.length;
  await platform.stop();
  await again();
  await robot.logged('robot_joined', () => true, since);
  expect(robot.log.slice(since).filter(({ event }) => event === 'robot_over')).toEqual([]);
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const session = await connect(client, platform.robotId, { workerNames: [], keepSession: true });
  await session.waitUntilReady({ timeoutMs: WITHIN_MS });
  expect(await session.invoke('set_velocity', { vx: 0.2, duration_s: 0.5 })).toMatchObject({ status: 'done' });
  await session.disconnect();
}

describe('the robot of a headless process is back in its room when the platform starts again on its data folder', () => {
  it('with the link that it was started with, because the platform keeps the keys and the port of its SFU', async () => {
    const url = earlierUrl();
    await restartBeside([platform.roomKeyUrl], () => startAgain(null));
    expect(earlierUrl()).toBe(url);
  }, 90_000);

  it('with the next link of local.json, when the SFU has another port', async () => {
    const url = earlierUrl();
    await restartBeside([], () => startAgain('0'));
    expect(earlierUrl()).not.toBe(url);
  }, 90_000);

  it('with the next link of local.json, when the SFU has new keys', async () => {
    const { livekit_api_secret: secret } = readLocalFile(folders.dataDir);
    await restartBeside([], () => startAgain(null, { newSfuKeys: true }));
    expect(readLocalFile(folders.dataDir).livekit_api_secret).not.toBe(secret);
  }, 90_000);
});

describe('the kept keys of the SFU', () => {
  it('open no room of a session that was deleted before the platform started again', async () => {
    const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
    const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
    await client.robots.createSession(robot.id, { workerNames: [] });
    const place = await client.robots.createParticipantToken(robot.id, { participantIdentity: 'guest' });
    await client.robots.deleteSession(robot.id);
    await platform.stop();
    await startAgain(null);
    const again = { sfuUrl: platform.livekitUrl, token: place.participant_token, room: place.room_name, robotId: robot.id };
    expect(platform.livekitUrl).toBe(place.livekit_url);
    expect(await probePlace(again)).toEqual({ kind: 'refused', end: 'session_deleted' });
  }, 90_000);
});
