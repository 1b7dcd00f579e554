import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
