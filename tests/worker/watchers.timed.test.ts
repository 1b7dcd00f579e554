/**
 * Viewers of a robot next to a local platform: a real SFU, the real control service, a real worker, and viewers
 * that follow no rule.
 */
import { Room } from '@livekit/rtc-node';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { generateOperatorUrl, generateWatchUrl, type PlatformSession } from '../../src/client/index.ts';
import { readVisitorKey } from '../../src/protocol/room/room-key.ts';
import { COMING_MS } from '../../src/protocol/world-stream/audience.ts';
import { WORLD_TOPIC } from '../../src/protocol/world-stream/world-frame.ts';
import { WorldWriter } from '../../src/protocol/world-stream/world-writer.ts';
import { readResponse } from '../../src/worker/robot/signal-gate.ts';
import { layGround } from '../ground/ground.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import { type Watcher, watch } from './helpers/watcher.ts';

const ground = layGround({
  worker: { name: 'shown', signedOnly: false },
  async prepare() {
    robotId = await ground.newRobot();
    session = await ground.openSession(robotId);
  },
});
let robotId: string;
let session: PlatformSession;

const keyIn = (link: string) => {
  const read = readVisitorKey(link, { nowMs: Date.now(), pageProtocol: 'http:' });
  if (!read.ok) throw new Error(read.message);
  return read.key;
};
/** The service's answer to the platform's page. */
const post = async (path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${ground.platform.viewerUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};
const exchanged = async (token: string): Promise<string> => (await post('/watch', { token })).watch.token;
const watchToken = async (): Promise<string> => keyIn(await generateWatchUrl(ground.client, robotId)).token;

async function join(token: string): Promise<Watcher> {
  const watcher = await watch(ground.platform.livekitUrl, token, `rcw-${robotId}`);
  ground.later(watcher.leave);
  return watcher;
}
const drive = (vx: number) => session.invoke('set_velocity' as string, { vx });
const positionOf = async () => (await session.state.get('robot_status')).robot.pose.position;
/** Waits until all viewers have left, as the robot sees it, and it expects no further viewer. */
const nothingShown = async (other: Watcher) => {
  let before = -1;
  await waitUntil(
    async () => {
      const shown = other.packets.filter(({ topic }) => topic === WORLD_TOPIC).length;
      const isOver = shown === before;
      before = shown;
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, 1_200));
      return isOver;
    },
    'the stream to end',
    COMING_MS + 10_000,
  );
};

describe('a viewer who opens a watch link', () => {
  it('a viewer sees the current world and the robot’s movement, alongside all other viewers of the link', async () => {
    const link = await generateWatchUrl(ground.client, robotId);
    const first = await join(await exchanged(keyIn(link).token));
    const frame = await first.seen(() => true);
    expect(frame).toMatchObject({ sceneId: 'warehouse', robotId: 'humanoid', status: { emergencyStop: false } });
    // Another viewer of the same link displaces no one.
    const second = await join(await exchanged(keyIn(link).token));
    await second.seen(() => true);
    const [x = 0] = await positionOf();
    await drive(0.4);
    const moved = (frame_: { state: { rootPose: { position: readonly number[] } } }) =>
      Math.abs((frame_.state.rootPose.position[0] ?? 0) - x) > 0.2;
    await Promise.all([first.seen(moved), second.seen(moved)]);
    await session.invoke('stop' as string, {});
    await first.seen(({ status }) => status.robot === 'ready');
    await waitUntil(async () => first.room.isConnected && second.room.isConnected, 'both to be there');
  });

  it('a viewer sees what an operator sees, and an operator may drive', async () => {
    const { token, access } = keyIn(await generateOperatorUrl(ground.client, robotId));
    expect(access).toBe('drive');
    const operator = await join(await exchanged(token));
    await operator.seen(() => true);
    const call = { destinationIdentity: `rcw-${robotId}`, method: 'runtime.state', payload: '{}' };
    expect(JSON.parse((await operator.room.localParticipant?.performRpc(call)) ?? '')).toHaveProperty('robot');
  });

  it('viewers are the only reason for the stream: when the last has left, nothing is sent', async () => {
    const place = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'program' });
    const program = await join(place.participant_token);
    const watcher = await join(await exchanged(await watchToken()));
    await watcher.seen(() => true);
    await watcher.leave();
    await nothingShown(program);
  });
});

