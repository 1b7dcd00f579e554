/** A key that ends while its request is in progress: before the body is complete, and before the SFU has answered. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKey, revokeKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { apiKeys, sessions } from '../../src/control-service/db/schema.ts';
import { endSessionsOfKey } from '../../src/control-service/operations/idle-sessions.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';
import { statementsDuring } from './helpers/statements.ts';

/** An awaited event comes at once on an idle machine. */
const PATIENTLY = { timeout: 60_000 };
const PUBLIC_KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const LIFE_MS = 5_000;

describe.each(DATABASES)('a key that ends under way on $database', ({ database }) => {
  let service: TestService;
  let id: string;
  let leaked: { key: string; info: { id: string } };
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    id = (await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } })).body.result.id;
    const expiresAt = new Date(service.clock.nowMs() + LIFE_MS);
    leaked = await createKey(service.deps, { account: 'one', name: 'leaked', expiresAt });
    service.sfu.identities = [`simplesim:${id}`];
    const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
    service.sfu.answer = () => JSON.stringify({ status: 'done', result: {}, meta });
  });
  afterAll(() => service.close());

  const openSession = () => service.send('POST', `/v1/robots/${id}/session`, { body: { worker_names: [] } });
  const revoke = () => revokeKey(service.deps, leaked.info.id);
  const ENDS: [string, () => Promise<unknown>][] = [
    ['revoked', revoke],
    ['expired', async () => service.clock.advanceMs(LIFE_MS)],
  ];

  describe('before the body is complete', () => {
    /** Sends the start of a body, and the rest after `between`, which begins when the key has admitted the request. */
    async function sendSlowly(method: string, path: string, body: object, between: () => Promise<unknown>): Promise<Response> {
      const bytes = new TextEncoder().encode(JSON.stringify(body));
      const way = new TransformStream<Uint8Array, Uint8Array>();
      const writer = way.writable.getWriter();
      const answer = createApp(service.deps).request(path, {
        method,
        headers: { Authorization: `Bearer ${leaked.key}`, 'Content-Type': 'application/json' },
        body: way.readable,
        duplex: 'half',
      } as RequestInit);
      await writer.write(bytes.subarray(0, 1));
      const { db } = service.deps;
      // The use of a key is recorded once it admits the request.
      await expect
        .poll(async () => (await db.select().from(apiKeys).where(eq(apiKeys.id, leaked.info.id)))[0]?.lastUsedAt, PATIENTLY)
        .not.toBeNull();
      await between();
      await writer.write(bytes.subarray(1));
      await writer.close();
      return answer;
    }

    describe.each(ENDS)('%s', (reason, end) => {
      it.each<[string, string, (robot: string) => string, object]>([
        ['a robot', 'PATCH', (robot) => `/v1/robots/${robot}`, { name: 'taken' }],
        ['a room token', 'POST', (robot) => `/v1/robots/${robot}/session/participant-token`, { participant_identity: 'x' }],
        ['a grant', 'POST', (robot) => `/v1/robots/${robot}/session/control-grant`, { public_key: PUBLIC_KEY }],
        ['a command', 'POST', (robot) => `/v1/robots/${robot}/session/command`, { skill: 'set_velocity', parameters: {} }],
        ['a robot of its own', 'POST', () => '/v1/robots', { name: 'mine', model: 'm', type: 'virtual' }],
      ])('the request has no effect and is 401: %s', async (_what, method, path, body) => {
        await openSession();
        const before = (await service.send('GET', '/v1/robots')).body;
        const answer = await sendSlowly(method, path(id), body, end);
        expect(answer.status).toBe(401);
        expect(await answer.json()).toMatchObject({ code: 'http.401', details: { reason } });
        expect(service.sfu.calls).toEqual([]);
        expect((await service.send('GET', '/v1/robots')).body).toEqual(before);
      });
    });

    it('a request does not reopen a session that was ended with its key', async () => {
      await openSession();
      const answer = await sendSlowly('POST', `/v1/robots/${id}/session`, { worker_names: [] }, async () => {
        await revoke();
        await endSessionsOfKey(service.deps, leaked.info.id);
      });
      expect(answer.status).toBe(401);
      expect(await service.deps.db.select().from(sessions).where(eq(sessions.phase, 'open'))).toEqual([]);
    });

    it('an emergency stop that was admitted is carried out', async () => {
      const answer = await sendSlowly('POST', `/v1/robots/${id}/emergency-stop`, { reason: 'it tips' }, revoke);
      expect(answer.status).toBe(200);
    });

    it('a slow body under a valid key is accepted', async () => {
      const answer = await sendSlowly('PATCH', `/v1/robots/${id}`, { name: 'Bo' }, async () => {});
      expect((await answer.json()).result.name).toBe('Bo');
    });

    it('a wrong key is refused before the body is complete', async () => {
      const way = new TransformStream<Uint8Array, Uint8Array>();
      const answer = await createApp(service.deps).request(`/v1/robots/${id}`, {
        method: 'PATCH',
        headers: { Authorization: 'Bearer sk_live_wrong', 'Content-Type': 'application/json' },
        body: way.readable,
        duplex: 'half',
      } as RequestInit);
      expect(answer.status).toBe(401);
    });

    it('a body that arrives at once costs one lookup of the key', async () => {
      const change = () => service.send('PATCH', `/v1/robots/${id}`, { body: { name: 'Bo' } });
      const looks = (await statementsDuring(service.deps.db, change)).filter((text) => /from "api_keys"/.test(text));
      expect(looks).toHaveLength(1);
    });
  });

  describe('before the SFU has answered', () => {
    const sendUnder = (key: string, path: string, body: object) =>
      service.send('POST', `/v1/robots/${id}/session${path}`, { key, body });
    /** Sends a request, runs `meanwhile` while the SFU hangs, and then lets the SFU answer. */
    async function withLateSfu(send: () => ReturnType<typeof sendUnder>, meanwhile: () => Promise<unknown>) {
      const release = service.sfu.hang();
      const answer = send();
      await expect.poll(() => service.sfu.waiting, PATIENTLY).toBeGreaterThan(0);
      await meanwhile();
      release('well');
      return answer;
    }

    describe.each(ENDS)('%s', (reason, end) => {
      const refused = { status: 401, body: { code: 'http.401', details: { reason } } };

      it.each<[string, string, object]>([
        ['a place in an open room', '', { worker_names: [] }],
        ['a room token', '/participant-token', { participant_identity: 'x' }],
        ['a grant', '/control-grant', { public_key: PUBLIC_KEY }],
      ])('the answer reveals nothing and is 401: %s', async (_what, path, body) => {
        await openSession();
        expect(await withLateSfu(() => sendUnder(leaked.key, path, body), end)).toMatchObject(refused);
        // The session was open before, and belongs to the account.
        expect(service.sfu.rooms.size).toBe(1);
        expect((await service.send('GET', `/v1/robots/${id}/session`)).body.result.phase).toBe('open');
      });

      it('a request closes the session that it has just opened, with its room', async () => {
        expect(await withLateSfu(() => sendUnder(leaked.key, '', { worker_names: ['agent'] }), end)).toMatchObject(refused);
        expect(service.sfu.rooms.size).toBe(0);
        expect(await service.deps.db.select().from(sessions)).toEqual([]);
        expect((await openSession()).status).toBe(200);
      });

      it('the answer reveals nothing about a robot', async () => {
        await openSession();
        const app = createApp(service.deps, { keysLookedAtEveryMs: 10 });
        const headers = { Authorization: `Bearer ${leaked.key}` };
        const ask = async () => {
          const answer = await app.request(`/v1/robots/${id}/session`, { headers });
          return { status: answer.status, headers: answer.headers, body: await answer.json() };
        };
        const looked = () => {
          const select = vi.spyOn(service.deps.db, 'select');
          return expect.poll(() => select.mock.calls.length, PATIENTLY).toBeGreaterThan(1);
        };
        const answer = await withLateSfu(ask, async () => {
          await end();
          await looked();
          vi.restoreAllMocks();
        });
        expect(answer).toMatchObject(refused);
      });
    });

    it('a key that revokes itself gets an answer', async () => {
      expect(await service.send('DELETE', `/v1/api-keys/${leaked.info.id}`, { key: leaked.key })).toMatchObject({ status: 204 });
    });
  });
});
