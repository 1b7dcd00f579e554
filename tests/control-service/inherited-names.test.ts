import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** A session command keeps every field name, from its HTTP body to the runtime and back. */

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
let service: TestService;
let id: string;
let robot: TestRuntime;

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  await service.reset();
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  id = created.body.result.id;
  await service.send('POST', `/v1/robots/${id}/session`);
  service.sfu.identities = [`simplesim:${id}`];
});
afterAll(() => service.close());

async function runtimeBehind(profile: 'simulator' | 'worker'): Promise<void> {
  robot = await createTestRuntime({ profile, signedControlRequired: false });
  robot.advance(2);
  service.sfu.answer = ({ method, payload }) => JSON.stringify(robot.finish(robot.sendText(method, payload)));
}

const command = (prefix: string, parameters: string) =>
  service.send('POST', `${prefix}/v1/robots/${id}/session/command`, {
    body: `{"skill":"set_velocity","parameters":${parameters}}`,
  });

describe.each(['', '/rcs'])('a session command at %j/v1', (prefix) => {
  it.each(INHERITED)('a simulator refuses the inherited name %s, and a worker drops it', async (name) => {
    const parameters = `{"vx":0.1,${JSON.stringify(name)}:{"vx":1.5,"polluted":true}}`;
    await runtimeBehind('simulator');
    const refused = await command(prefix, parameters);
    const body = prefix === '' ? refused.body.result : refused.body;
    expect(refused.status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT', details: { path: `input.${name}` } } });
    expect(body.error.message).toContain(`"${name}"`);
    await runtimeBehind('worker');
    const taken = await command(prefix, parameters);
    const result = prefix === '' ? taken.body.result : taken.body;
    expect(result).toMatchObject({ status: 'done', result: { command: { vx: 0.1, vy: 0, vyaw: 0 } } });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
