import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { LIBRARY_ANSWERS } from '../../src/protocol/service/face-answers.ts';
import { DATABASES } from './helpers/databases.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

const OTHER_ID = '01b8dac5-b400-7ee8-9a2e-fb982ce6501b';

describe.each(DATABASES)('on $database', ({ database }) => {
  let service: TestService;
  let robotId: string;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
    robotId = created.body.result.id;
  });
  afterAll(() => service.close());

  const START_S = START_MS / 1000;
  const session = (prefix = '', body?: unknown, headers = {}) =>
    service.send('POST', `${prefix}/v1/robots/${robotId}/session`, { ...(body === undefined ? {} : { body }), headers });
  /** The only room. */
  const onlyRoom = (): string => {
    const [room, ...others] = service.sfu.rooms.keys();
    expect(others).toEqual([]);
    return room ?? 'no room';
  };
  const token = (body: object, prefix = '/rcs') =>
    service.send('POST', `${prefix}/v1/robots/${robotId}/session/participant-token`, { body });

  describe('a session', () => {
    it('opening a session makes a room for the robot and returns a place in it (public face)', async () => {
      const answer = await session();
      expect(answer).toMatchObject({ status: 200, body: { code: 'ok', result: { sfu_endpoint: 'ws://sfu.test:7880' } } });
      expect(Object.keys(answer.body.result).sort()).toEqual(['sfu_endpoint', 'webrtc_token']);
      const room = onlyRoom();
      expect(room).toMatch(new RegExp(`^robot-${robotId}-[0-9a-f]{12}$`));
      const claims = decodeJwt(answer.body.result.webrtc_token);
      expect(claims).toMatchObject({
        sub: expect.stringMatching(/^client:/),
        iat: START_S,
        nbf: START_S,
        exp: START_S + 14_400,
        video: { roomJoin: true, room, canPublish: false, canPublishData: true, canSubscribe: true },
      });
      expect(Object.keys(claims.video as object)).not.toContain('roomAdmin');
    });

    it('opening a session returns the room and its metadata on the library face', async () => {
      const { body } = await session('/rcs', { worker_names: [], scene_id: 'warehouse' });
      expect(body).toMatchObject({
        room_name: onlyRoom(),
        livekit_url: 'ws://sfu.test:7880',
        participant_token: expect.any(String),
        is_new: true,
        room_metadata: {
          robot_id: robotId,
          status: 'active',
          required_participants: { [`simplesim:${robotId}`]: { min_count: 1 } },
          dispatches: {},
          dispatched_agent_names: [],
          scene_id: 'warehouse',
          created_at: new Date(START_MS).toISOString(),
          control_keys: {
            keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/), kid: expect.any(String) }],
          },
        },
      });
      expect(JSON.parse(service.sfu.rooms.get(onlyRoom()) ?? '')).toEqual(body.room_metadata);
    });

    it('a session is opened by a POST without a body, with or without a content type', async () => {
      expect((await session()).status).toBe(200);
      expect((await session('', '', { 'Content-Type': 'application/json' })).status).toBe(200);
    });

    it('an open session can be joined by other identities, and outlives an SFU that lost its room', async () => {
      const first = await session('/rcs');
      service.sfu.rooms.clear();
      service.clock.advanceMs(60_000);
      const second = await session('/rcs');
      expect(second.body.room_name).toBe(first.body.room_name);
      expect([first.body.is_new, second.body.is_new]).toEqual([true, false]);
      expect(second.body.room_metadata.created_at).toBe(first.body.room_metadata.created_at);
      expect(decodeJwt(second.body.participant_token).sub).not.toBe(decodeJwt(first.body.participant_token).sub);
      expect(service.sfu.rooms.size).toBe(1);
    });

    it('ending a session closes its room, and ending it again changes nothing', async () => {
      await session();
      const url = `/v1/robots/${robotId}/session`;
      expect(await service.send('DELETE', url)).toMatchObject({ status: 204, body: null });
      expect(service.sfu.rooms.size).toBe(0);
      expect((await service.send('DELETE', url)).status).toBe(204);
      expect(await token({ participant_identity: 'x' })).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
    });

    it('a session that is opened again has another room, which the earlier tokens do not open', async () => {
      const first = await session('/rcs');
      await service.send('DELETE', `/v1/robots/${robotId}/session`);
      const second = await session('/rcs');
      expect(second.body.room_name).not.toBe(first.body.room_name);
      expect(onlyRoom()).toBe(second.body.room_name);
    });

    it('a session ends with its robot', async () => {
      await session();
      await service.send('DELETE', `/v1/robots/${robotId}`);
      expect(service.sfu.rooms.size).toBe(0);
    });

    it('two concurrent requests open one session', async () => {
      const [one, two] = await Promise.all([session('/rcs', { worker_names: ['a'] }), session('/rcs', { worker_names: ['a'] })]);
      expect([one.status, two.status]).toEqual([200, 200]);
      expect(service.sfu.dispatched).toHaveLength(1);
    });
  });

  describe('workers of a session', () => {
    it('workers are sent once each, including those that a joining request names', async () => {
      await session('/rcs', { worker_names: ['voice', 'voice'] });
      const { body } = await session('/rcs', { worker_names: ['eyes', 'voice'] });
      expect(body.room_metadata.dispatched_agent_names).toEqual(['voice', 'eyes']);
      expect(service.sfu.dispatched.map((dispatch) => dispatch.agentName)).toEqual(['voice', 'eyes']);
      expect(JSON.parse(service.sfu.rooms.get(onlyRoom()) ?? '')).toEqual(body.room_metadata);
    });

    it('workers are dispatched by name', async () => {
      const { body } = await session('/rcs', { worker_names: ['voice', 'eyes'] });
      expect(service.sfu.dispatched.map((dispatch) => dispatch.agentName)).toEqual(['voice', 'eyes']);
      expect(body.room_metadata.dispatched_agent_names).toEqual(['voice', 'eyes']);
      expect(body.room_metadata.dispatches).toEqual({ voice: { id: 'dispatch-1' }, eyes: { id: 'dispatch-2' } });
      expect(JSON.parse(service.sfu.rooms.get(onlyRoom()) ?? '')).toEqual(body.room_metadata);
    });

    it('clients wait for the session’s workers, rather than for a tab that was not requested', async () => {
      const required = async (body: object) => (await session('/rcs', body)).body.room_metadata.required_participants;
      const tab = { [`simplesim:${robotId}`]: { min_count: 1 } };
      expect(await required({ worker_names: [] })).toEqual(tab);
      expect(await required({ worker_names: ['rcw'] })).toEqual({ rcw: { min_count: 1 } });
      expect(await required({ worker_names: ['eyes'] })).toEqual({ rcw: { min_count: 1 }, eyes: { min_count: 1 } });
      await service.send('DELETE', `/v1/robots/${robotId}/session`);
      expect(await required({})).toEqual(tab);
    });

    it('clients of a physical robot wait for its worker even if no worker was sent', async () => {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
      await service.send('POST', `/v1/robots/${robot.id}/claim`, { body: { pin_code: pinCode } });
      const required = async (body: object) =>
        (await service.send('POST', `/rcs/v1/robots/${robot.id}/session`, { body })).body.room_metadata.required_participants;
      expect(await required({ worker_names: [] })).toEqual({ rcw: { min_count: 1 } });
      expect(await required({ worker_names: ['arm-2'] })).toEqual({ 'arm-2': { min_count: 1 } });
    });

    it('workers may have names that have a meaning in JavaScript', async () => {
      const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
      const { body } = await session('/rcs', { worker_names: names });
      const { dispatches, required_participants: required, dispatched_agent_names: dispatched } = body.room_metadata;
      expect([Object.keys(dispatches), Object.keys(required), dispatched]).toEqual([names, names, names]);
      expect(JSON.parse(service.sfu.rooms.get(onlyRoom()) ?? '')).toEqual(body.room_metadata);
      expect(LIBRARY_ANSWERS.session.parse(body)).toEqual(body);
      expect(Object.keys(LIBRARY_ANSWERS.session.parse(body).room_metadata.required_participants)).toEqual(names);
    });

    it('workers and scenes that older programs send in a request change nothing', async () => {
      const older = { workers: { rcw: { count: 1 } }, rsl_session_grant: 'Z3JhbnQ=', rsl_session_pub: 'cHVi' };
      const { body } = await session('/rcs', { ...older, worker_names: [], scene_id: '' });
      expect(body.room_metadata).toMatchObject({ dispatches: {}, scene_id: null });
      const nulls = { workers: null, rsl_session_grant: null, rsl_session_pub: null, worker_names: null, scene_id: null };
      expect((await session('/rcs', nulls)).status).toBe(200);
    });

    it('workers default to those of the platform, and an empty list means none', async () => {
      service.deps.settings = { ...service.deps.settings, defaultWorkerNames: ['usual'] };
      try {
        await session('/rcs', { worker_names: [] });
        expect(service.sfu.dispatched).toEqual([]);
        await service.send('DELETE', `/v1/robots/${robotId}/session`);
        await session('/rcs', {});
        expect(service.sfu.dispatched.map((dispatch) => dispatch.agentName)).toEqual(['usual']);
      } finally {
        service.deps.settings = { ...service.deps.settings, defaultWorkerNames: [] };
      }
    });

    it('workers default to the platform’s list for physical robots if neither request nor platform names others', async () => {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
      await service.send('POST', `/v1/robots/${robot.id}/claim`, { body: { pin_code: pinCode } });
      const sent = async (id: string, body: object, settings: object): Promise<string[]> => {
        const before = service.deps.settings;
        service.deps.settings = { ...before, physicalWorkerNames: ['rcw'], ...settings };
        service.sfu.dispatched.splice(0);
        try {
          await service.send('POST', `/v1/robots/${id}/session`, { body });
          await service.send('DELETE', `/v1/robots/${id}/session`);
        } finally {
          service.deps.settings = before;
        }
        return service.sfu.dispatched.map(({ agentName }) => agentName);
      };
      expect(await sent(robot.id, {}, {})).toEqual(['rcw']);
      expect(await sent(robot.id, { worker_names: [] }, {})).toEqual([]);
      expect(await sent(robot.id, {}, { defaultWorkerNames: ['usual'] })).toEqual(['usual']);
      expect(await sent(robotId, {}, {})).toEqual([]);
    });
  });

  it('each place in a room includes the address of the viewer, if the service knows it', async () => {
    const { settings } = service.deps;
    settings.viewerUrl = 'https://robots.test';
    try {
      expect((await session('/rcs', {})).body).toMatchObject({ viewer_url: 'https://robots.test' });
      expect((await token({ participant_identity: 'x' })).body).toMatchObject({ viewer_url: 'https://robots.test' });
    } finally {
      settings.viewerUrl = null;
    }
    expect((await token({ participant_identity: 'x' })).body).not.toHaveProperty('viewer_url');
  });

  describe('a participant token', () => {
    it('a token for the viewer permits publishing in one room, named after the robot', async () => {
      await session();
      const identity = `simplesim:${robotId}`;
      const { status, body } = await token({ participant_identity: identity });
      expect(status).toBe(200);
      expect(body).toEqual({
        room_name: onlyRoom(),
        livekit_url: 'ws://sfu.test:7880',
        participant_token: expect.any(String),
        participant_identity: identity,
        expires_at: new Date(START_MS + 14_400_000).toISOString(),
      });
      expect(decodeJwt(body.participant_token)).toMatchObject({
        iss: 'APItest',
        sub: identity,
        name: 'Ada',
        iat: START_S,
        nbf: START_S,
        exp: START_S + 14_400,
        video: { roomJoin: true, room: onlyRoom(), canPublish: true, canPublishData: true },
      });
    });

    it('a participant token is wrapped on the public face', async () => {
      await session();
      const { body } = await token({ participant_identity: 'me' }, '');
      expect(body).toMatchObject({ code: 'ok', result: { participant_identity: 'me', room_name: onlyRoom() } });
    });

    it.each([
      [1, 1],
      [60, 60],
      [21_600, 21_600],
      [21_601, 21_600],
      [1e9, 21_600],
      [undefined, 14_400],
      [null, 14_400],
    ])('a token requested for %s s lasts %s s', async (asked, lives) => {
      await session();
      const { body } = await token({ participant_identity: 'me', participant_name: 'Me', ttl_seconds: asked });
      const claims = decodeJwt(body.participant_token);
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(lives);
      expect(claims.name).toBe('Me');
      expect(Date.parse(body.expires_at)).toBe(START_MS + lives * 1000);
    });

    it.each([
      ['simplesim:another', 400],
      ['simplesim:', 400],
      [`rcw-${OTHER_ID}`, 400],
      [`simplesim-${OTHER_ID}`, 400],
      ['simplesim', 200],
      ['simplesim-left', 200],
      ['rcw-left', 200],
      ['simplesimulator:x', 200],
      [`client:${OTHER_ID}`, 200],
    ])('a request for a token for %s is answered with %i', async (identity, status) => {
      await session();
      const answer = await token({ participant_identity: identity });
      expect(answer.status).toBe(status);
      if (status !== 200) {
        expect(answer.body).toMatchObject({
          code: 'participant.wrong_robot',
          message: expect.stringContaining(`simplesim:${robotId}`),
        });
      }
    });

    it('a token for the runtime of a physical robot permits publishing, and tokens for others do not', async () => {
      await session();
      const canPublish = async (identity: string) =>
        decodeJwt((await token({ participant_identity: identity })).body.participant_token).video;
      expect(await canPublish(`rcw-${robotId}`)).toMatchObject({ canPublish: true });
      expect(await canPublish('rcwx')).toMatchObject({ canPublish: false });
    });

    it('a visitor’s token shows what the visitor may do, and a viewer’s token permits nothing', async () => {
      await session();
      const claims = async (access?: string | null) =>
        decodeJwt((await token({ participant_identity: 'ada', access })).body.participant_token);
      const nothing = { canPublish: false, canPublishData: false, canSubscribe: true, canUpdateOwnMetadata: false };
      expect(await claims('watch')).toMatchObject({ attributes: { 'simplesim.access': 'watch' }, video: nothing });
      const calls = { canPublish: false, canPublishData: true, canUpdateOwnMetadata: false };
      expect(await claims('drive')).toMatchObject({ attributes: { 'simplesim.access': 'drive' }, video: calls });
      for (const none of [undefined, null]) expect((await claims(none)).attributes).toBeUndefined();
      expect((await token({ participant_identity: 'ada', access: 'run' })).body).toMatchObject({ code: 'request.invalid' });
    });

    it.each(['simplesim', 'simplesim-left', 'rcw-left'])('a token for %s has no access attribute', async (identity) => {
      await session();
      for (const named of [identity, `simplesim:${robotId}`, `rcw-${robotId}`])
        for (const access of ['watch', 'drive']) {
          const { status, body } = await token({ participant_identity: named, access });
          expect([status, body.code]).toEqual([400, 'participant.wrong_access']);
          expect(body.message).toContain(named);
        }
    });

    it('requesting a token makes the room again if an SFU lost it', async () => {
      await session();
      const room = onlyRoom();
      service.sfu.rooms.clear();
      await token({ participant_identity: 'me' });
      expect(onlyRoom()).toBe(room);
    });
  });
});
