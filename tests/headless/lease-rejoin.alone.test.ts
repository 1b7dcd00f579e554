/** A driver that leaves and returns under its identity, over a real SFU, the real service and a simulator without a page. */
import { rmSync } from 'node:fs';
import { Room } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, generateRoomKeyUrl } from '../../src/client/index.ts';
import { type RobotInRoom, startInRoom } from '../../src/headless/in-room.ts';
import { readRobotKey } from '../../src/headless/robot-key.ts';
import { type Platform, startPlatform } from '../../src/launch/platform.ts';
import { simulatorIdentity } from '../../src/protocol/identity.ts';
import { layDatabase } from '../control-service/helpers/pglite-image.ts';
import { makeFakeDist } from '../launch/helpers/fake-dist.ts';

const folders = makeFakeDist();
let platform: Platform;
let robot: RobotInRoom;
let client: Client;

beforeAll(async () => {
  await layDatabase(folders.dataDir);
  const { PLATFORM_API_KEY: _key, LIVEKIT_URL: _url, ...env } = process.env;
  const { dataDir, distDir } = folders;
  platform = await startPlatform({ port: 0, dataDir, distDir, env: { ...env, SIMPLESIM_SFU_PORT: '0' } });
  client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const key = readRobotKey(await generateRoomKeyUrl(client, platform.robotId, { viewerBaseUrl: platform.viewerUrl }), Date.now());
  const world = { modelId: 'humanoid', sceneId: null, seed: 1, worldsDir: null, isFresh: true, takesOver: false } as const;
  let joined = (): void => {};
  const isIn = new Promise<void>((resolve) => {
    joined = resolve;
  });
  robot = await startInRoom({ key, ...world, log: ({ event }) => event === 'robot_ready' && joined() });
  await isIn;
}, 120_000);
afterAll(async () => {
  await robot.end();
  await platform.stop();
  rmSync(folders.root, { recursive: true, force: true });
});

interface Reply {
  status: string;
  result?: { you_drive: boolean };
  error?: { code: string; details: Record<string, unknown> };
}

/** Joins as a program of one's own, over LiveKit alone. */
async function join(identity: string) {
  const place = await client.robots.createParticipantToken(platform.robotId, { participantIdentity: identity });
  const room = new Room();
  await room.connect(place.livekit_url, place.participant_token, { autoSubscribe: false, dynacast: false });
  const control = async (action: string): Promise<Reply> => {
    const destinationIdentity = simulatorIdentity(platform.robotId);
    const payload = JSON.stringify({ action });
    for (;;) {
      const text = await room.localParticipant?.performRpc({ destinationIdentity, method: 'runtime.control', payload });
      const reply = JSON.parse(text ?? 'null') as Reply;
      if (reply.error?.code !== 'NOT_READY') return reply;
    }
  };
  return { control, leave: () => room.disconnect() };
}

describe('a driver that leaves without a release and returns at once under its identity', () => {
  it.each(['ann', 'ben', 'cem'])('is another session, which does not inherit the lease: %s', async (name) => {
    const before = await join(name);
    expect(await before.control('take')).toMatchObject({ status: 'done', result: { you_drive: true } });
    await before.leave();
    const after = await join(name);
    expect(await after.control('renew')).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_CONTROLLER', details: { driver: null, lost_by: 'left' } },
    });
    expect(await after.control('take')).toMatchObject({ status: 'done', result: { you_drive: true } });
    await after.control('release');
    await after.leave();
  }, 60_000);
});
