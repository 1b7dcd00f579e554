/** An account has limits, and its load does not affect other accounts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { type AccountLimits, DEFAULT_SETTINGS } from '../../src/control-service/deps.ts';
import { openHttpServer } from '../../src/launch/http-server.ts';
import { DATABASES } from './helpers/databases.ts';
import { type Answer, startTestService, type TestService } from './helpers/service.ts';
import { times } from './helpers/times.ts';

const VIRTUAL = { name: 'Ada', model: 'm', type: 'virtual' };
const meta = { action_id: 'a', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
const done = JSON.stringify({ status: 'done', result: {}, meta });

let service: TestService;
let other: TestService | null = null;

const setLimits = (limits: Partial<AccountLimits>): void => {
  for (const each of other ? [service, other] : [service]) {
    each.deps.settings = { ...each.deps.settings, accountLimits: { ...DEFAULT_SETTINGS.accountLimits, ...limits } };
  }
};
const create = (key = service.keys[0], at = service) => at.send('POST', '/v1/robots', { body: VIRTUAL, key });
const createdBy = async (key = service.keys[0]): Promise<string> => {
  const { status, body } = await create(key);
  expect(status).toBe(200);
  return body.result.id;
};
const open = (id: string, key = service.keys[0], at = service) => at.send('POST', `/v1/robots/${id}/session`, { key });
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();
const expectLimit = (answer: Answer, limit: string, max: number): number => {
  expect(answer).toMatchObject({ status: 429, body: { code: 'account.limit_reached', details: { limit, max } } });
  expect(answer.body.message).toContain(String(max));
  const waitS = Number(answer.headers.get('retry-after'));
  expect(answer.body.details.retry_after_s).toBe(waitS);
  return waitS;
};

it('the default limits of an account leave room for classes and for CI', () => {
  expect(DEFAULT_SETTINGS.accountLimits).toEqual({
    robots: 1_000,
    apiKeys: 100,
    linksOfSession: 1_000,
    openSessions: 100,
    creationsPerMinute: 120,
    waitingCommands: 100,
    requestsAtOnce: 100,
  });
});

describe.each(DATABASES)('an account on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(async () => {
    await service.reset();
    setLimits({});
  });
  afterAll(() => service.close());

  it('an account has a limited number of robots, separate from other accounts', async () => {
    setLimits({ robots: 3 });
    const ids = await Promise.all(times(3, () => createdBy()));
    expectLimit(await create(), 'robots', 3);
    expect((await create(service.keys[1])).status).toBe(200);
    expect((await service.send('DELETE', `/v1/robots/${ids[0]}`)).status).toBe(204);
    expect((await create()).status).toBe(200);
  });

  it('an account makes its burst of robots at once, and then one whenever its share of a minute has passed', async () => {
    setLimits({ creationsPerMinute: 6 });
    expect(statusesOf(await Promise.all(times(9, () => create())))).toEqual([...Array(6).fill(200), ...Array(3).fill(429)]);
    expect(expectLimit(await create(), 'creations_per_minute', 6)).toBe(10);
    expect((await create(service.keys[1])).status).toBe(200);
    service.clock.advanceMs(9_000);
    expect(expectLimit(await create(), 'creations_per_minute', 6)).toBe(1);
    service.clock.advanceMs(1_000);
    expect(statusesOf([await create(), await create()])).toEqual([200, 429]);
    // A robot that is deleted still counts as made.
    service.clock.advanceMs(60_000);
    for (const _ of times(6, () => 0)) await service.send('DELETE', `/v1/robots/${await createdBy()}`);
    expectLimit(await create(), 'creations_per_minute', 6);
  });

  it('an account has a limited number of open sessions, and can still join those it has', async () => {
    setLimits({ openSessions: 2 });
    const ids = await Promise.all(times(3, () => createdBy()));
    expect(statusesOf(await Promise.all(ids.map((id) => open(id))))).toEqual([200, 200, 429]);
    const answers = await Promise.all(ids.map((id) => open(id)));
    const refused = answers.findIndex(({ status }) => status === 429);
    expectLimit(answers[refused] as Answer, 'open_sessions', 2);
    expect(statusesOf(answers)).toEqual([200, 200, 429]);
    expect(service.sfu.rooms.size).toBe(2);
    const stranger = await createdBy(service.keys[1]);
    expect((await open(stranger, service.keys[1])).status).toBe(200);
    expect((await service.send('DELETE', `/v1/robots/${ids[(refused + 1) % 3]}/session`)).status).toBe(204);
    expect((await open(ids[refused] ?? '')).status).toBe(200);
  });
});

describe('two instances on one PostgreSQL count together', () => {
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL', poolSize: 3 });
    other = await service.startBeside();
  });
  beforeEach(() => service.reset());
  afterAll(async () => {
    await other?.close();
    other = null;
    await service.close();
  });
  const at = (i: number) => (i % 2 === 0 || !other ? service : other);

  it('two instances share the limits on robots and on how many are made', async () => {
    setLimits({ robots: 5 });
    const made = await Promise.all(times(12, (i) => create(service.keys[0], at(i))));
    expect(statusesOf(made)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
    setLimits({ creationsPerMinute: 4 });
    const others = await Promise.all(times(8, (i) => create(service.keys[1], at(i))));
    expect(statusesOf(others)).toEqual([...Array(4).fill(200), ...Array(4).fill(429)]);
  });

  it('two instances share the limit on open sessions', async () => {
    setLimits({ openSessions: 3 });
    const ids = await Promise.all(times(8, () => createdBy()));
    const answers = await Promise.all(ids.map((id, i) => open(id, service.keys[0], at(i))));
    expect(statusesOf(answers)).toEqual([200, 200, 200, ...Array(5).fill(429)]);
    expect(service.sfu.rooms.size).toBe(3);
  });
});

describe('commands that wait for hours', () => {
  let mine: string;
  let theirs: string;
  let release: () => void;
  /** Sends calls to the first account's robot that stay unanswered until the test answers them. */
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    await service.reset();
    setLimits({ waitingCommands: 6 });
    mine = await createdBy();
    theirs = await createdBy(service.keys[1]);
    await open(mine);
    await open(theirs, service.keys[1]);
    service.sfu.identities = [`simplesim:${mine}`, `simplesim:${theirs}`];
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.sfu.answer = async (call) => {
      if (call.identity.endsWith(mine) && JSON.parse(call.payload).name === 'go_to') await held;
      return done;
    };
  });
  afterAll(() => service.close());
  const command = (id: string, skill: string, key = service.keys[0], parameters: object = {}) =>
    service.send('POST', `/v1/robots/${id}/session/command`, { body: { skill, parameters, deadline_s: 3600 }, key });
  const asked = (count: number) => expect.poll(() => service.sfu.calls.length, { timeout: 60_000 }).toBe(count);

  it('waiting commands are limited per account; a stop still passes, and another account does not wait', async () => {
    const waiting = times(6, () => command(mine, 'go_to'));
    await asked(6);
    expectLimit(await command(mine, 'go_to'), 'waiting_commands', 6);
    const semantic = await service.send('POST', `/v1/robots/${mine}/semantic-command`, { body: { command: 'forward' } });
    expectLimit(semantic, 'waiting_commands', 6);
    for (const [skill, parameters] of [
      ['stop', {}],
      ['cancel', {}],
      ['set_velocity', {}],
      ['set_velocity', { vx: 0, vy: 0, wz: 0 }],
    ] as const) {
      expect((await command(mine, skill, service.keys[0], parameters)).status).toBe(200);
    }
    expectLimit(await command(mine, 'set_velocity', service.keys[0], { vx: 0.1 }), 'waiting_commands', 6);
    expect((await command(theirs, 'go_to', service.keys[1])).status).toBe(200);
    expect((await service.send('GET', `/v1/robots/${mine}`)).status).toBe(200);
    release();
    expect(statusesOf(await Promise.all(waiting))).toEqual(Array(6).fill(200));
    expect((await command(mine, 'go_to')).status).toBe(200);
  });

  it('waiting commands leave database connections to others', async () => {
    const http = await openHttpServer(0, createApp(service.deps), undefined, { limits: { connectionsMax: 20 } });
    const call = (id: string, key: string) =>
      fetch(`http://127.0.0.1:${http.port}/v1/robots/${id}/session/command`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Connection: 'close' },
        body: JSON.stringify({ skill: 'go_to', deadline_s: 3600 }),
      });
    const before = service.sfu.calls.length;
    const waiting: Promise<Response>[] = [];
    // One after the other, so that each call but the first six is refused and returns its connection.
    for (let i = 0; i < 40; i += 1) {
      const calling = call(mine, service.keys[0]);
      if (i < 6) {
        waiting.push(calling);
        await asked(before + i + 1);
      } else expect((await calling).status).toBe(429);
    }
    expect((await call(theirs, service.keys[1])).status).toBe(200);
    release();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
    await http.close();
  });

  it('waiting commands free their place when their caller disconnects', async () => {
    const app = createApp(service.deps);
    const leaving = new AbortController();
    const waiting = times(6, () =>
      app.request(`/v1/robots/${mine}/session/command`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ skill: 'go_to' }),
        signal: leaving.signal,
      }),
    );
    await asked(6);
    leaving.abort();
    release();
    await Promise.allSettled(waiting);
    const again = await app.request(`/v1/robots/${mine}/session/command`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ skill: 'stand' }),
    });
    expect(again.status).toBe(200);
  });
});

describe('many requests at once', () => {
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(() => service.reset());
  afterAll(() => service.close());

  it('the concurrent requests of one account are limited, and another account is served meanwhile', async () => {
    setLimits({ requestsAtOnce: 10 });
    const hang = service.sfu.hang();
    const ids: string[] = [];
    for (const _ of times(3, () => 0)) ids.push(await createdBy());
    const opening = times(10, (i) => open(ids[i % 3] ?? ''));
    await expect.poll(() => service.sfu.waiting, { timeout: 60_000 }).toBe(3);
    expectLimit(await service.send('GET', '/v1/robots'), 'requests_at_once', 10);
    expect((await service.send('GET', '/v1/robots', { key: service.keys[1] })).status).toBe(200);
    hang('well');
    expect(statusesOf(await Promise.all(opening))).toEqual(Array(10).fill(200));
    expect((await service.send('GET', '/v1/robots')).status).toBe(200);
  });
});
