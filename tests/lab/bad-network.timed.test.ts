/**
 * Poses, a held velocity and a viewer's picture over a bad connection: a real SFU, a signed robot in its process, an
 * operator behind the connection.
 */
import { rmSync } from 'node:fs';
import { dispose as disposeLiveKit } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureNetwork } from '../../lab/network/measure.ts';
import { type NetworkStand, openStand } from '../../lab/network/stand.ts';
import { type BenchPlatform, startBenchPlatform } from '../../lab/platform.ts';
import { NETWORK_CASES, USUAL_NETWORK } from '../../scripts/docs/network-catalogue.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';

const RIDE_MS = 6_000;
const folders = makeFakeDist();
let platform: BenchPlatform;
let stand: NetworkStand;

beforeAll(async () => {
  platform = await startBenchPlatform({ distDir: folders.distDir });
  stand = await openStand(await platform.newRobot(), 7, async ({ url, token }) => {
    const key = encodeRoomKey({ sfuUrl: url, token });
    const worker = runWorker(['--log', 'json', '--seed', '1'], { RCW_ROOM_KEY: key, SIMPLESIM_DATA_DIR: folders.dataDir });
    await worker.logged('robot_ready');
    return async () => {
      worker.child.kill('SIGTERM');
      await worker.exit;
    };
  });
}, 300_000);
afterAll(async () => {
  await stand?.close();
  await platform?.stop();
  killWorkers();
  rmSync(folders.root, { recursive: true, force: true });
  await disposeLiveKit();
});

describe('over a bad line', () => {
  it('over 5 % loss, 100 ± 50 ms, reordering and 1 % duplicates, the arms follow and no stale pose is drawn as new', async () => {
    const result = await measureNetwork(stand, USUAL_NETWORK, RIDE_MS);
    // If poses were calls of the room, which are repeated until they arrive, they would come a second late and more. The
    // figures are the benchmark's; these bounds also hold on a busy machine.
    expect(result.lateMs.median).toBeLessThan(700);
    expect(result.errorRad.median).toBeLessThan(0.3);
    expect(result).toMatchObject({ backwards: 0, failure: null, watch: { back: 0 } });
    // If a busy machine delays a robot for a moment, its data is older than its stream can show.
    expect(result.watch.wrong).toBeLessThan(0.03 * result.watch.looks);
    expect(result.limpMs).toBeLessThan(RIDE_MS / 2);
    expect(result.standsAfterMs).not.toBeNull();
    // A deadline of 1 s, plus the travel time of the last renewal; on a busy machine the robot's second takes longer.
    expect(result.drivenAfterCutMs).toBeLessThan(10_000);
    expect(result.watch.olderMs.median).toBeLessThan(400);
    expect(result.watch.looks).toBeGreaterThan(50);
    expect(result.watch.trueLoss).toBeGreaterThan(0);
    expect(Math.abs(result.watch.toldLoss - result.watch.trueLoss)).toBeLessThan(0.1);
  }, 120_000);

  it('when the connection is cut for a second, the arms go limp, and then follow again automatically', async () => {
    const result = await measureNetwork(stand, NETWORK_CASES['outage of 1 s'] ?? USUAL_NETWORK, RIDE_MS);
    expect(result.limp).toBeGreaterThan(0);
    expect(result).toMatchObject({ backwards: 0, failure: null, watch: { back: 0 } });
    expect(result.backAfterMs).toBeLessThan(10_000);
    expect(result.standsAfterMs).not.toBeNull();
  }, 120_000);
});