describe('a viewer who may only watch', () => {
  it('a viewer who may only watch cannot move, send or change anything, whatever the viewer sends', async () => {
    const place = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'witness' });
    const witness = await join(place.participant_token);
    let streams = 0;
    witness.room.registerByteStreamHandler('anything', () => {
      streams += 1;
    });
    const watcher = await join(await exchanged(await watchToken()));
    await watcher.seen(() => true);
    const own = watcher.room.localParticipant;
    if (!own) throw new Error('not in the room');
    const before = await positionOf();
    const sent: Promise<unknown>[] = [];
    for (const [method, input] of [
      ['runtime.tools_call', { name: 'set_velocity', input: { vx: 0.5 } }],
      ['runtime.emergency_stop', {}],
      ['runtime.state', {}],
    ] as const) {
      const call = { destinationIdentity: `rcw-${robotId}`, method, payload: JSON.stringify(input), responseTimeout: 2_000 };
      sent.push(
        own.performRpc(call).then(
          () => Promise.reject(new Error(`${method} was answered`)),
          () => 'refused',
        ),
      );
    }
    const bytes = new Uint8Array([1, 2, 3]);
    for (const topic of ['anything', WORLD_TOPIC, 'simplesim.events'])
      for (const reliable of [true, false]) sent.push(own.publishData(bytes, { topic, reliable }).catch(() => 'refused'));
    sent.push(own.sendText('text', { topic: 'anything' }).catch(() => 'refused'));
    await Promise.all(sent);
    await Promise.allSettled([
      own.setAttributes({ 'simplesim.access': 'drive' }),
      own.updateMetadata('{"driver": true}'),
      own.updateName('the robot'),
    ]);
    // Everything sent has arrived by then, because the robot's own packets come after it.
    const heard = witness.packets.length;
    await waitUntil(async () => witness.packets.length > heard + 3, 'more of the robot');
    const identities = new Set(witness.packets.map(({ identity }) => identity));
    expect([...identities].filter((identity) => identity !== null)).toEqual([`rcw-${robotId}`]);
    expect(streams).toBe(0);
    const seen = [...witness.room.remoteParticipants.values()].find(({ identity }) => identity === own.identity);
    expect(seen).toMatchObject({ name: 'watcher', metadata: '' });
    expect(seen?.attributes).toMatchObject({ 'simplesim.access': 'watch' });
    expect(await positionOf()).toEqual(before);
    expect((await session.state.get('robot_status')).robot.extra.emergency_stop).toBeNull();
  });

  it('a viewer’s token grants a place to watch and nothing else', async () => {
    const token = await watchToken();
    const again = await exchanged(token);
    const [given, got] = [decodeJwt(token), decodeJwt(again)];
    expect(got).toMatchObject({ exp: given.exp, video: given.video as object });
    expect(got.attributes).toMatchObject({ 'simplesim.access': 'watch' });
    const browser = '0b7e5f7e-7f0f-4b39-9a9e-0f8f0b7e5f7e';
    expect(await post('/seat', { token, browser, page: '' })).toEqual({ seat: null });
    expect(await post('/come-back', { token })).toEqual({ room_key: null });
    for (const path of [`/v1/robots/${robotId}`, `/v1/robots/${robotId}/session`]) {
      const answer = await fetch(`${ground.platform.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}` } });
      expect([401, 405]).toContain(answer.status);
    }
  });

  it('a viewer’s token that the SFU renews grants no further rights', async () => {
    const token = await exchanged(await watchToken());
    const socket = new WebSocket(`${ground.platform.livekitUrl}/rtc?protocol=16&auto_subscribe=0`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    ground.later(async () => socket.close());
    const renewed = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data) => {
        const { message } = readResponse(data);
        if (message.case === 'refreshToken') resolve(message.value);
      });
    });
    const [given, got] = [decodeJwt(token), decodeJwt(renewed)];
    expect(got).toMatchObject({ sub: given.sub, attributes: given.attributes as object });
    expect(got.video).toMatchObject({ canPublish: false, canPublishData: false, canUpdateOwnMetadata: false });
    // The token outlives the link.
    expect((await post('/watch', { token: renewed })).watch).toBeNull();
  });

  it('a viewer’s token allows no other name, no runtime, and no other rights', async () => {
    const token = await exchanged(await watchToken());
    const [head, , signature] = token.split('.');
    const claims = decodeJwt(token);
    for (const change of [
      { sub: `rcw-${robotId}` },
      { sub: `simplesim:${robotId}` },
      { attributes: {} },
      { video: { ...(claims.video as object), canPublishData: true } },
      { video: { ...(claims.video as object), room: 'another' } },
    ]) {
      const forged = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
      const room = new Room();
      await expect(
        room.connect(ground.platform.livekitUrl, `${head}.${forged}.${signature}`, { autoSubscribe: false, dynacast: false }),
      ).rejects.toThrow();
      expect((await post('/watch', { token: `${head}.${forged}.${signature}` })).watch).toBeNull();
    }
  });
});

it('packets that other participants send under the topic of the world are ignored', async () => {
  const watcher = await join(await exchanged(await watchToken()));
  const real = await watcher.seen(() => true);
  const place = await ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'forger' });
  const forger = await join(place.participant_token);
  const far = { ...real, state: { ...real.state, rootPose: { ...real.state.rootPose, position: [77, 77, 77] as const } } };
  const later = { ...far, stepTimeMs: real.stepTimeMs + 60_000 };
  for (const packet of new WorldWriter(1).write(later, 0))
    await forger.room.localParticipant?.publishData(packet, { topic: WORLD_TOPIC, reliable: false });
  // The SFU announces a silent participant late; until then its packets have no known sender.
  const isForged = ({ topic, identity }: (typeof watcher.packets)[number]) =>
    topic === WORLD_TOPIC && identity !== `rcw-${robotId}`;
  await waitUntil(async () => watcher.packets.some(isForged), 'the forged packet');
  const shown = watcher.frames.length;
  await waitUntil(async () => watcher.frames.length > shown + 2, 'more of the world');
  expect(watcher.frames.some(({ state }) => state.rootPose.position[0] > 70)).toBe(false);
});
