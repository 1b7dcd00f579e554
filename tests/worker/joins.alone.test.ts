/**
 * A robot that lost its place, and another robot of the same name that joined meanwhile. A real SFU, behind a link
 * that the test controls.
 */
import { dispose as disposeLiveKit, Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest';
import { type Sfu, startSfu } from '../../src/launch/sfu.ts';
import { type SfuLink, startSfuLink } from '../sfu-link/sfu-link.ts';
import { type WatchedMembership, watchMembership } from './helpers/membership.ts';

let sfu: Sfu;

beforeAll(async () => {
  sfu = await startSfu({ port: 0, restart: false });
}, 120_000);
afterAll(async () => {
  await sfu?.stop();
  await disposeLiveKit();
});

async function tokenFor(robotId: string): Promise<string> {
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity: `rcw-${robotId}`, ttl: 3_600 });
  token.addGrant({ roomJoin: true, room: `room-${robotId}`, canPublishData: true, canSubscribe: true });
  return token.toJwt();
}

/** Starts a robot in its room, behind its own link. */
async function startBehindLink(
  { onTestFinished }: TestContext,
  robotId: string,
): Promise<{ membership: WatchedMembership; link: SfuLink }> {
  const link = await startSfuLink(sfu.url);
  onTestFinished(() => link.close());
  const membership = watchMembership(link.url, await tokenFor(robotId), robotId);
  onTestFinished(() => membership.leave());
  await membership.joined(1);
  return { membership, link };
}

/** Joins as another robot under the same name; `out` reports that it was displaced, or lost its connection. */
async function comeAs({ onTestFinished }: TestContext, robotId: string): Promise<{ out: () => boolean; room: Room }> {
  const room = new Room();
  let isOut = false;
  await room.connect(sfu.url, await tokenFor(robotId), { autoSubscribe: false, dynacast: false });
  room.on('disconnected', () => {
    isOut = true;
  });
  onTestFinished(() => room.disconnect());
  return { room, out: () => isOut };
}

/** Makes a round trip to the room: the SFU forwards to each participant what this one sends. */
async function isHeardBy({ onTestFinished }: TestContext, room: Room, robotId: string): Promise<boolean> {
  const witness = new Room();
  const token = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity: `witness-${robotId}`, ttl: 600 });
  token.addGrant({ roomJoin: true, room: `room-${robotId}`, canPublishData: true, canSubscribe: true });
  const heard = new Promise<boolean>((resolve) => room.once('dataReceived', () => resolve(true)));
  await witness.connect(sfu.url, await token.toJwt(), { autoSubscribe: false, dynacast: false });
  onTestFinished(() => witness.disconnect());
  await witness.localParticipant?.publishData(new Uint8Array(1), { reliable: true });
  return heard;
}

describe.concurrent('a displaced robot that missed the message', () => {
  it('a displaced robot does not take the place of another when LiveKit resumes', async (t) => {
    const { membership, link } = await startBehindLink(t, 'resumes');
    link.set({ silent: 'both' });
    const other = await comeAs(t, 'resumes');
    // Messages of the SFU in the meantime are lost with the connection.
    link.drop();
    link.set({ silent: 'neither' });
    t.expect(await membership.over).toBe('taken_over');
    t.expect(other.out()).toBe(false);
    t.expect(await isHeardBy(t, other.room, 'resumes')).toBe(true);
  });

  it('a displaced robot does not rejoin over another that came while it was away for longer than LiveKit resumes', async (t) => {
    const { membership, link } = await startBehindLink(t, 'rejoins');
    link.set({ silent: 'both' });
    link.drop();
    await membership.logged('robot_rejoins');
    const other = await comeAs(t, 'rejoins');
    link.set({ silent: 'neither' });
    t.expect(await membership.over).toBe('taken_over');
    t.expect(other.out()).toBe(false);
    t.expect(await isHeardBy(t, other.room, 'rejoins')).toBe(true);
  });

  it('a robot joins again if the place is its own, or is free', async (t) => {
    const { membership, link } = await startBehindLink(t, 'alone');
    link.set({ silent: 'both' });
    link.drop();
    await membership.logged('robot_rejoins');
    link.set({ silent: 'neither' });
    await membership.joined(2);
  });
});
