import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { hashPin, isPin, newId, newPin } from '../../src/control-service/secrets.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

describe.each(DATABASES)('on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  const wrongOf = (pin: string): string => (pin === '000000' ? '000001' : '000000');

  describe('claiming', () => {
    let id: string;
    let pin: string;
    const claim = (pinCode: string, key?: string) =>
      service.send('POST', `/v1/robots/${id}/claim`, { body: { pin_code: pinCode }, ...(key ? { key } : {}) });
    beforeEach(async () => {
      const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
      id = robot.id;
      pin = pinCode;
    });

    it('with the PIN gives the robot to the caller, alone', async () => {
      expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(404);
      const claimed = await claim(pin);
      expect(claimed).toMatchObject({ status: 200, body: { code: 'ok', result: { id, name: 'Bolt', type: 'physical' } } });
      expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(200);
      expect((await claim(pin)).status).toBe(200);
      expect(await claim(pin, service.keys[1])).toMatchObject({ status: 409, body: { code: 'claim.already_claimed' } });
    });

    it('with a wrong PIN is 400, and 429 after five, until the window has passed', async () => {
      for (let i = 0; i < 5; i += 1)
        expect(await claim(wrongOf(pin))).toMatchObject({ status: 400, body: { code: 'claim.wrong_pin' } });
      const limited = await claim(pin);
      expect(limited).toMatchObject({ status: 429, body: { code: 'claim.rate_limited', details: { retry_after_s: 900 } } });
      expect(limited.headers.get('retry-after')).toBe('900');
      // The limit is the robot's: another account does not get five more guesses.
      expect((await claim(pin, service.keys[1])).status).toBe(429);
      service.clock.advanceMs(900_001);
      expect((await claim(pin)).status).toBe(200);
    });

    it('side by side does not slip under the limit', async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => claim(wrongOf(pin))));
      expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(5).fill(400), ...Array(7).fill(429)]);
    });

    it('of many robots is limited for the account', async () => {
      for (let robot = 0; robot < 5; robot += 1) {
        const other = await registerPhysicalRobot(service.deps, { name: 'x', model: 'y' });
        id = other.robot.id;
        for (let i = 0; i < 4; i += 1) expect((await claim(wrongOf(other.pinCode))).status).toBe(400);
      }
      expect((await claim('123456')).status).toBe(429);
    });

    it('is possible again after the owner deletes a physical robot', async () => {
      await claim(pin);
      expect((await service.send('DELETE', `/v1/robots/${id}`)).status).toBe(204);
      expect((await service.send('GET', `/v1/robots/${id}`)).status).toBe(404);
      expect((await claim(pin, service.keys[1])).status).toBe(200);
    });
  });

  describe('secrets', () => {
    it('keeps a PIN so that only the PIN itself fits', async () => {
      const kept = await hashPin('012345', randomBytes);
      expect(kept).not.toContain('012345');
      expect(await isPin('012345', kept)).toBe(true);
      expect(await isPin('012346', kept)).toBe(false);
      expect(await isPin('', kept)).toBe(false);
      expect(await isPin('012345', 'garbage')).toBe(false);
      expect(await hashPin('012345', randomBytes)).not.toBe(kept);
    });

    it('makes PINs of six digits from the whole range', () => {
      expect(newPin(() => Buffer.from([0, 0, 0, 7]))).toBe('000007');
      const tooHigh = [Buffer.from([0xff, 0xff, 0xff, 0xff]), Buffer.from([0, 15, 66, 63])];
      expect(newPin(() => tooHigh.shift() ?? Buffer.alloc(4))).toBe('999999');
    });

    it('makes ids that are UUIDs of version 7 and sort by time', () => {
      const ids = [1, 1_700_000_000_000, 1_700_000_000_001, 2_000_000_000_000].map((nowMs) => newId(nowMs, randomBytes));
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect([...ids].sort()).toEqual(ids);
    });
  });

  describe('commands', () => {
    let id: string;
    const meta = { action_id: 'a-1', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    const done = { status: 'done', result: { applied: {} }, meta };
    const command = (body: object, prefix = '/rcs') =>
      service.send('POST', `${prefix}/v1/robots/${id}/session/command`, { body });
    const semantic = (name: string) => service.send('POST', `/v1/robots/${id}/semantic-command`, { body: { command: name } });
    beforeEach(async () => {
      const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
      id = created.body.result.id;
      await service.send('POST', `/v1/robots/${id}/session`);
      service.sfu.identities = ['client:abc', `simplesim:${id}`];
      service.sfu.answer = () => JSON.stringify(done);
    });

    it('reach the runtime in the room and bring back its result', async () => {
      const body = {
        skill: 'go_to',
        parameters: { target: { kind: 'entity', entity_id: 'pad_B' } },
        action_id: 'a-1',
        deadline_s: 9,
      };
      expect(await command(body)).toMatchObject({ status: 200, body: done });
      expect(await command(body, '')).toMatchObject({ status: 200, body: { code: 'ok', result: done } });
      const [call] = service.sfu.calls;
      expect(call).toMatchObject({ room: `robot-${id}`, identity: `simplesim:${id}`, method: 'runtime.tools_call' });
      expect(JSON.parse(call?.payload ?? '')).toEqual({
        name: 'go_to',
        input: body.parameters,
        options: { action_id: 'a-1', deadline_s: 9 },
      });
    });

    it('P5: are repeated under one action id while no reply comes, and end with it', async () => {
      let calls = 0;
      service.sfu.answer = () => {
        calls += 1;
        service.clock.advanceMs(2_500);
        if (calls < 4) throw new SfuError('rpc_no_reply', 'late');
        return JSON.stringify(done);
      };
      expect((await command({ skill: 'go_to' })).body).toEqual(done);
      const payloads = new Set(service.sfu.calls.map((call) => call.payload));
      expect([service.sfu.calls.length, payloads.size]).toEqual([4, 1]);
      expect(JSON.parse([...payloads][0] ?? '').options.action_id).toEqual(expect.any(String));
    });

    it('give up some time after their deadline', async () => {
      service.sfu.answer = () => {
        service.clock.advanceMs(2_500);
        throw new SfuError('rpc_no_reply', 'late');
      };
      expect(await command({ skill: 'go_to', deadline_s: 10 })).toMatchObject({ status: 504, body: { code: 'runtime.timeout' } });
      expect(service.sfu.calls).toHaveLength(6);
    });

    it('wait for a runtime that loses its connection, but not for one that stays away', async () => {
      let calls = 0;
      service.sfu.answer = () => {
        calls += 1;
        service.clock.advanceMs(4_000);
        if (calls < 3) throw new SfuError('no_participant', 'gone');
        return JSON.stringify(done);
      };
      expect((await command({ skill: 'go_to' })).body).toEqual(done);
      service.sfu.answer = () => {
        service.sfu.identities = [];
        service.clock.advanceMs(11_000);
        throw new SfuError('rpc_no_reply', 'late');
      };
      expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
    });

    it('pass on a failed result, and a refusal without an action, as they are', async () => {
      const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: true };
      const failed = { status: 'failed', error: { code: 'CANCELLED', message: 'It was cancelled.', details } };
      for (const reply of [{ ...failed, meta }, failed]) {
        service.sfu.answer = () => JSON.stringify(reply);
        expect(await command({ skill: 'go_to' })).toMatchObject({ status: 200, body: reply });
      }
    });

    it.each(['not json', '{}', '[]', '{"status":"maybe"}'])('refuse the reply %s', async (reply) => {
      service.sfu.answer = () => reply;
      expect(await command({ skill: 'go_to' })).toMatchObject({ status: 502, body: { code: 'runtime.call_failed' } });
    });

    it('are refused without a session, without a runtime, and when too large', async () => {
      service.sfu.identities = ['client:abc', 'simplesimulator'];
      expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
      service.sfu.identities = [`simplesim:${id}`];
      const large = await command({ skill: 'go_to', parameters: { text: 'x'.repeat(16_000) } });
      expect(large).toMatchObject({ status: 400, body: { message: expect.stringContaining('15360 bytes') } });
      await service.send('DELETE', `/v1/robots/${id}/session`);
      expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
      expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
    });

    it.each([
      ['forward', { vx: 0.5 }],
      ['backward', { vx: -0.5 }],
      ['left', { vy: 0.4 }],
      ['right', { vy: -0.4 }],
      ['turn-left', { wz: 0.8 }],
      ['turn-right', { wz: -0.8 }],
    ])('%s is a short drive', async (name, velocity) => {
      expect(await semantic(name)).toMatchObject({ status: 200, body: { code: 'ok', result: null } });
      const { name: skill, input } = JSON.parse(service.sfu.calls[0]?.payload ?? '');
      expect([skill, input]).toEqual(['set_velocity', { ...velocity, duration_s: 1 }]);
    });

    it('a semantic command that fails says the runtime’s code', async () => {
      const details = { stage: 'readiness', attempted: false, world_changed: 'no', retryable: true };
      service.sfu.answer = () =>
        JSON.stringify({ status: 'failed', error: { code: 'NOT_READY', message: 'It loads.', details } });
      expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'NOT_READY', message: 'It loads.' } });
    });
  });
});
