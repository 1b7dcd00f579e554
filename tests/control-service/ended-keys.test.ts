/** A command that waits under an API key ends with the key. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createKey, grantOnlyKey, listKeys, revokeKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { SfuError } from '../../src/control-service/sfu-admin.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let other: TestService;
let id: string;
let key: string;

beforeAll(async () => {
  service = await startTestService({ database: 'PostgreSQL' });
  other = await service.startBeside();
});
beforeEach(async () => {
  await service.reset();
  const made = await createKey(service.deps, {
    account: 'one',
    name: 'leaked',
    expiresAt: new Date(service.clock.nowMs() + 5_000),
  });
  key = made.key;
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  id = created.body.result.id;
  await service.send('POST', `/v1/robots/${id}/session`);
  service.sfu.identities = [`simplesim:${id}`];
});
afterAll(async () => {
  await other.close();
  await service.close();
});

const appOf = ({ deps }: TestService) => createApp(deps, { keysLookedAtEveryMs: 20 });
const command = (app: ReturnType<typeof createApp>, withKey: string) =>
  app.request(`/v1/robots/${id}/session/command`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${withKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ skill: 'go_to', deadline_s: 3600 }),
  });
/** Makes the runtime leave all calls unanswered. @returns when this many commands have reached it */
const neverAnswer = (count: number) => {
  const actions = new Set<string>();
  return new Promise<void>((resolve) => {
    service.sfu.answer = ({ payload }) => {
      actions.add(JSON.parse(payload).options.action_id);
      if (actions.size === count) resolve();
      throw new SfuError('rpc_no_reply', 'late');
    };
  });
};
const revoke = async () => {
  const leaked = (await listKeys(service.deps.db)).find(({ name }) => name === 'leaked');
  await revokeKey(service.deps, leaked?.id ?? '');
};

it.each([
  ['revoked', () => revoke()],
  ['expired', async () => service.clock.advanceMs(5_000)],
])('a waiting command is 401 when its key is %s, at its own instance and at another', async (reason, end) => {
  const asked = neverAnswer(2);
  const waiting = [service, other].map((at) => command(appOf(at), key));
  await asked;
  await end();
  for (const answer of await Promise.all(waiting)) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'http.401', details: { reason } });
  }
});

it('a command under another key of the account keeps waiting', async () => {
  const mine = `sk_live_${randomBytes(32).toString('base64url')}`;
  await grantOnlyKey(service.deps, 'one', mine, 'kept');
  const app = appOf(other);
  const asked = neverAnswer(2);
  const [ends, goesOn] = [command(app, key), command(app, mine)];
  await asked;
  await revoke();
  expect((await ends).status).toBe(401);
  const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
  service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
  expect((await goesOn).status).toBe(200);
});
