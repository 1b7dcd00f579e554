import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKey, grantKeptKey, grantOnlyKey, listKeys } from '../../src/control-service/accounts.ts';
import { accounts, apiKeys } from '../../src/control-service/db/schema.ts';
import { IdleSessions } from '../../src/control-service/operations/idle-sessions.ts';
import { readServiceArgs } from '../../src/launch/service-args.ts';
import { DATABASES } from './helpers/databases.ts';
import { operateOn } from './helpers/operate.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const DAY_MS = 86_400_000;

let service: TestService;
const operate = (...args: string[]) => operateOn(service, ...args);
const statusWith = async (key: string): Promise<number> => (await service.send('GET', '/v1/robots', { key })).status;

describe.each(DATABASES)('operator commands on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('keys create prints a key that admits its account, and stores only its hash and start', async () => {
    const { out: key, note } = await operate('keys', 'create', '--account', 'lab');
    expect(key).toMatch(/^sk_live_[\w-]{43}$/);
    expect(note).not.toContain(key);
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBe(401);
    const kept = JSON.stringify([await service.deps.db.select().from(apiKeys), await service.deps.db.select().from(accounts)]);
    expect(kept).not.toContain(key.slice(12));
    expect(kept).toContain(key.slice(0, 12));
  });

  it('a key with an end admits callers until then', async () => {
    const { out: key } = await operate('keys', 'create', '--account', 'lab', '--expires-in', '90d');
    service.clock.advanceMs(90 * DAY_MS - 1);
    expect(await statusWith(key)).toBe(200);
    service.clock.advanceMs(1);
    expect(await statusWith(key)).toBe(401);
    expect((await operate('keys', 'list')).out).toContain('(expired)');
  });

  it('keys of one account see the same robots, and keys of another account see none of them', async () => {
    const made = async (account: string) => (await operate('keys', 'create', '--account', account)).out;
    const [first, second, stranger] = [await made('lab'), await made('lab'), await made('other')];
    const body = { name: 'Ada', model: 'm', type: 'virtual' };
    const { id } = (await service.send('POST', '/v1/robots', { body, key: first })).body.result;
    expect((await service.send('GET', `/v1/robots/${id}`, { key: second })).status).toBe(200);
    expect((await service.send('GET', `/v1/robots/${id}`, { key: stranger })).status).toBe(404);
    expect((await service.send('GET', '/v1/robots', { key: stranger })).body).toMatchObject({ result: [], total: 0 });
  });

  it('keys made at the same time for a new account belong to one account', async () => {
    const wanted = { account: 'rush', name: 'x', expiresAt: null };
    await Promise.all(Array.from({ length: 8 }, () => createKey(service.deps, wanted)));
    expect(await listKeys(service.deps.db, 'rush')).toHaveLength(8);
    const named = (await service.deps.db.select().from(accounts)).filter((account) => account.name === 'rush');
    expect(named).toHaveLength(1);
  });

  it('keys list shows every key and no secret', async () => {
    const { out: key } = await operate('keys', 'create', '--account', 'lab', '--name', 'arm');
    const [head, ...lines] = (await operate('keys', 'list')).out.split('\n');
    expect(head).toMatch(/^prefix +account +name +made +expires +revoked +id$/);
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toMatch(/^sk_live_[\w-]{4}… +lab +arm +2030-01-01T00:00:00Z +never +no +[0-9a-f-]{36}$/);
    expect(lines.join()).not.toContain(key.slice(0, 13));
    expect((await operate('keys', 'list', '--account', 'lab')).out.split('\n')).toHaveLength(2);
    expect((await operate('keys', 'list', '--account', 'nobody')).note).toContain('There are no keys');
  });

  it('keys revoke ends a key by its id or prefix, and only that key', async () => {
    const { out: first } = await operate('keys', 'create', '--account', 'lab');
    const { out: second } = await operate('keys', 'create', '--account', 'lab');
    const prefix = first.slice(0, 12);
    // The prefix that the list shows.
    expect((await operate('keys', 'revoke', `${prefix}…`)).note).toContain('is revoked');
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    service.clock.advanceMs(5_000);
    expect((await operate('keys', 'revoke', prefix)).note).toContain('was revoked already, 2030-01-01T00:00:00Z');
    const other = (await listKeys(service.deps.db, 'lab')).find((one) => one.revokedAt === null);
    await operate('keys', 'revoke', other?.id ?? '');
    expect(await statusWith(second)).toBe(401);
    await expect(operate('keys', 'revoke', 'sk_live_none')).rejects.toThrow('No key has the id or prefix sk_live_none');
  });

  it('keys revoke --end-sessions ends the sessions of its account, and of no other', async () => {
    const made = async (account: string) => (await operate('keys', 'create', '--account', account)).out;
    const [leaked, kept, stranger] = [await made('lab'), await made('lab'), await made('other')];
    const openWith = async (key: string): Promise<string> => {
      const body = { name: 'Ada', model: 'm', type: 'virtual' };
      const { id } = (await service.send('POST', '/v1/robots', { body, key })).body.result;
      return (await service.send('POST', `/rcs/v1/robots/${id}/session`, { key })).body.room_name;
    };
    const rooms = [await openWith(leaked), await openWith(kept)];
    const theirs = await openWith(stranger);
    expect((await operate('keys', 'revoke', leaked.slice(0, 12))).note).toContain('--end-sessions');
    await new IdleSessions(service.deps).tick();
    expect([...service.sfu.rooms.keys()]).toEqual([...rooms, theirs]);
    expect((await operate('keys', 'revoke', leaked.slice(0, 12), '--end-sessions')).note).toContain('open sessions, 2, end');
    await new IdleSessions(service.deps).tick();
    expect([...service.sfu.rooms.keys()]).toEqual([theirs]);
    expect(await statusWith(kept)).toBe(200);
  });

  it('a key that is not accepted is refused with the reason and a remedy', async () => {
    const { out: revoked } = await operate('keys', 'create', '--account', 'lab');
    await operate('keys', 'revoke', revoked.slice(0, 12));
    const { out: expired } = await operate('keys', 'create', '--account', 'lab', '--expires-in', '1d');
    service.clock.advanceMs(DAY_MS);
    const cases: [string | null, string, RegExp][] = [
      [null, 'missing', /has no API key. Send it in the header/],
      ['', 'missing', /has no API key/],
      ['Bearer', 'malformed', /not of the form/],
      [`Basic ${expired}`, 'malformed', /not of the form/],
      [`Bearer ${expired} x`, 'malformed', /not of the form/],
      ['Bearer sk_live_wrong', 'unknown', /Check that it is copied whole/],
      [`Bearer ${expired}x`, 'unknown', /Check that it is copied whole/],
      [`Bearer ${expired}`, 'expired', /has expired/],
      [`bearer  ${revoked} `, 'revoked', /was revoked/],
    ];
    for (const [header, reason, hint] of cases) {
      const headers: Record<string, string> = header === null ? {} : { Authorization: header };
      const { status, body } = await service.send('GET', '/v1/robots', { key: null, headers });
      expect([header, status, body.code, body.message]).toEqual([header, 401, 'http.401', 'unauthorized']);
      expect(body.details).toEqual({ request_id: expect.any(String), reason, hint: expect.stringMatching(hint) });
      expect(JSON.stringify(body)).not.toContain(expired.slice(12));
    }
  });

  it('a prefix that two keys share revokes neither', async () => {
    const { out: key } = await operate('keys', 'create', '--account', 'lab');
    await operate('keys', 'create', '--account', 'other');
    await service.deps.db.update(apiKeys).set({ prefix: key.slice(0, 12) });
    await expect(operate('keys', 'revoke', key.slice(0, 12))).rejects.toThrow('4 keys begin so. Name one by its id');
    expect(await statusWith(key)).toBe(200);
  });

  it('a session that is being opened when its key is revoked does not open, and the next request is refused', async () => {
    const { out: key } = await operate('keys', 'create', '--account', 'lab');
    const body = { name: 'Ada', model: 'm', type: 'virtual' };
    const { id } = (await service.send('POST', '/v1/robots', { body, key })).body.result;
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      const ensureRoom = service.sfu.ensureRoom.bind(service.sfu);
      service.sfu.ensureRoom = async (...call) => {
        resolve();
        await held;
        return ensureRoom(...call);
      };
    });
    const opening = service.send('POST', `/v1/robots/${id}/session`, { key });
    await asked;
    await operate('keys', 'revoke', key.slice(0, 12));
    expect(await statusWith(key)).toBe(401);
    goOn();
    expect((await opening).status).toBe(401);
    expect(service.sfu.rooms.size).toBe(0);
    expect((await service.send('DELETE', `/v1/robots/${id}/session`, { key })).status).toBe(401);
  });

  it('a revoked key that still exists in a file is not granted again', async () => {
    const first = await grantKeptKey(service.deps, 'local', undefined, 'here');
    expect(await grantKeptKey(service.deps, 'local', first.key, 'here')).toEqual(first);
    await operate('keys', 'revoke', first.key.slice(0, 12));
    const second = await grantKeptKey(service.deps, 'local', first.key, 'here');
    expect([second.caller, second.key === first.key]).toEqual([first.caller, false]);
    expect([await statusWith(first.key), await statusWith(second.key)]).toEqual([401, 200]);
  });

  it('a key of one account cannot be registered for another', async () => {
    const { out: key } = await operate('keys', 'create', '--account', 'lab');
    await expect(grantOnlyKey(service.deps, 'local', key, 'here')).rejects.toThrow('belongs to another account, lab.');
    expect((await listKeys(service.deps.db, 'lab')).map((one) => one.revokedAt)).toEqual([null]);
  });

  it('robots issue prints an id and, once, the PIN with which the robot is claimed', async () => {
    const { out } = await operate('robots', 'issue', '--name', 'Bolt', '--model', 'h1');
    const [, id, pin] = /^id {3}([0-9a-f-]{36})\nPIN {2}(\d{6})$/.exec(out) ?? [];
    expect((await operate('robots', 'list')).out).toMatch(new RegExp(`^${id} +physical +h1 +Bolt +nobody yet +holds +2030`, 'm'));
    const claimed = await service.send('POST', `/v1/robots/${id}/claim`, { body: { pin_code: pin } });
    expect(claimed).toMatchObject({ status: 200, body: { result: { id, name: 'Bolt', model: 'h1', type: 'physical' } } });
    const { out: list } = await operate('robots', 'list');
    expect(list).toMatch(/ physical +h1 +Bolt +one +holds +2030/);
    expect(list).not.toContain(pin);
  });
});

