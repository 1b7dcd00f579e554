/** Joining a room by a room key alone. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { joinRoom, PlatformSDKError } from '../../src/client/index.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { doneReply, FakeRoom } from './helpers/fake-room.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const SIGNATURE = 'a'.repeat(43);

function keyOf(sub: string, claims: Record<string, unknown> = {}): string {
  const video = { room: 'robot-r1', roomJoin: true };
  const payload = { sub, exp: Math.floor(Date.now() / 1_000) + 3_600, video, ...claims };
  return encodeRoomKey({ sfuUrl: 'ws://127.0.0.1:7880', token: `${encode({ alg: 'HS256' })}.${encode(payload)}.${SIGNATURE}` });
}

/** A room whose robot answers everything, with the metadata of the service. */
function room(metadata = JSON.stringify({ robot_id: 'r1', required_participants: { rcw: { min_count: 1 } } })) {
  const made = new FakeRoom(({ method, payload }) => {
    if (method === 'runtime.tools_call')
      return { reply: doneReply((payload as { options: { action_id: string } }).options.action_id) };
    return { reply: { stands: true } };
  });
  return Object.assign(made, { metadata: () => metadata });
}

describe('a session that was joined by a room key', () => {
  it('joins from a link, knows robot, room and its own name, and calls skills', async () => {
    const joined = room();
    const session = await joinRoom(`Drive it: http://localhost:8080/?key=${keyOf('agent')}`, { transport: async () => joined });
    expect(session).toMatchObject({ robotId: 'r1', roomName: 'robot-r1', identity: 'agent', runtimeIdentity: 'simplesim:r1' });
    expect(session.roomMetadata.required_participants).toEqual({ rcw: { min_count: 1 } });
    expect(await session.tryInvoke('reset', {})).toMatchObject({ status: 'done' });
    await session.disconnect();
    expect(joined.left).toBe(true);
    expect(inspect(session)).not.toContain(SIGNATURE);
  });

  it('takes the id of the robot from its name in a room without the metadata of the service', async () => {
    const session = await joinRoom(keyOf('agent'), { transport: async () => room('') });
    expect(session.robotId).toBe('r1');
    await session.disconnect();
  });

  it('does nothing over HTTP: it cannot delete the session or take the robot as its owner', async () => {
    const refusing = new FakeRoom(() => ({
      reply: { status: 'failed', error: { code: 'NOT_CONTROLLER', message: 'Another drives.', details: {} } },
    }));
    const session = await joinRoom(keyOf('agent'), { transport: async () => refusing });
    await expect(session.takeControl({ over: true })).rejects.toThrow('a room key and no API key');
    await expect(session.disconnect({ keepSession: false })).rejects.toThrow('It cannot delete the session.');
    expect(refusing.left).toBe(true);
    await session.disconnect();
  });

  it.each([
    ['the robot itself', keyOf('simplesim:r1'), 'would displace the robot'],
    ['a viewer', keyOf('watcher-1', { attributes: { 'simplesim.access': 'watch' } }), 'only lets you watch'],
    ['an earlier time', keyOf('agent', { exp: 1 }), 'expired'],
    ['nothing', 'hello', 'not a room key'],
  ])('rejects a key of %s before it joins, without any part of it', async (_whom, given, sentence) => {
    const unused = room();
    const error = await joinRoom(given, { transport: async () => unused }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatformSDKError);
    expect(String(error)).toContain(sentence);
    expect(String(error)).not.toContain(SIGNATURE);
    expect(unused.token).toBeNull();
  });
});
