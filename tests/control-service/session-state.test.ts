import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessions } from '../../src/control-service/db/schema.ts';
import { IdleSessions } from '../../src/control-service/operations/idle-sessions.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { DATABASES } from './helpers/databases.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import type { FakeSfu } from './helpers/fake-sfu.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

const STATE = {
  timestamp: {},
  runtime: {
    status: 'busy',
    active_action: { action_id: 'a', kind: 'tool', name: 'go_to', phase: 'walking', started_at_ms: 7 },
    last_action: { name: 'pick_entity', status: 'failed', finished_at_ms: 5, error: { code: 'BUSY', message: 'm' } },
  },
  robot: {
    status: 'moving',
    pose: { frame_id: 'world', position: [1.12345, -0.5, 0.62], orientation_xyzw: [0, 0, 0, 1], yaw_deg: 31.46 },
    held_entity_ids: ['cube_3'],
    extra: { scene_id: 'warehouse', emergency_stop: null, driver: { identity: 'a', name: 'Ann', kind: 'person', since_ms: 3 } },
  },
};
const SUMMARY = {
  status: 'busy',
  robot_status: 'moving',
  is_stopped: false,
  active_action: { name: 'go_to', phase: 'walking', started_at_ms: 7 },
  last_action: { name: 'pick_entity', status: 'failed', finished_at_ms: 5 },
  driver: { identity: 'a', name: 'Ann', kind: 'person', since_ms: 3 },
  scene_id: 'warehouse',
  place: { x_m: 1.123, y_m: -0.5, yaw_deg: 31.5, age_ms: 0 },
  held_entity_ids: ['cube_3'],
};
const ROBOT_OF_ROOM = /^robot-(.{36})-/;

