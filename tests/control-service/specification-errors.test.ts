/**
 * Sections 7 and 8 of the interface specification, row by row; a test has the words of its row. Rows that speak of the client library
 * (7.3; retries, backoff and time-outs of section 8) are tested with it, those of the runtime (7.2 rule 2, trajectories, arms, one viewer
 * tab) with the runtime and the viewer.
 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { BOTH_FACES, faceClient } from './helpers/both-faces.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

describe.each(BOTH_FACES)('specification 7 and 8, $face face on $database', ({ face, database }) => {
  let service: TestService;
  let robotId: string;
  let pin: string;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    robotId = robot.id;
    pin = pinCode;
  });
  afterAll(() => service.close());
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
      for (const body of [{}, { pin_code: 5 }, { pin_code: '' }, [], '{"pin_code": ', 'null', '"x"', '{"pin_code":"\\u0000"}']) {
        expectError(await claim(body), 400, 'request.invalid');
      }
      // Also a wrong PIN is 400 (wire.md section 9).
      expectError(await claim(wrong()), 400, 'claim.wrong_pin');
    });

    it('401 | Invalid or missing API key', async () => {
      for (const key of [null, 'sk_live_wrong', `${service.keys[0]}x`]) {
        expectError(await claim({ pin_code: pin }, robotId, key), 401, 'auth.unauthorized');
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
      // To it alone.
      expect((await send('GET', '/v1/robots')).status).toBe(200);
      expect((await createRobot()).id).toEqual(expect.any(String));
    });
  });
});
