import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/control-service/accounts.ts';
import { apiKeys } from '../../src/control-service/db/schema.ts';
import { API_KEY_MAX_TTL_S } from '../../src/protocol/service/api-keys.ts';
import { DATABASES } from './helpers/databases.ts';
import { FACES, faceClient } from './helpers/faces.ts';
import { START_MS, startTestService, type TestService } from './helpers/service.ts';

interface Key {
  id: string;
  name: string;
  is_own: boolean;
  [field: string]: unknown;
}

describe.each(DATABASES)('API keys on $database', ({ database }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  const listed = async (key?: string): Promise<Key[]> =>
    (await service.send('GET', '/v1/api-keys?limit=100', key ? { key } : {})).body.result;
  async function make(
    body: object = { name: 'agent' },
    key?: string,
  ): Promise<{ id: string; key: string; expiresAt: string | null }> {
    const { status, body: made } = await service.send('POST', '/v1/api-keys', { body, ...(key ? { key } : {}) });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(made)}`);
    return { id: made.result.id, key: made.api_key, expiresAt: made.result.expires_at };
  }
  const revoke = (id: string, key?: string) => service.send('DELETE', `/v1/api-keys/${id}`, key ? { key } : {});
  const statusWith = async (key: string) => (await service.send('GET', '/v1/robots', { key })).status;

  describe.each(FACES)('on the $face face', ({ face }) => {
    const client = faceClient(face, () => service);

    it('makes a key that works, lists it without the key, and revokes it', async () => {
      const made = await client.send('POST', '/v1/api-keys', { name: 'Sorting agent', ttl_seconds: 60 });
      const key: string = made.body.api_key;
      expect(key).toMatch(/^sk_live_[\w-]{43}$/);
      const { key: row } = client.read('api_key_created', made);
      expect(row).toEqual({
        id: expect.any(String),
        prefix: key.slice(0, 12),
        name: 'Sorting agent',
        created_at: new Date(START_MS).toISOString(),
        expires_at: new Date(START_MS + 60_000).toISOString(),
        last_used_at: null,
        is_own: false,
      });
      expect(await statusWith(key)).toBe(200);
      const answer = await client.send('GET', '/v1/api-keys');
      const { keys } = client.read('api_keys', answer);
      expect(keys.map((one: Key) => [one.name, one.is_own])).toEqual([
        ['one', true],
        ['Sorting agent', false],
      ]);
      expect(answer.body.total).toBe(2);
      for (const secret of [key, service.keys[0]]) expect(JSON.stringify(answer.body)).not.toContain(secret);
      expect(await client.send('DELETE', `/v1/api-keys/${row.id}`)).toMatchObject({ status: 204, body: null });
      expect(await statusWith(key)).toBe(401);
      expect(client.read('api_keys', await client.send('GET', '/v1/api-keys')).keys).toHaveLength(1);
    });

    it('pages through all keys, each once, in order', async () => {
      for (let i = 0; i < 6; i += 1) {
        service.clock.advanceMs(1);
        await make({ name: `key ${i}` });
      }
      const names: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await client.send('GET', `/v1/api-keys?limit=3${after}`);
        names.push(...(face === 'public' ? body.result : body.keys).map((one: Key) => one.name));
        if (body.next_id === null) break;
        after = `&after_id=${body.next_id}`;
      }
      expect(names).toEqual(['one', ...Array.from({ length: 6 }, (_, i) => `key ${i}`)]);
    });
  });

  it('another account can neither see nor revoke a key, nor learn anything about it', async () => {
    const { id, key } = await make();
    const [, other] = service.keys;
    expect((await listed(other)).map(({ name }) => name)).toEqual(['two']);
    const refused = await revoke(id, other);
    expect(refused).toMatchObject({ status: 404, body: { code: 'api_key.not_found' } });
    const never = await revoke('0193f2c6-77a0-7d18-b1c4-2f9e6a0d3b85', other);
    expect({ ...refused.body, details: null }).toEqual({ ...never.body, details: null });
    expect(await statusWith(key)).toBe(200);
  });

  it.each(['x', '%00', '%ED%A0%80', '..%2F..', '%27%20or%201=1%20--', 'a'.repeat(3_000)])('rejects the key id %j', async (id) => {
    expect((await revoke(id)).status).toBe(404);
  });

  it('a key can revoke itself unless it is the only valid key', async () => {
    const [own] = await listed();
    const last = await revoke(own?.id ?? '');
    expect(last).toMatchObject({ status: 409, body: { code: 'api_key.last' } });
    const made = await make({ name: 'short', ttl_seconds: 10 });
    service.clock.advanceMs(10_000);
    // An expired key admits no caller.
    expect((await revoke(own?.id ?? '')).status).toBe(409);
    expect((await revoke(made.id)).status).toBe(204);
    const next = await make();
    expect((await revoke(own?.id ?? '')).status).toBe(204);
    expect(await service.send('GET', '/v1/robots')).toMatchObject({ status: 401, body: { details: { reason: 'revoked' } } });
    expect((await listed(next.key)).map(({ is_own }) => is_own)).toEqual([true]);
  });

  it('a key is revoked only if another one lasts at least as long, whichever of them asks', async () => {
    const [main] = await listed();
    const hour = await make({ name: 'hour', ttl_seconds: 3_600 });
    const minute = await make({ name: 'minute', ttl_seconds: 60 });
    const last = { status: 409, body: { code: 'api_key.last' } };
    // With the others gone, only the key of one minute would be left.
    for (const key of [minute.key, hour.key, service.keys[0]]) expect(await revoke(main?.id ?? '', key)).toMatchObject(last);
    expect((await revoke(hour.id, minute.key)).status).toBe(204);
    expect((await revoke(minute.id, minute.key)).status).toBe(204);
    const lasting = await make();
    expect((await revoke(main?.id ?? '', lasting.key)).status).toBe(204);
    expect(await revoke(lasting.id, lasting.key)).toMatchObject(last);
  });

  it('of two expiring keys, the shorter can be revoked, and so can one of two that expire at the same moment', async () => {
    const [main] = await listed();
    const long = await make({ name: 'long', ttl_seconds: 3_600 });
    const short = await make({ name: 'short', ttl_seconds: 3_599 });
    // As the operator does, who may leave an account without a permanent key.
    await revokeKey(service.deps, main?.id ?? '');
    expect((await revoke(long.id, short.key)).status).toBe(409);
    const same = await make({ name: 'same', ttl_seconds: 7_200 }, long.key);
    expect(same.expiresAt).toBe(long.expiresAt);
    expect((await revoke(long.id, short.key)).status).toBe(204);
    expect((await revoke(short.id, same.key)).status).toBe(204);
  });

  it('an expired or revoked key does not count as a replacement, and may be revoked itself', async () => {
    const [main] = await listed();
    const other = await make();
    const brief = await make({ name: 'brief', ttl_seconds: 10 });
    const left = await make({ name: 'left', ttl_seconds: 3_600 });
    expect((await revoke(other.id)).status).toBe(204);
    service.clock.advanceMs(10_000);
    expect((await revoke(main?.id ?? '', left.key)).status).toBe(409);
    for (const id of [brief.id, other.id]) expect((await revoke(id, left.key)).status).toBe(204);
  });

  it('if a short key revokes two permanent keys at once, one of them stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      await service.reset();
      const [main] = await listed();
      const other = await make();
      const short = await make({ name: 'short', ttl_seconds: 60 });
      const answers = await Promise.all([revoke(main?.id ?? '', short.key), revoke(other.id, short.key)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  it('revoking a key again changes nothing and succeeds', async () => {
    const { id } = await make();
    expect((await revoke(id)).status).toBe(204);
    const before = await service.deps.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    service.clock.advanceMs(5_000);
    expect((await revoke(id)).status).toBe(204);
    const after = await service.deps.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(after[0]?.revokedAt).toEqual(before[0]?.revokedAt);
  });

  it('if two keys revoke each other at once, one of them stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      await service.reset();
      const [own] = await listed();
      const other = await make();
      const answers = await Promise.all([revoke(other.id), revoke(own?.id ?? '', other.key)]);
      // The second request carries a key that is already revoked.
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
      const admitted = [await statusWith(service.keys[0]), await statusWith(other.key)].sort();
      expect(admitted).toEqual([200, 401]);
    }
  });

  it('a key has no effect after its revocation is answered, however many of its requests are in progress', async () => {
    const leaked = await make();
    const making = Array.from({ length: 12 }, (_, i) =>
      service.send('POST', '/v1/api-keys', { body: { name: `by the leaked one ${i}` }, key: leaked.key }),
    );
    expect((await revoke(leaked.id)).status).toBe(204);
    const whenRevoked = (await listed()).length;
    const statuses = (await Promise.all(making)).map(({ status }) => status);
    expect(new Set([...statuses, 200, 401])).toEqual(new Set([200, 401]));
    expect(await listed()).toHaveLength(whenRevoked);
  });

  it('an expiring key cannot make a key that outlives it', async () => {
    const { key, expiresAt } = await make({ name: 'for an hour', ttl_seconds: 3_600 });
    for (const ttl of [{}, { ttl_seconds: null }, { ttl_seconds: 3_601 }, { ttl_seconds: API_KEY_MAX_TTL_S }]) {
      expect((await make({ name: 'longer', ...ttl }, key)).expiresAt).toBe(expiresAt);
    }
    expect((await make({ name: 'shorter', ttl_seconds: 1 }, key)).expiresAt).toBe(new Date(START_MS + 1_000).toISOString());
    service.clock.advanceMs(3_600_000);
    expect((await service.send('POST', '/v1/api-keys', { body: { name: 'late' }, key })).status).toBe(401);
  });

  it('an account has a limited number of keys, and revoking one makes room', async () => {
    const limit = 5;
    const { accountLimits } = service.deps.settings;
    const before = accountLimits.apiKeys;
    accountLimits.apiKeys = limit;
    try {
      const made = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => make({ name: `${i}` })));
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit - 1);
      const refused = await service.send('POST', '/v1/api-keys', { body: { name: 'one more' } });
      expect(refused).toMatchObject({
        status: 429,
        body: { code: 'account.limit_reached', details: { limit: 'api_keys', max: limit } },
      });
      expect((await service.send('POST', '/v1/api-keys', { body: { name: 'theirs' }, key: service.keys[1] })).status).toBe(200);
      const one = (await listed()).find(({ is_own }) => !is_own);
      await revoke(one?.id ?? '');
      await make();
    } finally {
      accountLimits.apiKeys = before;
    }
  });

  it('revoked and expired keys do not accumulate', async () => {
    for (let i = 0; i < 70; i += 1) {
      await revoke((await make()).id);
      await make({ name: 'brief', ttl_seconds: 1 });
      service.clock.advanceMs(1_000);
    }
    await make({ name: 'one more' });
    // 100 ended keys, the two initial ones, and one more.
    expect(await service.deps.db.select().from(apiKeys)).toHaveLength(103);
  });

  it('shows to the minute when a key was last used', async () => {
    const { id, key } = await make();
    const usedAt = async () => (await listed()).find((one) => one.id === id)?.last_used_at;
    expect(await usedAt()).toBeNull();
    await Promise.all(Array.from({ length: 8 }, () => statusWith(key)));
    expect(await usedAt()).toBe(new Date(START_MS).toISOString());
    service.clock.advanceMs(59_999);
    await statusWith(key);
    expect(await usedAt()).toBe(new Date(START_MS).toISOString());
    service.clock.advanceMs(1);
    await statusWith(key);
    expect(await usedAt()).toBe(new Date(START_MS + 60_000).toISOString());
    service.clock.setBackMs(3_600_000);
    await statusWith(key);
    expect(await usedAt()).toBe(new Date(START_MS - 3_540_000).toISOString());
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ name: 'half \ud800' }, 'name'],
    [{ name: 'x', ttl_seconds: 0 }, 'ttl_seconds'],
    [{ name: 'x', ttl_seconds: 1.5 }, 'ttl_seconds'],
    [{ name: 'x', ttl_seconds: API_KEY_MAX_TTL_S + 1 }, 'ttl_seconds'],
    [{ name: 'x', ttl_seconds: '60' }, 'ttl_seconds'],
  ])('rejects %j and names its field', async (body, field) => {
    const answer = await service.send('POST', '/v1/api-keys', { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 'request.invalid', details: { fields: [field] } } });
    expect(answer.body.message).toContain(`${field} must be `.slice(0, field.length + 1));
  });

  it('the log shows which key made or revoked which, and contains no key', async () => {
    const { id, key } = await make();
    await revoke(id);
    const [own] = await listed();
    const events = service.log.filter(({ event }) => event.startsWith('api_key_'));
    expect(events).toMatchObject([
      { event: 'api_key_made', key_id: id, by_key_id: own?.id },
      { event: 'api_key_revoked', key_id: id, by_key_id: own?.id },
    ]);
    for (const secret of [key, service.keys[0]]) expect(JSON.stringify(service.log)).not.toContain(secret);
  });

  it('a key that the operator makes is listed under the name that the operator gave it', async () => {
    await createKey(service.deps, { account: 'one', name: 'from the terminal', expiresAt: null });
    expect((await listed()).map(({ name }) => name)).toEqual(['one', 'from the terminal']);
  });
});
