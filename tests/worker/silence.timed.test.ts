/** A robot whose room falls silent: no connection ends, and nothing comes any more. A real SFU, behind a link in the test's hands. */
import { dispose as disposeLiveKit, Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { ROOM_SILENT_AFTER_MS, ROOM_STALE_AFTER_MS } from '../../src/protocol/limits.ts';
import { encodeRoomKey } from '../../src/protocol/room-key.ts';
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

/** The robot is behind the link, its client beside it. */
beforeAll(async () => {
  sfu = await startSfu({ port: 0, restart: false });
  link = await startSfuLink(sfu.url);
  const key = encodeRoomKey({ sfuUrl: link.url, token: await tokenFor(IDENTITY) });
  worker = runWorker(['--log', 'json', '--seed', '1'], { RCW_ROOM_KEY: key, RCW_RSL_REQUIRED: 'false' });
  await worker.logged('robot_ready');
  await worker.logged('robot_joined');
  client = new Room();
  await client.connect(sfu.url, await tokenFor('client:a'), { autoSubscribe: false, dynacast: false });
  // Before its first step a body takes no command.
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

/** The robot drives; what it logs from now on begins at the index. */
async function driving(): Promise<number> {
  expect(await drive()).toMatchObject({ status: 'done' });
  expect(await isDriving()).toBe(true);
  return worker.log.length;
}

/** The robot has stopped by itself, long before LiveKit has noticed anything. */
async function expectStopped(since: number): Promise<void> {
  const silent = await worker.logged('robot_silent', () => true, since);
  expect(silent.unheard_ms).toBeGreaterThanOrEqual(ROOM_SILENT_AFTER_MS - 50);
  expect(await worker.logged('robot_unreachable', () => true, since)).toMatchObject({ why: 'silent', stands: true });
  expect(events(since)).not.toContain('robot_reconnecting');
}

/** The room is heard again, or entered anew: on a machine that others load the test's own silence may last that long. */
async function backInRoom(since: number): Promise<void> {
  await Promise.race(['robot_heard', 'robot_joined'].map((event) => worker.logged(event, () => true, since)));
}

/** It takes commands again by itself, stands until it gets one, and its state says what stopped it. */
async function expectBack(since: number): Promise<void> {
  await backInRoom(since);
  expect((await state()).robot.extra.control).toMatchObject({
    velocity_holds: false,
    stopped_by: { by: 'the worker, which heard nothing from its room for 2 s' },
  });
  expect(await drive()).toMatchObject({ status: 'done' });
}

describe('stops, and is back by itself', () => {
  it('when the SFU stands still', async () => {
    const since = await driving();
    process.kill(sfu.pid ?? 0, 'SIGSTOP');
    try {
      await expectStopped(since);
    } finally {
      process.kill(sfu.pid ?? 0, 'SIGCONT');
    }
    await expectBack(since);
  });

  it('when its cable is pulled', async () => {
    const since = await driving();
    link.set({ silent: 'both' });
    await expectStopped(since);
    link.set({ silent: 'neither' });
    await expectBack(since);
  });

  it('when only what comes to it is lost', async () => {
    const since = await driving();
    link.set({ silent: 'from-sfu' });
    await expectStopped(since);
    link.set({ silent: 'neither' });
    await expectBack(since);
  });

  it('when only what it sends is lost, although calls come in', async () => {
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
  'joins anew after long silence (%s): what the SFU still repeats would come as late again',
  async (silent) => {
    const since = await driving();
    link.set({ silent });
    const lost = drive().catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, ROOM_STALE_AFTER_MS + 500));
    link.set({ silent: 'neither' });
    await worker.logged('robot_joined', () => true, since);
    // A caller in the meantime is told at once.
    expect(await lost).toMatchObject({ code: expect.any(Number) });
    await waitUntil(async () => (await drive()).status === 'done', 'the robot to take commands');
  },
);

describe('does not stop', () => {
  /** Whole entries, so that a failure says when, and for how long nothing was heard. */
  const stops = (since: number) =>
    worker.log.slice(since).filter(({ event }) => ['robot_silent', 'robot_unreachable', 'robot_cancelled'].includes(event));

  it('over a slow link', async () => {
    const since = await driving();
    link.set({ delayMs: 300, bytesPerSecond: 125_000 });
    for (let asked = 0; asked < 3; asked += 1) expect(await isDriving()).toBe(true);
    link.set({ delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    expect(stops(since)).toEqual([]);
  });

  it('in a silence of a second', async () => {
    const since = await driving();
    link.set({ silent: 'both' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    link.set({ silent: 'neither' });
    expect(await isDriving()).toBe(true);
    expect(stops(since)).toEqual([]);
  });

  // The last one: what was lost makes a sender wait longer with what it sends again.
  it('over a link that loses packets', async () => {
    const since = await driving();
    link.set({ delayMs: 20, lossRatio: 0.2 });
    expect(await askOverLosses(4, isDriving)).not.toContain(false);
    expect(stops(since)).toEqual([]);
  });
});