describe.each(DATABASES)('the state of sessions on $database', ({ database }) => {
  let service: TestService;
  let sfu: FakeSfu;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    sfu = service.sfu;
    sfu.answer = () => JSON.stringify(STATE);
  });
  afterAll(() => service.close());

  const client = faceClient('public', () => service);
  async function openRobot(name = 'Ada'): Promise<string> {
    const { id } = await client.createRobot(name);
    expect((await client.send('POST', `/v1/robots/${id}/session`, {})).status).toBe(200);
    return id;
  }
  const stateOf = async (id: string) => (await client.send('GET', `/v1/robots/${id}/session`)).body.result;

  describe.each(FACES)('on the $face face', ({ face }) => {
    const faced = faceClient(face, () => service);

    it('the state shows the participants and what the runtime does, for one robot and in the list', async () => {
      const id = await openRobot();
      sfu.identities = ['client:1', simulatorIdentity(id)];
      const state = faced.read('session_state', await faced.send('GET', `/v1/robots/${id}/session`));
      const joined_at = new Date(0).toISOString();
      const runtime = { identity: simulatorIdentity(id), name: '', is_agent: false, joined_at };
      expect(state).toEqual({
        robot_id: id,
        phase: 'open',
        opened_at: new Date(START_MS).toISOString(),
        participants: [{ identity: 'client:1', name: '', is_agent: false, joined_at }, runtime],
        participant_count: 2,
        runtime: { ...runtime, state: SUMMARY },
      });
      const listed = await faced.send('GET', '/v1/sessions');
      expect(faced.read('sessions', listed).sessions).toEqual([state]);
      expect(listed.body).toMatchObject({ next_id: null, total: 1 });
    });

    it('a robot without a session has a state, and is not in the list', async () => {
      const { id } = await faced.createRobot();
      expect(faced.read('session_state', await faced.send('GET', `/v1/robots/${id}/session`))).toEqual({
        robot_id: id,
        phase: 'none',
        opened_at: null,
        participants: [],
        participant_count: 0,
        runtime: null,
      });
      expect((await faced.send('GET', '/v1/sessions')).body.total).toBe(0);
    });
  });

  it('the state reveals nothing of the sessions of another account', async () => {
    const id = await openRobot();
    const [, other] = service.keys;
    expect(await client.send('GET', `/v1/robots/${id}/session`, undefined, other)).toMatchObject({
      status: 404,
      body: { code: 'robot.not_found' },
    });
    expect((await client.send('GET', '/v1/sessions', undefined, other)).body).toMatchObject({ result: [], total: 0 });
  });

  it('lists every session once, in the order of the robots, and omits robots without a session', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      ids.push(await openRobot(`robot ${i}`));
      await client.createRobot('asleep');
      service.clock.advanceMs(1);
    }
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const { body } = await client.send('GET', `/v1/sessions?limit=3${after}`);
      seen.push(...body.result.map((one: { robot_id: string }) => one.robot_id));
      expect(body.total).toBe(7);
      if (body.next_id === null) break;
      after = `&after_id=${body.next_id}`;
    }
    expect(seen).toEqual(ids);
  });

  it('a room is queried once in two seconds, however many callers request the list', async () => {
    for (let i = 0; i < 5; i += 1) await openRobot();
    let looks = 0;
    sfu.listIdentities = async (room) => {
      looks += 1;
      return [simulatorIdentity(ROBOT_OF_ROOM.exec(room)?.[1] ?? '')];
    };
    const ask = () => client.send('GET', '/v1/sessions');
    await Promise.all(Array.from({ length: 20 }, ask));
    service.clock.advanceMs(1_999);
    await ask();
    expect([looks, sfu.calls.length]).toEqual([5, 5]);
    service.clock.advanceMs(1);
    await ask();
    expect([looks, sfu.calls.length]).toEqual([10, 10]);
  });

  it('the state of one robot is always current', async () => {
    const id = await openRobot();
    expect((await stateOf(id)).runtime).toBeNull();
    sfu.identities = [simulatorIdentity(id)];
    expect((await stateOf(id)).runtime.state.status).toBe('busy');
  });

  it('reading the state does not keep an unused session open', async () => {
    const id = await openRobot();
    const idle = new IdleSessions(service.deps);
    for (let minute = 0; minute < 6 * 60 + 20; minute += 5) {
      service.clock.advanceMs(5 * 60_000);
      await stateOf(id);
      await client.send('GET', '/v1/sessions');
      await idle.tick();
    }
    expect((await stateOf(id)).phase).toBe('none');
  });

  it.each(['opening', 'closing'] as const)(
    'reports that a session is %s without a query for a room that may not exist',
    async (phase) => {
      const id = await openRobot();
      await service.deps.db.update(sessions).set({ phase });
      sfu.failing.add('listParticipants');
      expect(await stateOf(id)).toMatchObject({ phase, participants: [], runtime: null });
    },
  );

  it('an unreachable media server gives 503, at once for the list, and the next request queries it again', async () => {
    const id = await openRobot();
    for (let i = 0; i < 40; i += 1) await openRobot();
    sfu.failing.add('listParticipants');
    for (const path of ['/v1/sessions?limit=100', `/v1/robots/${id}/session`]) {
      expect(await client.send('GET', path)).toMatchObject({ status: 503, body: { code: 'sfu.unavailable' } });
    }
    sfu.failing.clear();
    expect((await client.send('GET', '/v1/sessions?limit=100')).body.result).toHaveLength(41);
  });

  it.each([
    ['does not answer', () => Promise.reject(new SfuError('rpc_no_reply', ''))],
    ['has no such call', () => Promise.reject(new SfuError('rpc_unknown_method', ''))],
    ['is loading', () => '{"status":"failed","error":{"code":"NOT_READY","message":"It loads."}}'],
    ['answers without JSON', () => '<html>'],
    ['answers null', () => 'null'],
    ['answers a list', () => '[]'],
    ['answers another status', () => JSON.stringify({ ...STATE, runtime: { status: 'asleep' } })],
    ['never answers', () => new Promise<string>(() => {})],
  ])('a runtime that %s is present without a state', async (_, answer) => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    sfu.answer = answer;
    expect(await stateOf(id)).toMatchObject({ runtime: { identity: simulatorIdentity(id), state: null } });
  });

  it('a runtime that reports only its status has a state', async () => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    sfu.answer = () => JSON.stringify({ runtime: { status: 'ready' }, robot: { status: 'ready', extra: {} } });
    const nothing = {
      is_stopped: false,
      active_action: null,
      last_action: null,
      driver: null,
      scene_id: null,
      place: null,
      held_entity_ids: [],
    };
    expect((await stateOf(id)).runtime.state).toEqual({ status: 'ready', robot_status: 'ready', ...nothing });
  });

  it('the page of the robot itself may drive, and has no identity', async () => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    const driver = { identity: null, name: 'this page', kind: 'person', since_ms: 3, asked_by: [] };
    const robot = { ...STATE.robot, extra: { ...STATE.robot.extra, driver } };
    sfu.answer = () => JSON.stringify({ ...STATE, robot });
    const { asked_by: _, ...reported } = driver;
    expect((await stateOf(id)).runtime.state.driver).toEqual(reported);
  });

  it('the state omits texts of wrong length or type from a runtime, and parts in another form', async () => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    const long = `\u202e${'x'.repeat(10_000)}`;
    const { runtime, robot } = STATE;
    const last = { ...runtime.last_action, name: long };
    const hostile = { active_action: { ...runtime.active_action, started_at_ms: 1e300 }, last_action: last };
    const extra = { emergency_stop: { by: long }, driver: { ...robot.extra.driver, kind: 'ghost' } };
    sfu.answer = () => JSON.stringify({ runtime: { ...runtime, ...hostile }, robot: { status: 5, extra } });
    const answer = await client.send('GET', `/v1/robots/${id}/session`);
    expect(answer.body.result.runtime.state).toMatchObject({
      robot_status: 'unknown',
      is_stopped: true,
      active_action: null,
      last_action: { status: 'failed' },
      driver: null,
    });
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
    expect(JSON.stringify(answer.body)).not.toContain('\u202e');
  });

  it('the age of a pose counts from the query, plus the age that the body reports', async () => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    const listed = async () => (await client.send('GET', '/v1/sessions')).body.result[0].runtime.state.place.age_ms;
    expect(await listed()).toBe(0);
    service.clock.advanceMs(1_900);
    expect(await listed()).toBe(1_900);
    service.clock.advanceMs(200);
    const extra = { ...STATE.robot.extra, control: { telemetry_age_ms: 7_000 } };
    sfu.answer = async () => {
      service.clock.advanceMs(300);
      return JSON.stringify({ ...STATE, robot: { ...STATE.robot, extra } });
    };
    expect(await listed()).toBe(7_300);
  });

  it.each([
    ['no pose', {}, null],
    ['a heading as a quaternion', { position: [1, 2, 0], orientation_xyzw: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }, [1, 2, 90]],
    ['a heading of many turns', { position: [1, 2, 0], yaw_deg: 3_550 }, [1, 2, -50]],
    ['no heading', { position: [1, 2, 0] }, null],
    ['a position of text', { position: ['1', 2, 0], yaw_deg: 0 }, null],
    ['a place too far away', { position: [1e9, 2, 0], yaw_deg: 0 }, null],
    ['two coordinates', { position: [1, 2], yaw_deg: 0 }, null],
    ['an infinite heading', '{"position": [1, 2, 0], "yaw_deg": 1e999}', null],
    ['a zero quaternion', { position: [1, 2, 0], orientation_xyzw: [0, 0, 0, 0] }, null],
    ['words', 'null, "x": "here"', null],
  ])('a runtime that reports %s has its exact pose in the state, or no pose', async (_, pose, expected) => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    const text = typeof pose === 'string' ? pose : JSON.stringify(pose);
    sfu.answer = () => `{"runtime": {"status": "ready"}, "robot": {"status": "ready", "extra": {}, "pose": ${text}}}`;
    const { place } = (await stateOf(id)).runtime.state;
    expect(place && [place.x_m, place.y_m, place.yaw_deg]).toEqual(expected);
  });

  it.each([
    ['<img src=x onerror=alert(1)>', ['<b>', 'a'.repeat(500)]],
    ['x'.repeat(65), Array.from({ length: 1_000 }, (_, i) => `cube_${i}`)],
    [7, 'cube_1'],
    ['../hall', [{ id: 'cube_1' }]],
  ])('the state omits a scene that is %s, and shows only a few short names of held things', async (sceneId, held) => {
    const id = await openRobot();
    sfu.identities = [simulatorIdentity(id)];
    const robot = { ...STATE.robot, held_entity_ids: held, extra: { ...STATE.robot.extra, scene_id: sceneId } };
    sfu.answer = () => JSON.stringify({ ...STATE, robot });
    const state = (await stateOf(id)).runtime.state;
    expect(state.scene_id).toBeNull();
    expect(state.held_entity_ids.length).toBeLessThanOrEqual(4);
    expect(state.held_entity_ids.every((name: string) => name.length <= 80)).toBe(true);
    expect(state.place).toMatchObject({ x_m: 1.123 });
  });

  it('a crowd in the room is counted, and 20 of its participants are named', async () => {
    const id = await openRobot();
    sfu.identities = Array.from({ length: 300 }, (_, i) => `client:${i}`);
    const state = await stateOf(id);
    expect([state.participants.length, state.participant_count]).toEqual([20, 300]);
  });

  it('of several runtimes, the state shows the one that commands go to, and none if that is ambiguous', async () => {
    const id = await openRobot();
    sfu.identities = ['simplesim-a', 'simplesim-b'];
    expect((await stateOf(id)).runtime).toBeNull();
    sfu.identities.push(`rcw-${id}`);
    expect((await stateOf(id)).runtime.identity).toBe(`rcw-${id}`);
    sfu.identities.push(simulatorIdentity(id));
    expect((await stateOf(id)).runtime.identity).toBe(simulatorIdentity(id));
  });
});
