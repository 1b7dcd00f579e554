/** `npm run headless` beside a local platform: a real SFU, the real control service, the TypeScript client. */
import { join } from 'node:path';
import { Room } from '@livekit/rtc-node';
import { describe, expect, it } from 'vitest';
import { Client, generateRoomKeyUrl } from '../../src/client/index.ts';
import { HOLDER_PATH, type HolderQuestion } from '../../src/protocol/room/holder-question.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { layGround } from '../ground/ground.ts';
import { watch } from '../worker/helpers/watcher.ts';

const ground = layGround();

async function newRobot(sceneId?: string): Promise<{ robotId: string; link: string }> {
  const { robot } = await ground.client.robots.create({ name: 'Ada', model: 'm' });
  await ground.client.robots.createSession(robot.id, { workerNames: [] });
  if (sceneId) await askForScene(robot.id, sceneId);
  return {
    robotId: robot.id,
    link: await generateRoomKeyUrl(ground.client, robot.id, { viewerBaseUrl: ground.platform.viewerUrl }),
  };
}

/** As over HTTP: the library leaves the choice to skills. */
async function askForScene(robotId: string, sceneId: string): Promise<void> {
  const asked = await fetch(`${ground.platform.baseUrl}/v1/robots/${robotId}/session`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ground.platform.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ worker_names: [], scene_id: sceneId }),
  });
  expect(asked.status).toBeLessThan(300);
}

const openSession = (robotId: string) => ground.openSession(robotId, { keepSession: true });

const entity = (id: string) => ({ target: { kind: 'entity', entity_id: id } as const });

