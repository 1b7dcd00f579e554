/** The control lease, over a real SFU, with the real service and a worker with signed control. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type ControlLease,
  type DriverChanged,
  NotControllerError,
  type PlatformSession,
  RcwRuntimeError,
  type RoomTransport,
  type SignControl,
} from '../../src/client/index.ts';
import { DRIVER_SILENT_MS } from '../../src/protocol/wire/driver.ts';
import { nodeTransport } from '../client/helpers/leave-room.ts';
import { layGround, WITHIN_MS } from '../ground/ground.ts';
import { waitUntil } from '../launch/helpers/processes.ts';

/** Each session may take the robot eight times in 10 s. */
const RACES = 60;
const ground = layGround({ worker: { name: 'driven' } });
/** Opens the room of each session. */
const rooms = new Map<PlatformSession, RoomTransport>();

async function join(robotId: string, name: string, signControl: SignControl = 'auto'): Promise<PlatformSession> {
  const room = await nodeTransport();
  const session = await ground.openSession(robotId, { keepSession: true, name, signControl, transport: async () => room });
  rooms.set(session, room);
  return session;
}

const drive = (session: PlatformSession, vx: number) => session.invoke('set_velocity' as string, { vx });
const refusal = (calling: Promise<unknown>) => calling.catch((error: unknown) => error);
const isStill = async (session: PlatformSession) => (await session.state.get('robot_status')).robot.status !== 'moving';

describe('one who drives a robot in a room', () => {
  it('the lease is shown to all, excludes others, can be handed over, and ends when its holder leaves, which all learn', async () => {
    const robotId = await ground.newRobot();
    const [ann, ben] = [await join(robotId, 'ann'), await join(robotId, 'ben')];
    const reported: DriverChanged[] = [];
    ben.onDriverChanged((event) => void reported.push(event));
    const lease = await ann.takeControl({ name: 'Ann', kind: 'person' });
    expect(await drive(ann, 0.3)).toMatchObject({ status: 'done' });
    expect(await refusal(drive(ben, -1))).toMatchObject({ driver: { name: 'Ann', kind: 'person' } });
    expect(await refusal(ground.client.robots.sendSessionCommand(robotId, 'set_velocity', { vx: -1 }))).toMatchObject({
      code: 'NOT_CONTROLLER',
    });
    // Any participant may stop the robot.
    expect(await ben.invoke('stop' as string, {})).toMatchObject({ status: 'done' });
    const asked = ben.askForControl({ name: 'Ben', timeoutMs: WITHIN_MS });
    await waitUntil(async () => (await ann.driver())?.asked_by.length === 1, 'the ask to be there', WITHIN_MS);
    await lease.give();
    const next = await asked;
    expect(await lease.ended).toMatchObject({ why: 'given', driver: { name: 'Ben' } });
    expect(await drive(ben, 0.5)).toMatchObject({ status: 'done' });
    const hearing = new Promise<DriverChanged>((resolve) => ann.onDriverChanged(resolve));
    // The holder leaves without a release, like a program that dies.
    await rooms.get(ben)?.disconnect();
    expect(await hearing).toMatchObject({ why: expect.stringMatching(/left|silent/), driver: null, previous: { name: 'Ben' } });
    await waitUntil(() => isStill(ann), 'the robot to stand', WITHIN_MS);
    expect(await ann.driver()).toBeNull();
    expect(await next.ended).toEqual({ driver: null, why: null });
    expect(reported.map(({ why }) => why)).toEqual(['taken', 'given']);
    await ann.disconnect({ keepSession: false });
  }, 120_000);

  it('the lease ends after 5 s of silence and the body stops; an unsigned participant cannot take it', async () => {
    const robotId = await ground.newRobot();
    const [ann, ben] = [await join(robotId, 'ann'), await join(robotId, 'ben', false)];
    expect(await refusal(ben.call('runtime.control', { action: 'take' }))).toMatchObject({ code: 'PERMISSION_DENIED' });
    const hearing = new Promise<DriverChanged>((resolve) => {
      ben.onDriverChanged((event) => {
        if (event.why !== 'taken') resolve(event);
      });
    });
    // A custom client that takes the lease and never renews it.
    await ann.call('runtime.control', { action: 'take' });
    await drive(ann, 1);
    const event = await hearing;
    expect(event).toMatchObject({ why: 'silent', driver: null });
    expect(event.at_ms - (event.previous?.since_ms ?? 0)).toBeGreaterThanOrEqual(DRIVER_SILENT_MS.worker);
    await waitUntil(() => isStill(ben), 'the robot to stand', WITHIN_MS);
    await ann.disconnect({ keepSession: false });
  }, 120_000);

  it(`one of two participants that take the lease at once gets it, ${RACES} times of ${RACES}, and the other learns the holder`, async () => {
    const robotId = await ground.newRobot();
    const sessions = [await join(robotId, 'ann'), await join(robotId, 'ben')] as const;
    const wins = [0, 0];
    for (let race = 0; race < RACES; ) {
      const tries = await Promise.all(sessions.map((session) => refusal(session.takeControl())));
      const tooOften = tries.filter((got) => got instanceof RcwRuntimeError && got.code === 'BUSY');
      if (tooOften.length > 0) {
        for (const got of tries) if (!(got instanceof Error)) await (got as ControlLease).release();
        const waitsMs = tooOften.map((got) => Number((got as RcwRuntimeError).details.retry_after_ms));
        await sleep(Math.max(...waitsMs));
        continue;
      }
      race += 1;
      const winner = tries.findIndex((got) => !(got instanceof NotControllerError));
      const loser = tries[1 - winner];
      expect(loser, `race ${race}`).toBeInstanceOf(NotControllerError);
      const { driver } = loser as NotControllerError;
      const now = await sessions[0].driver();
      expect(now?.identity).toBe(driver?.identity);
      wins[winner] = (wins[winner] ?? 0) + 1;
      await (tries[winner] as Awaited<ReturnType<PlatformSession['takeControl']>>).release();
    }
    expect((wins[0] ?? 0) + (wins[1] ?? 0)).toBe(RACES);
    await sessions[0].disconnect({ keepSession: false });
  }, 240_000);
});
