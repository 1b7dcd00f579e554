/**
 * Sections 4.1, 7 and 8 of the interface specification, row by row; each test has the text of its row. Rows about the
 * client library (7.3; retries, backoff and timeouts of section 8) are tested with the library. Rows about the runtime
 * (7.2 rule 2, trajectories, arms, one viewer tab) are tested with the runtime and the viewer.
 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { pairOf } from '../protocol/helpers/forge.ts';
import { DATABASES } from './helpers/databases.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

let service: TestService;

describe.each(DATABASES)('specification on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  describe.each(FACES)('4.1, $face face', ({ face }) => {
    const { send, read, createRobot } = faceClient(face, () => service);
    const meta = { action_id: 'a-1', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    /** Creates a robot with a session and its runtime in the room. */
    const createReadyRobot = async (): Promise<string> => {
      const { id } = await createRobot();
      await send('POST', `/v1/robots/${id}/session`);
      service.sfu.identities = [`simplesim:${id}`];
      service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
      return id;
    };

    it('Claim robot | POST /v1/robots/{robot_id}/claim | {pin_code} | 200 {code, result: robot}', async () => {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
      const claimed = read('robot', await send('POST', `/v1/robots/${robot.id}/claim`, { pin_code: pinCode }));
      expect(claimed).toMatchObject({ id: robot.id, model: 'h1', name: 'Bolt', type: 'physical' });
      expect(read('robot', await send('GET', `/v1/robots/${robot.id}`)).id).toBe(robot.id);
    });

    it('List robots | GET /v1/robots | none | {code, next_id, result: [robot], total}', async () => {
      const ids: string[] = [];
      for (const name of ['Ada', 'Bea', 'Cleo']) {
        ids.push((await createRobot(name)).id);
        service.clock.advanceMs(1);
      }
      const first = read('robots', await send('GET', '/v1/robots?limit=2'));
      expect(first).toMatchObject({ robots: [{ id: ids[0], name: 'Ada' }, { name: 'Bea' }], next_id: ids[1], total: 3 });
      const second = read('robots', await send('GET', `/v1/robots?limit=2&after_id=${first.next_id}`));
      expect(second).toMatchObject({ robots: [{ name: 'Cleo' }], next_id: null, total: 3 });
      expect(second.robots).toHaveLength(1);
    });

    it('Get robot | GET /v1/robots/{robot_id} | none | {code, result: robot}', async () => {
      const { id } = await createRobot();
      const robot = read('robot', await send('GET', `/v1/robots/${id}`));
      expect(robot).toMatchObject({ id, model: 'simplesim-h1', name: 'Ada', type: 'virtual' });
    });

    it('Update robot | PATCH /v1/robots/{robot_id} | {name} | {code, result: robot} with new name', async () => {
      const { id } = await createRobot();
      expect(read('robot', await send('PATCH', `/v1/robots/${id}`, { name: 'Bea' }))).toMatchObject({ id, name: 'Bea' });
      expect(read('robot', await send('GET', `/v1/robots/${id}`)).name).toBe('Bea');
    });

    it('Delete robot | DELETE /v1/robots/{robot_id} | none | 204, no body', async () => {
      const { id } = await createRobot();
      expect(await send('DELETE', `/v1/robots/${id}`)).toMatchObject({ status: 204, body: null });
      expect((await send('GET', `/v1/robots/${id}`)).status).toBe(404);
    });

    it('Create robot (virtual) | POST /v1/robots | {name, model, type} | {code, result: robot} with type virtual', async () => {
      const answer = await send('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
      const { robot, pin_code: pin } = read('created', answer);
      expect(robot).toMatchObject({ name: 'Ada', model: 'm', type: 'virtual' });
      // Claimed for the caller: it has an owner at once, and the PIN is returned only in this answer.
      expect(pin).toMatch(/^\d{6}$/);
      expect(JSON.stringify((await send('GET', `/v1/robots/${robot.id}`)).body)).not.toContain('pin');
      const withoutType = await send('POST', '/v1/robots', { name: 'Ada', model: 'm' });
      expect(withoutType.status).toBe(face === 'library' ? 200 : 400);
    });

    it('Create session | POST /v1/robots/{robot_id}/session | none required over plain HTTP; client library may pass worker_names | {code, result: {sfu_endpoint, webrtc_token}}', async () => {
      const { id } = await createRobot();
      const answer = read('session', await send('POST', `/v1/robots/${id}/session`));
      const [url, token] =
        face === 'public' ? [answer.sfu_endpoint, answer.webrtc_token] : [answer.livekit_url, answer.participant_token];
      expect(url).toBe('ws://sfu.test:7880');
      const [room] = service.sfu.rooms.keys();
      expect(decodeJwt(token)).toMatchObject({ video: { room, roomJoin: true }, exp: START_MS / 1000 + 14_400 });
      expect(service.sfu.dispatched).toEqual([]);
      const other = await createRobot();
      await send('POST', `/v1/robots/${other.id}/session`, { worker_names: ['eyes', 'ears'] });
      expect(service.sfu.dispatched.map(({ agentName }) => agentName)).toEqual(['eyes', 'ears']);
    });

    it('Delete session | DELETE /v1/robots/{robot_id}/session | none | 204, no body', async () => {
      const { id } = await createRobot();
      await send('POST', `/v1/robots/${id}/session`);
      expect(service.sfu.rooms.size).toBe(1);
      expect(await send('DELETE', `/v1/robots/${id}/session`)).toMatchObject({ status: 204, body: null });
      expect(service.sfu.rooms.size).toBe(0);
      expect((await send('DELETE', `/v1/robots/${id}/session`)).status).toBe(204);
    });

    it('Semantic command | POST /v1/robots/{robot_id}/semantic-command | {command} | {code, result: null}', async () => {
      const id = await createReadyRobot();
      for (const command of ['forward', 'backward', 'left', 'right', 'turn-left', 'turn-right']) {
        const answer = await send('POST', `/v1/robots/${id}/semantic-command`, { command });
        // This sentence is the same on both faces.
        expect(answer).toMatchObject({ status: 200, body: { code: 'ok', result: null } });
      }
      expect(service.sfu.calls.filter(({ method }) => method === 'runtime.tools_call')).toHaveLength(6);
    });

    it('Participant token | POST /v1/robots/{robot_id}/session/participant-token | argument participant_identity plus others | extra room credential; room keys are built from it; TTL capped at 6 hours server-side', async () => {
      const { id } = await createRobot();
      await send('POST', `/v1/robots/${id}/session`);
      const body = { participant_identity: `simplesim:${id}`, participant_name: 'Viewer', ttl_seconds: 86_400 };
      const token = read('participant', await send('POST', `/v1/robots/${id}/session/participant-token`, body));
      expect(token).toMatchObject({
        room_name: [...service.sfu.rooms.keys()][0],
        livekit_url: 'ws://sfu.test:7880',
        participant_identity: `simplesim:${id}`,
        expires_at: new Date(START_MS + 21_600_000).toISOString(),
      });
      const claims = decodeJwt(token.participant_token);
      expect(claims).toMatchObject({ sub: `simplesim:${id}`, name: 'Viewer', exp: START_MS / 1000 + 21_600 });
    });

    it('Control grant (5.7, signed control) | POST /v1/robots/{robot_id}/session/control-grant | {public_key, holder?, ttl_seconds?} | {grant, grant_id, robot_id, session, expires_at}; TTL capped at 6 hours like tokens', async () => {
      const { id } = await createRobot();
      await send('POST', `/v1/robots/${id}/session`);
      const { kty, crv, x } = pairOf().jwk;
      const body = { public_key: { kty, crv, x }, holder: 'tester', ttl_seconds: 86_400 };
      const granted = read('grant', await send('POST', `/v1/robots/${id}/session/control-grant`, body));
      const [session] = service.sfu.rooms.keys();
      expect(granted).toMatchObject({ robot_id: id, session, expires_at: new Date(START_MS + 21_600_000).toISOString() });
      expect(decodeJwt(granted.grant)).toEqual({
        jti: granted.grant_id,
        sub: 'tester',
        robot_id: id,
        session,
        cnf: { jwk: { kty, crv, x } },
        iat: START_MS / 1000,
        exp: START_MS / 1000 + 21_600,
      });
    });

    it('Session command | POST /v1/robots/{robot_id}/session/command | {skill, parameters?, action_id?, deadline_s?} | the ActionResult', async () => {
      const id = await createReadyRobot();
      const command = { skill: 'set_velocity', parameters: { vx: 0.5 }, action_id: 'a-1', deadline_s: 20 };
      const result = read('command', await send('POST', `/v1/robots/${id}/session/command`, command));
      expect(result).toEqual({ status: 'done', result: {}, meta });
      const options = { action_id: 'a-1', deadline_s: 20 };
      expect(JSON.parse(service.sfu.calls[0]?.payload ?? '')).toEqual({ name: 'set_velocity', input: { vx: 0.5 }, options });
    });
  });

  describe.each(FACES)('7 and 8, $face face', ({ face }) => {
    let robotId: string;
    let pin: string;
    beforeEach(async () => {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
      robotId = robot.id;
      pin = pinCode;
    });
    const { send, read, createRobot } = faceClient(face, () => service);
    const claim = (body: unknown, id = robotId, key?: string | null) => send('POST', `/v1/robots/${id}/claim`, body, key);
    const wrong = () => ({ pin_code: pin === '000000' ? '000001' : '000000' });

    describe('7.1 HTTP errors of the claim operation; the body is {code, message}', () => {
      const expectError = (answer: Awaited<ReturnType<typeof send>>, status: number, code: string) => {
        const error = {
          code,
          message: expect.stringMatching(/^\w.*\.$/),
          details: { request_id: answer.headers.get('x-request-id') },
        };
        expect(answer).toMatchObject({ status, body: error });
        expect(Object.keys(answer.body).sort()).toEqual(['code', 'details', 'message']);
      };

      it('400 | Invalid request body', async () => {
        for (const body of [
          {},
          { pin_code: 5 },
          { pin_code: '' },
          [],
          '{"pin_code": ',
          'null',
          '"x"',
          '{"pin_code":"\\u0000"}',
        ]) {
          expectError(await claim(body), 400, 'request.invalid');
        }
        // By the contract, a wrong PIN is 400 too.
        expectError(await claim(wrong()), 400, 'claim.wrong_pin');
      });

      it('401 | Invalid or missing API key', async () => {
        for (const key of [null, 'sk_live_wrong', `${service.keys[0]}x`]) {
          const answer = await claim({ pin_code: pin }, robotId, key);
          const details = {
            request_id: answer.headers.get('x-request-id'),
            reason: key === null ? 'missing' : 'unknown',
            hint: expect.stringMatching(/^\w.*\.$/),
          };
          // 7.2: it reads as `http.401: unauthorized`.
          expect(answer).toMatchObject({ status: 401, body: { code: 'http.401', message: 'unauthorized', details } });
        }
      });

      it('404 | No robot with the given robot_id', async () => {
        for (const id of ['nobody', '0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81', '%00', '%ED%A0%80', '%', 'x'.repeat(3_000)]) {
          expectError(await claim({ pin_code: pin }, id), 404, 'robot.not_found');
        }
      });

      it('409 | Robot already claimed by another user', async () => {
        expect((await claim({ pin_code: pin })).status).toBe(200);
        expectError(await claim({ pin_code: pin }, robotId, service.keys[1]), 409, 'claim.already_claimed');
      });

      it('429 | Too many claim attempts (rate limited)', async () => {
        for (let attempt = 0; attempt < 5; attempt += 1) expect((await claim(wrong())).status).toBe(400);
        const limited = await claim({ pin_code: pin });
        expectError(limited, 429, 'claim.rate_limited');
        expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      });
    });

    describe('8 Limits', () => {
      const tokenFor = async (more: object): Promise<number> => {
        const { id } = await createRobot();
        await send('POST', `/v1/robots/${id}/session`);
        const body = { participant_identity: `simplesim:${id}`, ...more };
        const answer = read('participant', await send('POST', `/v1/robots/${id}/session/participant-token`, body));
        const { exp } = decodeJwt(answer.participant_token);
        expect(Date.parse(answer.expires_at)).toBe((exp ?? 0) * 1000);
        return (exp ?? 0) - START_MS / 1000;
      };

      it('Room key default TTL | 4 hours', async () => {
        expect(await tokenFor({})).toBe(4 * 3_600);
        expect(await tokenFor({ ttl_seconds: null })).toBe(4 * 3_600);
      });

      it('Room key / participant token TTL cap | 6 hours (server-side)', async () => {
        for (const ttl of [6 * 3_600, 6 * 3_600 + 1, 1e9, 1e300]) expect(await tokenFor({ ttl_seconds: ttl })).toBe(6 * 3_600);
        expect(await tokenFor({ ttl_seconds: 60 })).toBe(60);
      });

      it('RPC payload cap | 15 KiB', async () => {
        const { id } = await createRobot();
        await send('POST', `/v1/robots/${id}/session`);
        service.sfu.identities = [`simplesim:${id}`];
        const command = { skill: 'go_to', action_id: 'a' };
        const sizeOf = (text: string) =>
          Buffer.byteLength(JSON.stringify({ name: 'go_to', input: { text }, options: { action_id: 'a' } }));
        const fits = 'x'.repeat(15_360 - sizeOf(''));
        service.sfu.answer = () =>
          JSON.stringify({ status: 'done', meta: { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 } });
        const path = `/v1/robots/${id}/session/command`;
        expect((await send('POST', path, { ...command, parameters: { text: fits } })).status).toBe(200);
        const tooLarge = await send('POST', path, { ...command, parameters: { text: `${fits}x` } });
        expect(tooLarge).toMatchObject({ status: 400, body: { message: expect.stringContaining('15360 bytes') } });
        expect(service.sfu.calls).toHaveLength(1);
      });

      it('Claim rate limit | applies to the claim operation (429)', async () => {
        for (let attempt = 0; attempt < 6; attempt += 1) await claim(wrong());
        expect((await claim({ pin_code: pin })).status).toBe(429);
        // The limit applies to claims only.
        expect((await send('GET', '/v1/robots')).status).toBe(200);
        expect((await createRobot()).id).toEqual(expect.any(String));
      });
    });
  });
});
