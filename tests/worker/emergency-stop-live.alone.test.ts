/** The emergency stop over a real SFU and the real service: each path alone, and each process that may die in between. */
import { RoomServiceClient } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import type { PlatformSession, SignControl } from '../../src/client/index.ts';
import { pressOf } from '../../src/protocol/wire/emergency-stop.ts';
import { layGround, of, WITHIN_MS } from '../ground/ground.ts';
import { waitUntil } from '../launch/helpers/processes.ts';

const ground = layGround({ worker: { name: 'signed' } });

const join = (robotId: string, signControl: SignControl = 'auto', name = 'ann') =>
  ground.connect(robotId, { signControl, name, keepSession: true });
const ready = (robotId: string, signControl: SignControl = 'auto', name = 'ann') =>
  ground.openSession(robotId, { signControl, name, keepSession: true });

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
  const { livekit_url: url, livekit_api_key: key, livekit_api_secret: secret } = ground.local();
  const rooms = new RoomServiceClient(String(url).replace(/^ws/, 'http'), key, secret);
  return (await rooms.listRooms([room]))[0]?.metadata ?? '';
}

describe('each path', () => {
  it('stops the robot when the library presses over all paths, and reports who pressed and why', async () => {
    const session = await ready(await ground.newRobot());
    await atFullSpeed(session);
    const stopped = await session.emergencyStop({ reason: 'smoke' });
    expect(stopped.paths[stopped.by]).toMatchObject({ status: 'stands' });
    expect(await extraOf(session)).toMatchObject({
      emergency_stop: { reason: 'smoke' },
      control: { emergency_stop: true, velocity_holds: false, upper_body: { mode: 'damp' } },
    });
    expect(await refusal(session)).toMatchObject(REFUSED);
    await waitUntil(async () => pressOf(await metadataOf(session.roomName)) !== null, 'the press in the room', WITHIN_MS);
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('stops the robot over HTTP alone, with the service’s own signature', async () => {
    const robotId = await ground.newRobot();
    const session = await ready(robotId);
    await atFullSpeed(session);
    const result = await ground.client.robots.emergencyStop(robotId, { reason: 'gas' });
    expect(result).toMatchObject({ stands: true, runtimes: [{ identity: `rcw-${robotId}`, stands: true, problem: null }] });
    expect(await stopOf(session)).toMatchObject({
      // The room's metadata and the call of the service travel in parallel.
      by: expect.stringMatching(/^(control-service|over HTTP)$/),
      reason: 'gas',
    });
    expect(await refusal(session)).toMatchObject(REFUSED);
    expect(await ground.client.robots.sendSessionCommand(robotId, 'stop', {}).catch((error: unknown) => error)).toMatchObject(
      REFUSED,
    );
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('accepts a press over the room alone if it is signed, and rejects an unsigned one', async () => {
    const session = await ready(await ground.newRobot());
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

describe('when a process dies', () => {
  it('a robot’s process that is killed right after its answer is followed by one that is stopped', async () => {
    const robotId = await ground.newRobot();
    const session = await ready(robotId);
    await atFullSpeed(session);
    await session.call('runtime.emergency_stop', { reason: 'smoke' });
    const since = ground.worker.log.length;
    process.kill(Number((await ground.worker.logged('robot_starts', of(robotId))).pid), 'SIGKILL');
    await ground.worker.logged('robot_joined', of(robotId), since);
    await session.waitUntilReady({ timeoutMs: WITHIN_MS });
    expect(await stopOf(session)).toMatchObject({ by: 'ann', reason: 'smoke' });
    expect(await refusal(session)).toMatchObject(REFUSED);
    await session.disconnect({ keepSession: false });
  }, 120_000);

  it('a worker that was absent during the press takes no command when it comes, however many are waiting', async () => {
    const robotId = await ground.newRobot();
    const session = await ready(robotId);
    ground.worker.child.kill('SIGKILL');
    await ground.worker.exit;
    await waitUntil(async () => session.runtimeIdentity === null, 'the robot to be gone', WITHIN_MS);
    expect(await ground.client.robots.emergencyStop(robotId, { reason: 'gas' })).toMatchObject({ stands: null, runtimes: [] });
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
      ground.startWorkerAgain();
      await ground.worker.logged('robot_joined', of(robotId));
      await session.waitUntilReady({ timeoutMs: WITHIN_MS });
      await waitUntil(async () => (await stopOf(session)) !== null, 'the robot to report that it is stopped', WITHIN_MS);
    } finally {
      clearInterval(stream);
    }
    expect(done).toBe(0);
    expect(await stopOf(session)).toMatchObject({ by: expect.stringContaining('over HTTP'), reason: 'gas' });
    await session.disconnect({ keepSession: false });
  }, 180_000);

  it('keeps the stop across new instances of service, SFU and worker, and the returning robot is stopped', async () => {
    const robotId = await ground.newRobot();
    const session = await ready(robotId);
    await ground.client.robots.emergencyStop(robotId, { reason: 'gas' });
    ground.worker.child.kill('SIGKILL');
    await ground.worker.exit;
    const sfuPort = ground.sfuPort();
    await ground.platform.stop();
    // The new SFU has the address of the previous one.
    await ground.startAgain(sfuPort);
    ground.startWorkerAgain();
    const again = await join(robotId);
    await again.waitUntilReady({ timeoutMs: WITHIN_MS });
    expect(again.roomName).toBe(session.roomName);
    expect(pressOf(await metadataOf(again.roomName))).toMatchObject({ reason: 'gas' });
    expect(await stopOf(again)).toMatchObject({ reason: 'gas' });
    expect(await refusal(again)).toMatchObject(REFUSED);
    await again.disconnect({ keepSession: false });
  }, 180_000);
});