describe('a simulator without a page', () => {
  it('the robot of a link moves, picks, places, streams to watchers, rejects pictures, and leaves at Ctrl-C', async () => {
    const { robotId, link } = await newRobot();
    const headless = ground.runHeadless([link]);
    const session = await openSession(robotId);
    expect(session.runtimeIdentity).toBe(simulatorIdentity(robotId));
    expect(await session.state.get('manifest')).toMatchObject({ profile: 'simulator', scene_id: 'warehouse' });

    const watching = await ground.client.robots.createParticipantToken(robotId, {
      participantIdentity: 'somebody',
      access: 'watch',
    });
    const watcher = await watch(watching.livekit_url, watching.participant_token, simulatorIdentity(robotId));
    ground.later(() => watcher.leave());

    const picked = await session.invoke('pick_entity', entity('cube_0'));
    expect(picked).toMatchObject({ status: 'done', result: { held: 'cube_0' } });
    const { entities } = await session.scene();
    const pad = Object.values(entities).find(({ kind, state }) => kind === 'pad' && state.color === entities.cube_0?.state.color);
    const target = entity(pad?.entity_id ?? '');
    const lease = await session.takeControl();
    const other = await openSession(robotId);
    await expect(other.invoke('go_to', target)).rejects.toMatchObject({ code: 'NOT_CONTROLLER' });
    expect(await session.invoke('go_to', target)).toMatchObject({ status: 'done' });
    expect(await session.invoke('place_entity', target)).toMatchObject({ status: 'done' });
    await lease.release();
    await watcher.seen(({ state }) => state.step > 0);

    await expect(session.getVision('pov')).rejects.toMatchObject({
      code: 'UNKNOWN_CAMERA',
      message: expect.stringContaining('Open the robot in a browser'),
    });
    headless.child.kill('SIGINT');
    expect(await headless.exit).toBe(0);
    expect(headless.log.at(-1)).toMatchObject({ event: 'robot_over', why: 'ended' });
    expect(headless.printed()).not.toContain(link.slice(-40));
  });

  it('a robot of its own account is out of reach for the keys of every other; a closed account opens nothing', async () => {
    const [mine, other] = await Promise.all(['mine', 'other'].map((name) => ground.platform.openAccount(name)));
    if (!mine || !other) throw new Error('no accounts');
    const [own, foreign] = [mine, other].map(({ apiKey }) => new Client({ rcsUrl: ground.platform.rcsUrl, apiKey }));
    const robot = await own?.robots.create({ name: 'Ada', model: 'm' });
    const robotId = robot?.robot.id ?? '';
    await own?.robots.createSession(robotId, { workerNames: [] });
    await expect(foreign?.robots.createParticipantToken(robotId, { participantIdentity: 'thief' })).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(ground.client.robots.createParticipantToken(robotId, { participantIdentity: 'thief' })).rejects.toMatchObject({
      statusCode: 404,
    });
    // Everything that its holder makes ends with it: further keys, robots, sessions.
    const further = new Client({
      rcsUrl: ground.platform.rcsUrl,
      apiKey: (await own?.apiKeys.create({ name: 'further' }))?.api_key ?? '',
    });
    const { robot: second } = await further.robots.create({ name: 'Bert', model: 'm' });
    const place = await further.robots.createSession(second.id, { workerNames: [] });
    await mine.close();
    for (const one of [own, further]) await expect(one?.robots.list()).rejects.toMatchObject({ statusCode: 401 });
    const asked = place.livekit_url.replace(/^ws/, 'http');
    const entered = await fetch(`${asked}/rtc/validate?access_token=${place.participant_token}`);
    expect([entered.status, await entered.text()]).toEqual([404, expect.stringContaining('room')]);
    expect((await foreign?.robots.list())?.robots).toEqual([]);
    await other.close();
    await other.close();
  });

  it('a restarted robot continues with its world, from scratch with --fresh, and keeps a latched emergency stop over both', async () => {
    const { robotId, link } = await newRobot();
    const first = ground.runHeadless([link]);
    const session = await openSession(robotId);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    const second = ground.runHeadless([link]);
    const { step, seed } = await second.logged('world_restored');
    expect([Number(step) > 0, seed]).toEqual([true, 1]);
    await session.waitUntilReady({ timeoutMs: 60_000 });
    expect((await session.scene()).timestamp.step).toBeGreaterThanOrEqual(Number(step));
    await session.emergencyStop();
    second.child.kill('SIGTERM');
    await second.exit;
    const third = ground.runHeadless([link, '--fresh']);
    await third.logged('robot_ready');
    expect(third.log.map(({ event }) => event)).not.toContain('world_restored');
    await session.waitUntilReady({ timeoutMs: 60_000 });
    await expect(session.invoke('go_to', entity('pad_C'))).rejects.toThrow(/emergency stop/);
  });

  it('a robot that is displaced by another of its name reports it and does not return; the next one learns who holds the place', async () => {
    const { robotId, link } = await newRobot();
    const first = ground.runHeadless([link]);
    await first.logged('robot_joined');
    const refused = ground.runHeadless([link]);
    expect(await refused.exit).toBe(3);
    expect(refused.printed()).toMatch(/Another \(simulator without a page on .*\) has been this robot for \d+ s\. .*--take-over/);
    expect(first.child.exitCode).toBeNull();
    // As a tab joins after its person has chosen to take over.
    const { livekit_url: url, participant_token: token } = await ground.client.robots.createParticipantToken(robotId, {
      participantIdentity: simulatorIdentity(robotId),
    });
    const tab = new Room();
    await tab.connect(url, token, { autoSubscribe: false, dynacast: false });
    ground.later(() => tab.disconnect());
    expect(await first.exit).toBe(0);
    expect(first.log.at(-1)).toMatchObject({ event: 'robot_over', why: 'taken_over' });
    const third = ground.runHeadless([link, '--take-over']);
    await third.logged('robot_joined');
  });

  it('a robot keeps its place while it answers, and loses it to the next one when its process sleeps', async () => {
    const { link } = await newRobot();
    const first = ground.runHeadless([link]);
    await first.logged('robot_joined');
    const token = new URL(link).searchParams.get('key')?.split('~').at(-1) ?? '';
    const asked = { token, browser: 'an-onlooker', page: 'An onlooker', waits: true } satisfies HolderQuestion;
    const holder = async () => {
      const answer = await fetch(`${ground.platform.viewerUrl}${HOLDER_PATH}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(asked),
      });
      return (await answer.json()).seat?.holder;
    };
    expect(await holder()).toMatchObject({ silent_ms: 0, is_dead: false });
    first.child.kill('SIGSTOP');
    try {
      await expect.poll(holder, { timeout: 60_000 }).toMatchObject({ silent_ms: expect.any(Number), is_dead: true });
      const second = ground.runHeadless([link]);
      await second.logged('robot_joined');
      expect(second.child.exitCode).toBeNull();
    } finally {
      first.child.kill('SIGCONT');
    }
    expect(await first.exit).toBe(0);
    expect(first.log.at(-1)).toMatchObject({ event: 'robot_over', why: 'taken_over' });
  });

  it('a robot begins in the scene that its session asks for, unless the command names another; an unknown one prevents the start', async () => {
    const sceneOf = async ({ robotId, link }: { robotId: string; link: string }, ...args: string[]) => {
      const headless = ground.runHeadless([link, ...args]);
      await headless.logged('robot_ready');
      const session = await openSession(robotId);
      return { headless, scene: (await session.layout()).scene_id };
    };
    const asked = await newRobot('kitchen');
    expect((await sceneOf(asked)).scene).toBe('kitchen');
    expect((await sceneOf(asked, '--scene', 'hall', '--fresh', '--take-over')).scene).toBe('hall');
    const unknown = await sceneOf(await newRobot('moon'));
    expect(unknown.scene).toBe('warehouse');
    expect((await unknown.headless.logged('scene_not_opened')).message).toMatch(/"moon" is not there.*kitchen/);
  });

  it('a robot ends well when its session is deleted, and does not join a session that is over', async () => {
    const { robotId, link } = await newRobot();
    const headless = ground.runHeadless([], { SIMPLESIM_ROOM_KEY: link });
    await headless.logged('robot_joined');
    await ground.client.robots.deleteSession(robotId);
    expect(await headless.exit).toBe(0);
    expect(headless.log.at(-1)).toMatchObject({ event: 'robot_over', why: 'session_deleted' });
  });

  it('one process runs the robot of the local platform without a link, and several robots of several links at once', async () => {
    const own = ground.runHeadless([]);
    expect(await own.logged('robot_joined')).toMatchObject({ robot_id: ground.platform.robotId });
    const [left, right] = [await newRobot(), await newRobot()];
    const both = ground.runHeadless([left.link, right.link, '--robot', 'picker', '--scene', 'hall']);
    for (const { robotId } of [left, right]) {
      const session = await openSession(robotId);
      expect(await session.state.get('manifest')).toMatchObject({
        scene_id: 'hall',
        robot_model: { name: expect.stringContaining('picker') },
      });
      expect(await session.invoke('set_velocity', { wz: 0.5, duration_s: 0.5 })).toMatchObject({ status: 'done' });
    }
    both.child.kill('SIGTERM');
    expect(await both.exit).toBe(0);
    expect(both.log.filter(({ event }) => event === 'robot_over')).toHaveLength(2);
  });

  it('the command ends with 3 for keys that open no robot, and 2 for unknown options, in one sentence and without the key', async () => {
    const { robotId, link } = await newRobot();
    const expired = await ground.client.robots.createParticipantToken(robotId, {
      participantIdentity: simulatorIdentity(robotId),
      ttlS: 60,
    });
    const foreign = encodeRoomKey({ sfuUrl: expired.livekit_url, token: `${expired.participant_token.slice(0, -6)}AAAAAA` });
    const worker = await generateRoomKeyUrl(ground.client, robotId, {
      viewerBaseUrl: ground.platform.viewerUrl,
      profile: 'worker',
    });
    const claims = { ...JSON.parse(Buffer.from(expired.participant_token.split('.')[1] ?? '', 'base64url').toString()), exp: 1 };
    const parts = expired.participant_token.split('.');
    const old = [parts[0], Buffer.from(JSON.stringify(claims)).toString('base64url'), parts[2]].join('.');
    const over = encodeRoomKey({ sfuUrl: expired.livekit_url, token: old });
    const cases: [string[], number, RegExp][] = [
      [['nonsense'], 3, /not a room key/],
      [[link.slice(0, 60)], 3, /cannot be read|damaged|cut off/],
      [[worker], 3, /npm run worker -- --key-from-stdin/],
      [[foreign], 3, /does not accept the token/],
      [[link, link], 2, /named twice/],
      [['--robot', 'dog'], 2, /no robot "dog"/],
      [['--scene', 'moon'], 2, /no scene "moon"/],
      [[link, '--scene', 'nowhere.json'], 2, /nowhere\.json: ENOENT/],
      [[link, '--scene', join(import.meta.dirname, '../../package.json')], 2, /The scene is refused/],
      [[over], 3, /expired .* ago/],
      [['--frobnicate'], 2, /frobnicate/],
    ];
    const noBrowser = ground.runHeadless([link, '--pictures'], { SIMPLESIM_CHROMIUM: '/nowhere/chrome' });
    expect(await noBrowser.exit).toBe(3);
    expect(noBrowser.printed()).toMatch(/no Chrome or Chromium here.*SIMPLESIM_CHROMIUM/);
    for (const [args, code, sentence] of cases) {
      const ended = ground.runHeadless(args);
      expect(await ended.exit, ended.printed()).toBe(code);
      expect(ended.printed()).toMatch(sentence);
      expect(ended.printed()).not.toContain(expired.participant_token.slice(-20));
    }
  });
});
