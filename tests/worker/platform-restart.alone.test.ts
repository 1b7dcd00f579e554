/** A worker keeps running while `npm start` next to it ends and starts again: a new SFU with new keys, which knows no room. */
import { describe, expect, it } from 'vitest';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { layGround } from '../ground/ground.ts';

const ground = layGround({ worker: { signedOnly: false } });

const join = (robotId: string, workerNames: string[]) => ground.openSession(robotId, { workerNames, keepSession: true });

describe('the robot of a worker returns automatically with its world when the platform has restarted', () => {
  it.each([
    ['where it was', async () => ground.sfuPort()],
    ['with its SFU at another port', async () => '0'],
  ])(
    '%s',
    async (_where, nextPort) => {
      const robotId = await ground.newRobot();
      const before = await join(robotId, ['rcw']);
      const whereOf = async (session: typeof before) => ((await session.state.get('robot_status')) as RuntimeState).robot.pose;
      await before.invoke('set_velocity' as string, { vx: 0.3, duration_s: 1 });
      await before.invoke('stop' as string, {});
      const roomName = before.roomName;
      const where = await whereOf(before);
      await before.disconnect();

      const since = ground.worker.log.length;
      const port = await nextPort();
      await ground.platform.stop();
      await ground.startAgain(port);
      const ofIt = (entry: object) => 'robot_id' in entry && entry.robot_id === robotId;
      await ground.worker.logged('robot_joined', ofIt, since);
      const heard = ground.worker.log.slice(since).filter(ofIt);
      expect(heard.filter(({ event }) => event === 'robot_over' || event === 'robot_starts')).toEqual([]);

      // No client asked for the worker again.
      const after = await join(robotId, []);
      expect(after.roomName).toBe(roomName);
      expect(await whereOf(after)).toEqual(where);
      await after.disconnect({ keepSession: false });
    },
    180_000,
  );
});
