/** The program that the guide prints, run as it is printed, against the worker without a page and a real SFU. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { runGuideProgram, watchRobot } from '../contract/helpers/guide-program.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

const folders = makeFakeDist();
let platform: Platform;
let worker: WorkerProcess;

beforeAll(async () => {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  await layDatabase(folders.dataDir);
  platform = await startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: '0' },
  });
  worker = runWorker(['--log', 'json'], { SIMPLESIM_DATA_DIR: folders.dataDir });
  await worker.logged('registered');
}, 300_000);
afterAll(async () => {
  worker.child.kill('SIGTERM');
  await worker.exit;
  killWorkers();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

it('drives the robot for a second, stops it and ends', async () => {
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
  const witness = await connect(client, robot.id, { workerNames: ['rcw'], rcwIdentityPrefix: 'rcw', keepSession: true });
  await witness.waitUntilReady({ timeoutMs: 60_000 });
  expect(witness.runtimeIdentity).toBe(`rcw-${robot.id}`);
  const running = runGuideProgram(robot.id, platform);
  const watching = watchRobot(() => witness.state.get('robot_status'), running);
  const { exitCode, printed } = await running;
  expect(printed).toBe('');
  expect(exitCode).toBe(0);
  const { farthestM, heldLast } = await watching;
  expect(farthestM).toBeGreaterThan(0.1);
  expect(heldLast).toBe(false);
  await witness.disconnect({ keepSession: false });
}, 120_000);
