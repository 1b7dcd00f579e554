import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import type { ServiceDeps } from '../../src/control-service/deps.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { createService } from '../../src/control-service/service.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { startTestService, type TestService } from './helpers/service.ts';

describe('metrics', () => {
  let service: TestService;
  let deps: ServiceDeps;
  let app: ReturnType<typeof createApp>;
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL' });
  });
  beforeEach(async () => {
    await service.reset();
    deps = createService(service.deps);
    app = createApp(deps, { metricsAccess: 'anybody' });
  });
  afterAll(() => service.close());
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await app.request(path, {
      method,
      headers: { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  };
  /** Returns all series without help lines and buckets. */
  const read = async (): Promise<string[]> => {
    const response = await app.request('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=/),
    ]);
    return (await response.text()).split('\n').filter((line) => line.startsWith('rcs_') && !line.includes('_bucket'));
  };

  it('metrics count requests by the pattern of their address, for any ids and methods', async () => {
    const { result: robot } = await ask('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
    for (let i = 0; i < 40; i += 1) {
      await ask('GET', `/rcs/v1/robots/nobody-${i}`);
      await ask('GET', `/v1/nothing-${i}`);
      await ask(`METHOD${i}`, `/v1/robots/${i}`);
    }
    await ask('GET', `/v1/robots/${robot.id}`);
    const series = await read();
    const counted = 'rcs_http_requests_total{face';
    expect(series.filter((line) => line.startsWith(counted)).sort()).toEqual([
      `${counted}="library",route="/v1/robots/{robot_id}",method="GET",status="404"} 40`,
      `${counted}="public",route="/v1/robots",method="POST",status="200"} 1`,
      `${counted}="public",route="/v1/robots/{robot_id}",method="GET",status="200"} 1`,
      `${counted}="public",route="/v1/robots/{robot_id}",method="other",status="405"} 40`,
      `${counted}="public",route="none",method="GET",status="404"} 40`,
    ]);
    expect(series).toContain('rcs_http_request_duration_seconds_count{face="public",route="/v1/robots",method="POST"} 1');
  });

  it('metrics count refused claims by their reason', async () => {
    const { result: robot, pin_code: pin } = await ask('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
    const wrong = pin === '000000' ? '000001' : '000000';
    for (let i = 0; i < 7; i += 1) await ask('POST', `/v1/robots/${robot.id}/claim`, { pin_code: wrong });
    const series = await read();
    expect(series).toContain('rcs_claims_refused_total{reason="wrong_pin"} 5');
    expect(series).toContain('rcs_claims_refused_total{reason="rate_limited"} 2');
  });

  it('metrics time calls to the SFU, count failed ones, and show open sessions', async () => {
    const { result: robot } = await ask('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
    expect(await read()).toContain('rcs_open_sessions 0');
    await ask('POST', `/v1/robots/${robot.id}/session`);
    service.sfu.identities = [`simplesim:${robot.id}`];
    service.sfu.answer = () => {
      throw new SfuError('rpc_failed', 'no');
    };
    await ask('POST', `/v1/robots/${robot.id}/session/command`, { skill: 'x' });
    service.sfu.listIdentities = async () => {
      // Longer than the service waits for an unreachable SFU.
      service.clock.advanceMs(60_000);
      throw new SfuError('unreachable', 'gone');
    };
    await ask('POST', `/v1/robots/${robot.id}/session/command`, { skill: 'x' });
    const series = await read();
    expect(series).toContain('rcs_open_sessions 1');
    expect(series).toContain('rcs_sfu_call_duration_seconds_count{call="ensureRoom"} 1');
    expect(series).toContain('rcs_sfu_call_failures_total{call="performRpc",reason="rpc_failed"} 1');
    expect(series).toContain('rcs_sfu_call_failures_total{call="listParticipants",reason="unreachable"} 1');
    expect(series.join('\n')).not.toContain('signToken');
  });

  it('metrics also time calls to the SFU without a request, such as making rooms again after its restart', async () => {
    const { result: robot } = await ask('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
    await ask('POST', `/v1/robots/${robot.id}/session`);
    expect(await read()).toContain('rcs_sfu_call_duration_seconds_count{call="ensureRoom"} 1');
    await reopenRooms(deps);
    expect(await read()).toContain('rcs_sfu_call_duration_seconds_count{call="ensureRoom"} 2');
  });

  it('metrics can be read while the database does not answer', async () => {
    const failing = () => {
      throw new Error('The database is gone.');
    };
    const db = new Proxy(service.deps.db, { get: () => failing });
    app = createApp(createService({ ...service.deps, db }), { metricsAccess: 'anybody' });
    await ask('GET', '/v1/robots');
    const series = await read();
    expect(series.join('\n')).toContain('status="500"} 1');
    expect(series.join('\n')).not.toContain('rcs_open_sessions ');
  });

  describe('are read by', () => {
    it('metrics cannot be read unless the operator of the service permits it', async () => {
      expect((await createApp(service.deps).request('/metrics')).status).toBe(404);
    });

    it('metrics can be read with the operator’s token, and not with an API key', async () => {
      const token = 'a-token-of-the-operator';
      const app = createApp(service.deps, { metricsAccess: { token } });
      const statusWith = async (authorization?: string) =>
        (await app.request('/metrics', authorization === undefined ? {} : { headers: { Authorization: authorization } })).status;
      expect(await statusWith(`Bearer ${token}`)).toBe(200);
      for (const wrong of [undefined, `Bearer ${service.keys[0]}`, `Bearer ${token}x`, token, 'Bearer ']) {
        expect([wrong, await statusWith(wrong)]).toEqual([wrong, 401]);
      }
    });

    it('metrics can be read by programs, not by pages of other origins', async () => {
      const response = await createApp(createService(service.deps, { processMetrics: true }), {
        metricsAccess: 'anybody',
      }).request('/metrics');
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
      expect(await response.text()).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
    });
  });
});
