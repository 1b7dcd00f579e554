/**
 * A robot whose room falls silent: no connection ends, but no packets arrive. A real SFU, behind a link that the
 * test controls.
 */
import { dispose as disposeLiveKit, Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { ROOM_SILENT_AFTER_MS, ROOM_STALE_AFTER_MS } from '../../src/protocol/wire/limits.ts';
import { watchRooms } from '../client-models/watch-rpc.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import { askOverLosses } from '../sfu-link/ask-over-losses.ts';
import { type SfuLink, startSfuLink } from '../sfu-link/sfu-link.ts';
import { killWorkers, runWorker, type WorkerProcess } from './helpers/worker-process.ts';

const IDENTITY = 'rcw-quiet';
let sfu: Sfu;
let link: SfuLink;
let worker: WorkerProcess;
let client: Room;

watchRooms();

/** The robot connects through the link; its client connects directly. */
beforeAll(async () => {
  sfu = await startSfu({ port: 0, restart: false });
  link = await startSfuLink(sfu.url);
  const key = encodeRoomKey({ sfuUrl: link.url, token: await tokenFor(IDENTITY) });
  worker = runWorker(['--log', 'json', '--seed', '1'], { RCW_ROOM_KEY: key, RCW_RSL_REQUIRED: 'false' });
  await worker.logged('robot_ready');
  await worker.logged('robot_joined');
  client = new Room();
  await client.connect(sfu.url, await tokenFor('client:a'), { autoSubscribe: false, dynacast: false });
  // A body takes no command before its first step.
  await waitUntil(async () => (await state()).timestamp.step > 0, 'the first step', 60_000);
}, 120_000);
afterAll(async () => {
  await client?.disconnect();
  worker?.child.kill('SIGTERM');
  await worker?.exit;
  killWorkers();
  await link?.close();
  await sfu?.stop();
  await disposeLiveKit();
});

async function tokenFor(identity: string): Promise<string> {
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: 3_600 });
  token.addGrant({ roomJoin: true, room: 'quiet', canPublishData: true, canSubscribe: true });
  return token.toJwt();
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the robot.
async function call(method: string, payload: object): Promise<any> {
  const text = await client.localParticipant?.performRpc({
    destinationIdentity: IDENTITY,
    method,
    payload: JSON.stringify(payload),
    responseTimeout: 30_000,
  });
  return JSON.parse(text ?? '');
}
const drive = () => call('runtime.tools_call', { name: 'set_velocity', input: { vx: 0.3 } });
const state = () => call('runtime.state', {});
const isDriving = async (): Promise<boolean> => (await state()).robot.extra.control.velocity_holds;
const events = (since: number): string[] => worker.log.slice(since).map(({ event }) => event);

/** Waits until the robot drives. Its log entries from the returned index on are the ones to examine. */
async function driving(): Promise<number> {
  expect(await drive()).toMatchObject({ status: 'done' });
  expect(await isDriving()).toBe(true);
  return worker.log.length;
}

/** Expects that the robot has stopped automatically, long before LiveKit notices the silence. */
async function expectStopped(since: number): Promise<void> {
  const silent = await worker.logged('robot_silent', () => true, since);
  expect(silent.unheard_ms).toBeGreaterThanOrEqual(ROOM_SILENT_AFTER_MS - 50);
  expect(await worker.logged('robot_unreachable', () => true, since)).toMatchObject({ why: 'silent', stands: true });
  expect(events(since)).not.toContain('robot_reconnecting');
}

/**
 * Waits until the robot hears the room again or has rejoined it. On a busy machine the test's own silence may be long
 * enough for a rejoin.
 */
async function backInRoom(since: number): Promise<void> {
  await Promise.race(['robot_heard', 'robot_joined'].map((event) => worker.logged(event, () => true, since)));
}

/** Expects that the robot accepts commands again, stands until it gets one, and reports in its state what stopped it. */
async function expectBack(since: number): Promise<void> {
  await backInRoom(since);
  expect((await state()).robot.extra.control).toMatchObject({
    velocity_holds: false,
    stopped_by: { by: 'the worker, which heard nothing from its room for 2 s' },
  });
  expect(await drive()).toMatchObject({ status: 'done' });
}

describe('recovers automatically from silence', () => {
  it('stops and recovers automatically when the SFU is suspended', async () => {
    const since = await driving();
    process.kill(sfu.pid ?? 0, 'SIGSTOP');
    try {
      await expectStopped(since);
    } finally {
      process.kill(sfu.pid ?? 0, 'SIGCONT');
    }
    await expectBack(since);
  });

  it('stops and recovers automatically when its cable is unplugged', async () => {
    const since = await driving();
    link.set({ silent: 'both' });
    await expectStopped(since);
    link.set({ silent: 'neither' });
    await expectBack(since);
  });

  it('stops and recovers automatically when only incoming packets are lost', async () => {
    const since = await driving();
    link.set({ silent: 'from-sfu' });
    await expectStopped(since);
    link.set({ silent: 'neither' });
    await expectBack(since);
  });

  it('stops and recovers automatically when only outgoing packets are lost, although calls arrive', async () => {
    const since = await driving();
    link.set({ silent: 'to-sfu' });
    const asking = setInterval(() => void drive().catch(() => undefined), 600);
    try {
      await expectStopped(since);
    } finally {
      clearInterval(asking);
      link.set({ silent: 'neither' });
    }
    await backInRoom(since);
    await waitUntil(async () => (await drive()).status === 'done', 'the robot to take commands');
  });
});

it.each(['from-sfu', 'to-sfu'] as const)(
  'joins again after a long silence (%s), because packets that the SFU still repeats would arrive as late again',
  async (silent) => {
    const since = await driving();
    link.set({ silent });
    const lost = drive().catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, ROOM_STALE_AFTER_MS + 500));
    link.set({ silent: 'neither' });
    await worker.logged('robot_joined', () => true, since);
    // A caller in the meantime gets its answer at once.
    expect(await lost).toMatchObject({ code: expect.any(Number) });
    await waitUntil(async () => (await drive()).status === 'done', 'the robot to take commands');
  },
);

describe('keeps driving over a bad connection', () => {
  /** Returns whole entries, so that a failure shows when the silence began and how long it lasted. */
  const stops = (since: number) =>
    worker.log.slice(since).filter(({ event }) => ['robot_silent', 'robot_unreachable', 'robot_cancelled'].includes(event));

  it('keeps driving over a slow link', async () => {
    const since = await driving();
    link.set({ delayMs: 300, bytesPerSecond: 125_000 });
    for (let asked = 0; asked < 3; asked += 1) expect(await isDriving()).toBe(true);
    link.set({ delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    expect(stops(since)).toEqual([]);
  });

  it('keeps driving through a silence of one second', async () => {
    const since = await driving();
    link.set({ silent: 'both' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    link.set({ silent: 'neither' });
    expect(await isDriving()).toBe(true);
    expect(stops(since)).toEqual([]);
  });

  // This test is last: after packet loss a sender waits longer before it repeats a packet.
  it('keeps driving over a link that loses packets', async () => {
    const since = await driving();
    link.set({ delayMs: 20, lossRatio: 0.2 });
    expect(await askOverLosses(4, isDriving)).not.toContain(false);
    expect(stops(since)).toEqual([]);
  });
});
