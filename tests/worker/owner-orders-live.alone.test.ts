/** The owner takes a robot from its driver, over a real SFU, with the real service and a worker with signed control. */
import { Room } from '@livekit/rtc-node';
import { RoomServiceClient } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import type { ControlLease, DriverChanged, PlatformSession } from '../../src/client/index.ts';
import { EVENTS_TOPIC } from '../../src/protocol/room/room-events.ts';
import { DRIVER_SILENT_MS } from '../../src/protocol/wire/driver.ts';
import { ownerOrderOf } from '../../src/protocol/wire/owner-order.ts';
import { leaveRoom, nodeTransport } from '../client/helpers/leave-room.ts';
import { layGround, of, WITHIN_MS } from '../ground/ground.ts';
import { waitUntil } from '../launch/helpers/processes.ts';

const RACES = 20;
const ground = layGround({ worker: { name: 'owned' } });

const join = (robotId: string, name: string) =>
  ground.openSession(robotId, { keepSession: true, name, transport: nodeTransport });

const drive = (session: PlatformSession, vx: number) => session.invoke('set_velocity' as string, { vx });
const refusal = (calling: Promise<unknown>) => calling.catch((error: unknown) => error);
const isStill = async (session: PlatformSession) => (await session.state.get('robot_status')).robot.status !== 'moving';
const sfuAddress = () => String(ground.local().livekit_url);

function sfuRooms(): RoomServiceClient {
  const { livekit_api_key: key, livekit_api_secret: secret } = ground.local();
  return new RoomServiceClient(sfuAddress().replace(/^ws/, 'http'), key, secret);
}
const metadataOf = async (room: string): Promise<string> => (await sfuRooms().listRooms([room]))[0]?.metadata ?? '';
const orderIn = async (room: string) => ownerOrderOf(await metadataOf(room));

