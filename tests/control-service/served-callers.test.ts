/** An address of the service may serve some accounts only: the account of the machine's own user is not served to the network. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCaller } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { FACES } from './helpers/faces.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

describe.each(FACES)('an address that serves some accounts only, on the $face face', ({ prefix }) => {
  it('a valid key of another account is refused like an unknown key, for each kind of request', async () => {
    const [refusedKey, servedKey] = service.keys;
    const served = await findCaller(service.deps.db, service.clock.nowMs(), servedKey);
    if (typeof served === 'string') throw new Error(served);
    const app = createApp(service.deps, { serves: ({ accountId }) => accountId === served.accountId });
    const ask = async (method: string, path: string, key: string): Promise<[number, unknown]> => {
      const answer = await app.request(`${prefix}${path}`, { method, headers: { Authorization: `Bearer ${key}` } });
      const { details } = (await answer.json()) as { details?: { reason?: string } };
      return [answer.status, details?.reason];
    };
    const robot = '/v1/robots/0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81';
    for (const [method, path] of [
      ['GET', '/v1/robots'],
      ['POST', `${robot}/session`],
      // An emergency stop can be admitted without the database.
      ['POST', `${robot}/emergency-stop`],
      ['GET', '/v1/nothing'],
    ] as const) {
      expect([path, ...(await ask(method, path, refusedKey))]).toEqual([path, 401, 'unknown']);
      expect((await ask(method, path, servedKey))[0], path).not.toBe(401);
    }
    // The same key is valid at other addresses.
    expect((await service.send('GET', `${prefix}/v1/robots`)).status).toBe(200);
  });
});
