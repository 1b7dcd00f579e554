/** A robot without a page stays while `npm start` beside it ends and starts again on the same data folder. */
import { describe, expect, it } from 'vitest';
import { probePlace } from '../../src/worker/robot/probe.ts';
import { layGround } from '../ground/ground.ts';

const ground = layGround();

const earlierUrl = () => ground.local().livekit_url;

/** Starts the robot, from a link or from `local.json`, ends the platform and starts it again. */
async function restartBeside(args: string[], again: () => Promise<void>): Promise<void> {
  const robot = ground.runHeadless(args);
  await robot.logged('robot_joined');
  const since = robot.log.length;
  await ground.platform.stop();
  await again();
  await robot.logged('robot_joined', () => true, since);
  expect(robot.log.slice(since).filter(({ event }) => event === 'robot_over')).toEqual([]);
  const session = await ground.openSession(ground.platform.robotId, { keepSession: true });
  expect(await session.invoke('set_velocity', { vx: 0.2, duration_s: 0.5 })).toMatchObject({ status: 'done' });
  await session.disconnect();
}

describe('the robot of a headless process is back in its room when the platform starts again on its data folder', () => {
  it('the robot returns with its first link, because the platform keeps the keys and the port of its SFU', async () => {
    const url = earlierUrl();
    await restartBeside([ground.platform.roomKeyUrl], () => ground.startAgain(null));
    expect(earlierUrl()).toBe(url);
  }, 90_000);

  it('the robot returns with the next link of local.json, when the SFU has another port', async () => {
    const url = earlierUrl();
    await restartBeside([], () => ground.startAgain('0'));
    expect(earlierUrl()).not.toBe(url);
  }, 90_000);

  it('the robot returns with the next link of local.json, when the SFU has new keys', async () => {
    const { livekit_api_secret: secret } = ground.local();
    await restartBeside([], () => ground.startAgain(null, { newSfuKeys: true }));
    expect(ground.local().livekit_api_secret).not.toBe(secret);
  }, 90_000);
});

describe('the kept keys of the SFU', () => {
  it('the kept keys open no room of a session that was deleted before the platform started again', async () => {
    const { robot } = await ground.client.robots.create({ name: 'Ada', model: 'm' });
    await ground.client.robots.createSession(robot.id, { workerNames: [] });
    const place = await ground.client.robots.createParticipantToken(robot.id, { participantIdentity: 'guest' });
    await ground.client.robots.deleteSession(robot.id);
    await ground.platform.stop();
    await ground.startAgain(null);
    const again = {
      sfuUrl: ground.platform.livekitUrl,
      token: place.participant_token,
      room: place.room_name,
      robotId: robot.id,
    };
    expect(ground.platform.livekitUrl).toBe(place.livekit_url);
    expect(await probePlace(again)).toEqual({ kind: 'refused', end: 'session_deleted' });
  }, 90_000);
});
