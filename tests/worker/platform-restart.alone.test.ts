/** A worker stays while `npm start` beside it ends and starts again: a new SFU with new keys, which knows no room. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, connect } from '../../src/client/index.ts';
import { readLocalFile } from '../../src/launch/local-file.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import type { RuntimeState } from '../../src/protocol/state.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

const WITHIN_MS = 60_000;
const folders = makeFakeDist();
let platform: Platform;
let worker: WorkerProcess;

async function startAt(sfuPort: string): Promise<void> {
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  const { dataDir, distDir } = folders;
  platform = await startPlatform({ port: 0, dataDir, distDir, env: { ...env, SIMPLESIM_SFU_PORT: sfuPort } });
}

const sfuPort = (): string => new URL(String(readLocalFile(folders.dataDir).livekit_url)).port;

async function join(robotId: string, workerNames: string[]) {
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const session = await connect(client, robotId, { workerNames, rcwIdentityPrefix: 'rcw', keepSession: true });
  await session.waitUntilReady({ timeoutMs: WITHIN_MS });
  return session;
}

beforeAll(async () => {
  await layDatabase(folders.dataDir);
  await startAt('0');
  worker = runWorker(['--log', 'json', '--seed', '1'], { SIMPLESIM_DATA_DIR: folders.dataDir, RCW_RSL_REQUIRED: 'false' });
  await worker.logged('registered');
}, 300_000);
afterAll(async () => {
  worker.child.kill('SIGTERM');
  await worker.exit;
  killWorkers();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

describe('the robot of a worker is back by itself, with its world, when the platform has started again', () => {
  it.each([
    ['where it was', sfuPort],
    ['with its SFU at another port', async () => '0'],
  ])(
    '%s',
    async (_where, nextPort) => {
      const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
      const robotId = (await client.robots.create({ name: 'Ada', model: 'm' })).robot.id;
      const before = await join(robotId, ['rcw']);
      const whereOf = async (session: typeof before) => ((await session.state.get('robot_status')) as RuntimeState).robot.pose;
      await before.invoke('set_velocity' as string, { vx: 0.3, duration_s: 1 });
      await before.invoke('stop' as string, {});
      const roomName = before.roomName;
      const where = await whereOf(before);
      await before.disconnect();

      const since = worker.log.length;
      const port = await nextPort();
      await platform.stop();
      await startAt(port);
      const ofIt = (entry: object) => 'robot_id' in entry && entry.robot_id === robotId;
      await worker.logged('robot_joined', ofIt, since);
      const heard = worker.log.slice(since).filter(ofIt);
      expect(heard.filter(({ event }) => event === 'robot_over' || event === 'robot_starts')).toEqual([]);

      // Nobody asked for the worker again.
      const after = await join(robotId, []);
      expect(after.roomName).toBe(roomName);
      expect(await whereOf(after)).toEqual(where);
      await after.disconnect({ keepSession: false });
    },
    180_000,
  );
});