describe("the owner's order of who drives", () => {
  it('an order of the owner ends the driver’s lease with its reason, stops the body, informs all, and then removes the driver', async () => {
    const robotId = await ground.newRobot();
    const [agent, guest] = [await join(robotId, 'agent'), await join(robotId, 'guest')];
    const reported: DriverChanged[] = [];
    guest.onDriverChanged((event) => void reported.push(event));
    const lease = await agent.takeControl({ name: 'Agent', kind: 'agent' });
    await drive(agent, 1);
    await waitUntil(async () => !(await isStill(agent)), 'the robot to drive', WITHIN_MS);
    expect(await ground.client.robots.releaseControl(robotId)).toMatchObject({ driver: null, previous: { name: 'Agent' } });
    expect(await lease.ended).toEqual({ driver: null, why: 'taken_over', by: 'owner' });
    await waitUntil(() => isStill(guest), 'the robot to stand', WITHIN_MS);
    await waitUntil(() => reported.length === 2, 'the guest to learn of it', WITHIN_MS);
    expect(reported.at(-1)).toMatchObject({ why: 'taken_over', by: 'owner', driver: null, previous: { name: 'Agent' } });
    // The robot has no driver, and the client that lost it does not take it back automatically.
    expect(await agent.driver()).toBeNull();
    expect(await drive(guest, 0.2)).toMatchObject({ status: 'done' });
    await waitUntil(async () => (await orderIn(agent.roomName)) === null, 'the order to leave the room', WITHIN_MS);
    await agent.disconnect({ keepSession: false });
  }, 120_000);

  it('an order of the owner gives the robot to one of the owner’s sessions, which then renews its lease automatically', async () => {
    const robotId = await ground.newRobot();
    const [agent, owner] = [await join(robotId, 'agent'), await join(robotId, 'owner')];
    const lost = await agent.takeControl({ kind: 'agent' });
    expect(await refusal(owner.takeControl())).toMatchObject({ name: 'NotControllerError' });
    const lease = await owner.takeControl({ over: true, name: 'Olga', kind: 'person' });
    expect(await lost.ended).toMatchObject({ why: 'taken_over', by: 'owner', driver: { name: 'Olga', kind: 'person' } });
    expect(await refusal(drive(agent, 1))).toMatchObject({ driver: { name: 'Olga' } });
    const until = performance.now() + DRIVER_SILENT_MS.worker + 1_000;
    await waitUntil(() => performance.now() >= until, 'more than the silence to pass', WITHIN_MS);
    expect(lease.isHeld).toBe(true);
    expect(await owner.driver()).toMatchObject({ name: 'Olga' });
    expect(await drive(owner, 0.3)).toMatchObject({ status: 'done' });
    // A second order gives the same lease; once it is released, any session may take it.
    expect((await owner.takeControl({ over: true })).isHeld).toBe(true);
    await lease.release();
    expect((await agent.takeControl()).isHeld).toBe(true);
    await agent.disconnect({ keepSession: false });
  }, 120_000);

  it('an order for a participant that cannot drive is rejected with the reason and changes nothing', async () => {
    const robotId = await ground.newRobot();
    const agent = await join(robotId, 'agent');
    await agent.takeControl();
    const watcher = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'eye', access: 'watch' });
    const room = new Room();
    await room.connect(watcher.livekit_url, watcher.participant_token, { autoSubscribe: false, dynacast: false });
    ground.later(() => leaveRoom(room));
    for (const to of ['eye', 'nobody', `rcw-${robotId}`])
      expect(await refusal(ground.client.robots.takeControl(robotId, { to }))).toMatchObject({ code: 'control.no_driver' });
    expect(await orderIn(agent.roomName)).toBeNull();
    expect(await agent.driver()).not.toBeNull();
    await agent.disconnect({ keepSession: false });
  }, 120_000);

  it('an order does not apply to the next runtime: one that starts while the order is in the room has no driver', async () => {
    const robotId = await ground.newRobot();
    const [agent, owner] = [await join(robotId, 'agent'), await join(robotId, 'owner')];
    await agent.takeControl();
    const lease = await owner.takeControl({ over: true });
    const withOrder = await metadataOf(owner.roomName);
    expect(ownerOrderOf(withOrder)).not.toBeNull();
    const since = ground.worker.log.length;
    process.kill(Number((await ground.worker.logged('robot_starts', of(robotId))).pid), 'SIGKILL');
    // The robot usually returns after an order has expired; here the order stays until the robot is back.
    await waitUntil(async () => (await orderIn(owner.roomName)) === null, 'the order to leave the room', WITHIN_MS);
    await sfuRooms().updateRoomMetadata(owner.roomName, withOrder);
    await ground.worker.logged('robot_joined', of(robotId), since);
    await owner.waitUntilReady({ timeoutMs: WITHIN_MS });
    expect((await owner.state.get('robot_status')).robot.extra).toMatchObject({
      driver: null,
      owner_orders: { heard: expect.not.arrayContaining([expect.objectContaining({ outcome: 'obeyed' })]) },
    });
    expect((await lease.ended).driver).toBeNull();
    expect(await refusal(drive(agent, 0.2))).toMatchObject({ status: 'done' });
    await agent.disconnect({ keepSession: false });
  }, 120_000);

  it('only the service can write an order: participants in the room can neither store nor send one', async () => {
    const robotId = await ground.newRobot();
    const agent = await join(robotId, 'agent');
    const lease = await agent.takeControl();
    const { ticket } = (await agent.state.get('robot_status')).robot.extra.owner_orders ?? { ticket: '' };
    expect(ticket).not.toBe('');
    const owner_order = { order_id: 'forged', ticket, driver: { identity: 'eve', kind: 'person' } };
    const metadata = JSON.stringify({ owner_order });
    const eve = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'eve' });
    const room = new Room();
    await room.connect(eve.livekit_url, eve.participant_token, { autoSubscribe: false, dynacast: false });
    ground.later(() => leaveRoom(room));
    const body = JSON.stringify({ room: agent.roomName, metadata });
    const headers = { authorization: `Bearer ${eve.participant_token}`, 'content-type': 'application/json' };
    const address = `${sfuAddress().replace(/^ws/, 'http')}/twirp/livekit.RoomService/UpdateRoomMetadata`;
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(401);
    for (const topic of [EVENTS_TOPIC, 'lk.room_metadata', undefined])
      for (const packet of [{ owner_order }, { type: 'owner_order', ...owner_order }, { metadata }])
        await room.localParticipant?.publishData(new TextEncoder().encode(JSON.stringify(packet)), {
          reliable: true,
          ...(topic ? { topic } : {}),
        });
    // Her call arrives after everything that she sent, so a forged order would already have been obeyed.
    const call = { destinationIdentity: `rcw-${robotId}`, method: 'runtime.state', payload: metadata };
    const state = JSON.parse((await room.localParticipant?.performRpc(call)) ?? '');
    expect(state.robot.extra).toMatchObject({ driver: { kind: 'program' }, owner_orders: { heard: [] } });
    expect(lease.isHeld).toBe(true);
    await agent.disconnect({ keepSession: false });
  }, 120_000);

  it(`of two owners at once, ${RACES} times: the robot has one driver, which both answers name`, async () => {
    const robotId = await ground.newRobot();
    const NAMES = ['Ann', 'Ben'] as const;
    const sessions = [await join(robotId, 'ann'), await join(robotId, 'ben')] as const;
    const agent = await join(robotId, 'agent');
    await agent.takeControl();
    const tookMs: number[] = [];
    for (let race = 0; race < RACES; race += 1) {
      const startedMs = performance.now();
      const got = await Promise.all(sessions.map((session, n) => refusal(session.takeControl({ over: true, name: NAMES[n] }))));
      tookMs.push(performance.now() - startedMs);
      // A session that loses the lease between its order and its call learns this at once, or a moment later.
      const held = () => got.flatMap((one, n) => ((one as ControlLease).isHeld ? [NAMES[n]] : []));
      await waitUntil(() => held().length === 1, `one to have it in race ${race}: ${got.map(String)}`, WITHIN_MS);
      expect(held(), `race ${race}`).toEqual([(await agent.driver())?.name]);
      await ground.client.robots.releaseControl(robotId);
      await waitUntil(async () => (await agent.driver()) === null, 'the robot to have no driver', WITHIN_MS);
    }
    const slowest = tookMs.sort((a, b) => a - b).at(-1) ?? 0;
    expect(slowest).toBeLessThan(10_000);
    await agent.disconnect({ keepSession: false });
  }, 240_000);
});