it.each([
  [['keys', 'create'], '--account is missing.'],
  [['keys', 'create', '--account', ''], '--account must be text'],
  [['keys', 'create', '--account', 'a\u001b[2J'], '--account must be text'],
  [['keys', 'create', '--account', 'a', '--expires-in', '90'], '--expires-in must be a number of minutes, hours or days'],
  [['keys', 'create', '--account', 'a', '--expires-in', '0d'], '--expires-in must be'],
  [['keys', 'create', '--account', 'a', '--key', 'b'], 'There is no option --key.'],
  [['keys', 'create', 'a'], 'a'],
  [['keys', 'revoke'], 'Name the key by its id'],
  [['keys', 'revoke', 'sk_live'], 'Name the key by its id'],
  [['robots', 'issue', '--name', 'Bolt'], '--model is missing.'],
  [['robots', 'list', 'all'], 'all'],
  [['robots'], 'There is no command "robots".'],
])('%j is rejected with an explanation', (args, sentence) => {
  expect(() => readServiceArgs(args)).toThrow(sentence);
});

it('a whole key as an argument is rejected with only its start in the message', () => {
  const key = `sk_live_abcd${'x'.repeat(39)}`;
  expect(() => readServiceArgs(['keys', 'revoke', key])).toThrow(/^This looks like a whole key.* keys revoke sk_live_abcd$/);
});
