/** The options and keys of tools that drive the robot of a room. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { joinRoom } from '../../src/client/index.ts';
import { readMcpArgs } from '../../src/launch/mcp/mcp-args.ts';
import type { RoomConnection } from '../../src/launch/mcp/room-connection.ts';
import { readRoomPlace } from '../../src/launch/mcp/room-place.ts';
import { createRoomRobot } from '../../src/launch/mcp/room-robot.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { FakeRoom, guardReply } from '../client/helpers/fake-room.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const SIGNATURE = 'a'.repeat(43);
const NAMED = Promise.resolve('Agent');

function keyOf(sub: string, access?: string): string {
  const attributes = access ? { 'simplesim.access': access } : {};
  const video = { room: 'robot-r1', roomJoin: true };
  const payload = { sub, exp: Math.floor(Date.now() / 1_000) + 3_600, video, attributes };
  return encodeRoomKey({ sfuUrl: 'ws://127.0.0.1:7880', token: `${encode({ alg: 'HS256' })}.${encode(payload)}.${SIGNATURE}` });
}

describe('the options of --room', () => {
  it('reads --room with and without a link', () => {
    expect(readMcpArgs(['--room'])?.room).toEqual({ link: null, isExam: false, isMotionAllowed: false });
    expect(readMcpArgs(['--room', 'k1~a~b', '--exam', '--allow-motion'])?.room).toEqual({
      ...{ link: 'k1~a~b', isExam: true, isMotionAllowed: true },
    });
    expect(readMcpArgs(['--scene', 'kitchen'])?.room).toBeNull();
  });

  it.each([
    [['k1~secret~key'], 'A link needs --room before it.'],
    [['--allow-motion'], '--allow-motion belongs to --room.'],
    [['--room', '--seed', '2'], '--seed does not go with --room'],
    [['--room', 'k1~secret~key', 'more'], 'one too many'],
    [['--room=k1~secret~key'], '--room takes no value.'],
  ])('rejects %j without the key', (args, sentence) => {
    expect(() => readMcpArgs(args)).toThrow(sentence);
    expect(() => readMcpArgs(args)).not.toThrow('secret');
  });
});

describe('the robot that --room finds', () => {
  it.each([
    ['the robot itself', keyOf('simplesim:r1'), 'Without a link, --room drives the robot of "npm start".'],
    ['a viewer', keyOf('watcher-1', 'watch'), 'only lets you watch'],
    ['nothing', 'hello', 'not a room key'],
  ])('rejects a key of %s, from the arguments and from the environment, without a part of it', (_whom, key, sentence) => {
    for (const read of [() => readRoomPlace(key, {}, NAMED), () => readRoomPlace(null, { SIMPLESIM_ROOM_KEY: key }, NAMED)]) {
      expect(read).toThrow(sentence);
      expect(read).not.toThrow(SIGNATURE);
    }
  });

  it('accepts the key of an agent and of an operator, which make no link to watch', () => {
    expect(readRoomPlace(keyOf('agent'), {}, NAMED).watchLink).toBeNull();
    expect(readRoomPlace(null, { SIMPLESIM_ROOM_KEY: keyOf('operator-1', 'drive') }, NAMED).watchLink).toBeNull();
  });

  it('explains what to start if no platform has run', async () => {
    const place = readRoomPlace(null, { SIMPLESIM_DATA_DIR: '/nonexistent' }, NAMED);
    await expect(place.join({}, new AbortController().signal)).rejects.toThrow('Start one: npm start.');
  });
});

/** The access to the robot of a room in memory. */
async function robotIn(room: FakeRoom) {
  const session = await joinRoom(keyOf('agent'), { transport: async () => room });
  const connection: RoomConnection = { session: () => session, problem: () => '', close: () => session.disconnect() };
  return createRoomRobot(connection);
}

describe('the robot of a room', () => {
  it('answers reads at once while the robot is absent, and names what to do', async () => {
    const room = new FakeRoom(() => 'silence');
    room.present = [];
    const robot = await robotIn(room);
    expect(await robot.read('runtime.state')).toMatchObject({
      status: 'failed',
      error: { code: 'ROBOT_ABSENT', message: expect.stringContaining('page') },
    });
    expect(await robot.invoke('go_to', {}, { actionId: 'a-1' })).toMatchObject({ error: { code: 'ROBOT_ABSENT' } });
    expect(room.calls).toEqual([]);
  });

  it('repeats the last report of a loading robot that stops answering', async () => {
    const room = new FakeRoom((_call, index) =>
      index === 0 ? { reply: guardReply('NOT_READY', 'The scene is loading (40 %).') } : 'silence',
    );
    const robot = await robotIn(room);
    await robot.read('runtime.state');
    // The call itself has no answer for 5 s.
    const read = robot.read('runtime.state');
    expect(await Promise.race([read, sleep(900, 'late')])).toMatchObject({
      error: { code: 'NOT_READY', message: 'The scene is loading (40 %).' },
    });
  });

  it('returns a refusal as a reply, and rejects with a sentence when the outcome is unknown', async () => {
    const room = new FakeRoom(({ method }) =>
      method === 'runtime.control' ? { reply: guardReply('NOT_CONTROLLER', 'Another drives.') } : { failure: 'lost' },
    );
    const robot = await robotIn(room);
    expect(await robot.control({ action: 'take' })).toMatchObject({ error: { code: 'NOT_CONTROLLER' } });
    expect(await robot.control({ action: 'give' })).toMatchObject({ error: { code: 'NOT_CONTROLLER' } });
    await expect(robot.read('runtime.scene_state')).rejects.toThrow('had no reply');
  });

  it('reports its problem while the room is not joined', async () => {
    const robot = createRoomRobot({ session: () => null, problem: () => 'The room has ended.', close: async () => undefined });
    await expect(robot.read('runtime.state')).rejects.toThrow('The room has ended.');
    await expect(robot.invoke('go_to', {}, { actionId: 'a-1' })).rejects.toThrow('The room has ended.');
    expect(robot.identity).toBeUndefined();
  });
});
