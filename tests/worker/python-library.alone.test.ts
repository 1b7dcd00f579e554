/** The Python library and a worker that takes signed commands only, as the physical robot does. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVEKIT_VERSIONS } from '../../scripts/ensure-python.ts';
import { Client, connect, type PlatformSession } from '../../src/client/index.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { runPytest } from '../python/library.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

const folders = makeFakeDist();
let platform: Platform;
let worker: WorkerProcess;
let session: PlatformSession;

beforeAll(async () => {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  await layDatabase(folders.dataDir);
  platform = await startPlatform({
    port: 0,
    dataDir: folders.dataDir,
    distDir: folders.distDir,
    env: { ...env, SIMPLESIM_SFU_PORT: '0' },
  });
  worker = runWorker(['--log', 'json', '--seed', '1', '--name', 'signed'], { SIMPLESIM_DATA_DIR: folders.dataDir });
  await worker.logged('registered');
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { robot } = await client.robots.create({ name: 'Ada', model: 'm' });
  session = await connect(client, robot.id, { workerNames: ['signed'], rcwIdentityPrefix: 'rcw' });
  await session.waitUntilReady({ timeoutMs: 60_000 });
}, 300_000);
afterAll(async () => {
  await session.disconnect();
  worker.child.kill('SIGTERM');
  await worker.exit;
  killWorkers();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

describe('the Python library', () => {
  it.each(
    LIVEKIT_VERSIONS,
  )('with LiveKit %s drives a signed worker, poses its arms, is one who drives, and cannot send an envelope twice', async (version) => {
    const { passed, failed, output } = await runPytest(version, ['test_worker.py', 'test_driving.py'], {
      connection: { rcs_url: platform.rcsUrl, api_key: platform.apiKey, robot_id: session.robotId },
      workDir: join(folders.root, `python-${version}`),
    });
    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThanOrEqual(15);
  }, 600_000);
});
