/** A driver that leaves and returns under its identity, over a real SFU, the real service and a simulator without a page. */
import { Room } from '@livekit/rtc-node';
import { afterAll, describe, expect, it } from 'vitest';
import { generateRoomKeyUrl } from '../../src/client/index.ts';
import type { RobotInRoom } from '../../src/headless/in-room.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { layGround } from '../ground/ground.ts';
import { startReadyRobot } from './ready-robot.ts';

const ground = layGround({
  async prepare() {
    const link = await generateRoomKeyUrl(ground.client, ground.platform.robotId, { viewerBaseUrl: ground.platform.viewerUrl });
    robot = await startReadyRobot(link);
  },
});
let robot: RobotInRoom;

afterAll(() => robot.end());

interface Reply {
  status: string;
  result?: { you_drive: boolean };
  error?: { code: string; details: Record<string, unknown> };
}

/** Joins like a program of a user, over LiveKit alone. */
async function join(identity: string) {
  const place = await ground.client.robots.createParticipantToken(ground.platform.robotId, { participantIdentity: identity });
  const room = new Room();
  await room.connect(place.livekit_url, place.participant_token, { autoSubscribe: false, dynacast: false });
  const control = async (action: string): Promise<Reply> => {
    const destinationIdentity = simulatorIdentity(ground.platform.robotId);
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
  it.each(['ann', 'ben', 'cem'])(
    'a returned driver is another session, which does not inherit the lease: %s',
    async (name) => {
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
    },
    60_000,
  );
});
