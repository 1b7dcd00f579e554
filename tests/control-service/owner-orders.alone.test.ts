import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownerOrders, sessions } from '../../src/control-service/db/schema.ts';
import { clearEndedOrders, tellLivingOrders } from '../../src/control-service/operations/owner-orders.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { momentOfTicket, type OrderOutcome, orderTicket, ownerOrderOf } from '../../src/protocol/owner-order.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let id: string;

// The service waits by the clock of the test, so that nobody waits for it.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs: number) => {
    service.clock.advanceMs(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
  },
}));

const driverOf = (identity: string, since_ms = 1) => ({ identity, name: identity, kind: 'agent', since_ms });

/** A runtime as the service sees it: it hears the room's metadata, and says in its state who drives. The rules of obeying are tested at the runtime. */
class FakeRuntime {
  lifeId = 'life';
  /** On its own clock, which is a year off. */
  nowMs = 1_000;
  driver: ReturnType<typeof driverOf> | null = driverOf('agent-1');
  heard: { order_id: string; outcome: OrderOutcome }[] = [];
  /** What becomes of the next orders; then they are obeyed. */
  outcomes: OrderOutcome[] = [];
  isDeaf = false;

  hear(metadata: string): void {
    const order = ownerOrderOf(metadata);
    if (this.isDeaf || order === null || this.heard.some(({ order_id }) => order_id === order.order_id)) return;
    const isOfThisLife = momentOfTicket(this.lifeId, order.ticket) !== null;
    const outcome = isOfThisLife ? (this.outcomes.shift() ?? 'obeyed') : 'late';
    this.heard.push({ order_id: order.order_id, outcome });
    if (outcome === 'obeyed')
      this.driver = order.driver && {
        ...driverOf(order.driver.identity),
        ...order.driver,
        name: order.driver.name ?? order.driver.identity,
      };
  }

  answer = ({ method }: RpcCall): string => {
    expect(method).toBe('runtime.state');
    this.nowMs += 10;
    this.hear([...service.sfu.rooms.values()].at(-1) ?? '');
    const owner_orders = { ticket: orderTicket(this.lifeId, this.nowMs), heard: this.heard.slice(-4) };
    return JSON.stringify({ robot: { extra: { driver: this.driver, owner_orders } } });
  };
}

let runtime: FakeRuntime;
const order = (body: unknown, { prefix = '/rcs', key = service.keys[0] as string | null } = {}) =>
  service.send('POST', `${prefix}/v1/robots/${id}/session/control`, { body, key });
const inRoom = () => ownerOrderOf([...service.sfu.rooms.values()].at(-1) ?? '');
const stored = () => service.deps.db.select().from(ownerOrders);
const end = () => service.deps.db.update(ownerOrders).set({ endsAt: sql`now() - interval '1 second'` });

async function openRobot(): Promise<void> {
  await service.reset();
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  id = created.body.result.id;
  await service.send('POST', `/v1/robots/${id}/session`);
  runtime = new FakeRuntime();
  service.sfu.identities = ['agent-1', 'olga', `simplesim:${id}`];
  service.sfu.answer = runtime.answer;
}

describe.each(DATABASES)('the order of who drives over HTTP, on $database', ({ database }) => {
  beforeAll(async () => {
    service = await startTestService({ database });
  });
  beforeEach(openRobot);
  afterAll(() => service.close());

  it('puts the driver out, or another in, and says who drives now and who did; on both faces', async () => {
    expect(await order({ to: null })).toMatchObject({
      status: 200,
      body: { robot_id: id, driver: null, previous: { identity: 'agent-1' } },
    });
    const taken = await order({ to: 'olga', name: 'Olga', kind: 'person' }, { prefix: '' });
    expect(taken.body).toEqual({
      code: 'ok',
      result: { robot_id: id, driver: { identity: 'olga', name: 'Olga', kind: 'person', since_ms: 1 }, previous: null },
    });
    expect((await order({ to: 'olga' })).body).toMatchObject({ driver: { kind: 'program' }, previous: { name: 'Olga' } });
  });

  it.each([
    undefined,
    {},
    { to: '' },
    { to: 7 },
    { to: 'x'.repeat(257) },
    { to: 'olga', kind: 'ghost' },
    { to: 'olga', name: 'x'.repeat(65) },
    { to: 'a\0b' },
    [],
    { action: 'release' },
  ])('a mistake in the body orders nothing: %j', async (body) => {
    expect((await order(body)).status).toBe(400);
    expect([runtime.driver?.identity, await stored()]).toEqual(['agent-1', []]);
  });

  it('takes the longest identity and name that it says it takes, in whatever script', async () => {
    const [to, name] = ['🤖'.repeat(256), '🦾'.repeat(64)];
    service.sfu.identities.push(to);
    expect((await order({ to, name })).body).toMatchObject({ driver: { identity: to } });
  });

  it('is the owner’s alone', async () => {
    expect((await order({ to: null }, { key: service.keys[1] })).body.code).toBe('robot.not_found');
    expect((await order({ to: null }, { key: null })).status).toBe(401);
    expect([runtime.driver?.identity, await stored()]).toEqual(['agent-1', []]);
  });

  it('makes nobody the driver who is not there, may only watch, or is the runtime', async () => {
    service.sfu.identities.push('eye');
    service.sfu.watchers.add('eye');
    for (const to of ['nobody', 'eye', `simplesim:${id}`])
      expect((await order({ to })).body, to).toMatchObject({ code: 'control.no_driver', details: { fields: ['to'] } });
    expect(await stored()).toEqual([]);
  });

  it('says what is missing: a session, a runtime, one that knows orders', async () => {
    service.sfu.answer = () => JSON.stringify({ robot: { extra: { driver: null } } });
    expect((await order({ to: null })).body.code).toBe('control.unsupported');
    service.sfu.identities = ['olga'];
    expect((await order({ to: null })).body.code).toBe('runtime.not_present');
    await service.send('DELETE', `/v1/robots/${id}/session`);
    expect((await order({ to: null })).body.code).toBe('session.not_found');
    expect(await stored()).toEqual([]);
  });

  it('says that a runtime did not answer, and whether the order stands', async () => {
    service.sfu.answer = () => Promise.reject(new SfuError('rpc_no_reply', 'The participant did not answer in time.'));
    expect(await order({ to: null })).toMatchObject({
      status: 504,
      body: { code: 'control.unanswered', message: expect.stringContaining('Nothing was ordered'), details: { ordered: false } },
    });
    expect(await stored()).toEqual([]);
    service.sfu.answer = runtime.answer;
    runtime.isDeaf = true;
    expect(await order({ to: null })).toMatchObject({
      status: 504,
      body: { code: 'control.unanswered', message: expect.stringContaining('may still obey'), details: { ordered: true } },
    });
    expect(inRoom()).not.toBeNull();
  });

  it.each(['', '[]', '{"robot":{}}', '{"robot":{"extra":{"owner_orders":{"ticket":7}}}}', 'x'.repeat(1e5)])(
    'a runtime that says something else is none that obeys: %j',
    async (reply) => {
      service.sfu.answer = () => reply;
      expect([409, 504]).toContain((await order({ to: null })).status);
      expect(await stored()).toEqual([]);
    },
  );

  it('gives a fresh order when the runtime heard it too late, as after its restart', async () => {
    runtime.outcomes = ['late', 'late'];
    expect((await order({ to: 'olga' })).body).toMatchObject({ driver: { identity: 'olga' } });
    expect(runtime.heard.map(({ outcome }) => outcome)).toEqual(['late', 'late', 'obeyed']);
  });

  it('is repeated where another instance wrote older metadata over it', async () => {
    const { ensureRoom } = service.sfu;
    let isFirst = true;
    service.sfu.ensureRoom = function (room, metadata, agents) {
      const isLost = isFirst && ownerOrderOf(metadata) !== null;
      if (isLost) isFirst = false;
      return ensureRoom.call(this, room, isLost ? '{}' : metadata, agents);
    };
    expect((await order({ to: null })).body).toMatchObject({ driver: null });
    expect(isFirst).toBe(false);
  });

  it('leaves the metadata when it has ended, and no other session has it', async () => {
    await order({ to: null });
    expect(inRoom()).not.toBeNull();
    await clearEndedOrders(service.deps);
    expect(inRoom()).not.toBeNull();
    await end();
    await clearEndedOrders(service.deps);
    expect([inRoom(), await stored()]).toEqual([null, []]);
    await order({ to: 'olga' });
    await service.send('DELETE', `/v1/robots/${id}/session`);
    await service.send('POST', `/v1/robots/${id}/session`);
    expect(inRoom()).toBeNull();
  });

  it('is cleared away another time when the SFU is away', async () => {
    await order({ to: null });
    await end();
    service.sfu.failing.add('ensureRoom');
    await clearEndedOrders(service.deps);
    expect(await stored()).toHaveLength(1);
    service.sfu.failing.clear();
    await clearEndedOrders(service.deps);
    expect([inRoom(), await stored()]).toEqual([null, []]);
  });

  it('of a service that dies before it answers is obeyed all the same, once', async () => {
    // It dies when the room has been told: nothing after that runs.
    service.sfu.answer = (call) => (inRoom() ? new Promise(() => {}) : runtime.answer(call));
    void order({ to: 'olga' });
    await vi.waitFor(() => expect(inRoom()).not.toBeNull());
    runtime.hear([...service.sfu.rooms.values()].at(-1) ?? '');
    expect(runtime.driver?.identity).toBe('olga');
    // Its successor makes the rooms again; then another drives.
    await reopenRooms(service.deps);
    runtime.driver = driverOf('agent-2');
    runtime.hear([...service.sfu.rooms.values()].at(-1) ?? '');
    expect(runtime.driver.identity).toBe('agent-2');
    await end();
    await clearEndedOrders(service.deps);
    expect(inRoom()).toBeNull();
  });

  it('of a service that dies before it tells the room is told by another instance', async () => {
    const [session] = await service.deps.db.select().from(sessions);
    const { roomName = '', robotId = '' } = session ?? {};
    await service.deps.db.insert(ownerOrders).values({
      robotId,
      roomName,
      orderId: 'order-1',
      ticket: orderTicket(runtime.lifeId, runtime.nowMs),
      driver: null,
      endsAt: sql`now() + interval '9 seconds'`,
    });
    expect(inRoom()).toBeNull();
    await tellLivingOrders(service.deps);
    expect(inRoom()).toMatchObject({ order_id: 'order-1' });
    await end();
    await tellLivingOrders(service.deps);
    await clearEndedOrders(service.deps);
    expect(inRoom()).toBeNull();
  });

  it('by no clock of the service: it is a year ahead or behind, or set meanwhile', async () => {
    const yearMs = 365 * 24 * 3_600_000;
    for (const byMs of [yearMs, -2 * yearMs]) {
      service.clock.setBackMs(byMs);
      expect((await order({ to: 'olga' })).body).toMatchObject({ driver: { identity: 'olga' } });
      await clearEndedOrders(service.deps);
      expect(inRoom()).not.toBeNull();
      expect((await order({ to: null })).body).toMatchObject({ driver: null });
    }
  });

  it('of many at once each is answered, one after the other, and the last one counts', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => order({ to: n % 2 ? 'olga' : 'agent-1' })));
    for (const [n, { status, body }] of answers.entries()) {
      expect(status).toBe(200);
      expect(body.driver.identity).toBe(n % 2 ? 'olga' : 'agent-1');
    }
    // Which one came last is the database's word: many requests at once overtake each other on their way to it.
    const [last, ...more] = await stored();
    expect(more).toEqual([]);
    expect(runtime.driver?.identity).toBe(last?.driver?.identity);
  });

  it('of a flood no more are let in than an account may have under way', async () => {
    const { settings } = service.deps;
    service.deps.settings = { ...settings, accountLimits: { ...settings.accountLimits, requestsAtOnce: 5 } };
    try {
      const answers = await Promise.all(Array.from({ length: 50 }, () => order({ to: null })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    } finally {
      service.deps.settings = settings;
    }
  });

  it('is in the log, with the account and the driver, and without names', async () => {
    await order({ to: 'olga', name: 'Private Name' });
    expect(service.log.find(({ event }) => event === 'owner_order')).toMatchObject({ robot_id: id, driver: 'olga' });
    expect(JSON.stringify(service.log)).not.toContain('Private');
  });

  it('goes with its robot', async () => {
    await order({ to: null });
    await service.send('DELETE', `/v1/robots/${id}`);
    expect(await stored()).toEqual([]);
  });
});

describe.runIf(DATABASES.some(({ database }) => database === 'PostgreSQL'))('two instances', () => {
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ database: 'PostgreSQL' });
    other = await service.startBeside();
  });
  beforeEach(openRobot);
  afterAll(async () => {
    await other.close();
    await service.close();
  });

  it('that order at once: each says who drives, or that the other counts; nobody waits in vain', async () => {
    const path = `/rcs/v1/robots/${id}/session/control`;
    for (let race = 0; race < 20; race += 1) {
      const [one, two] = await Promise.all([
        service.send('POST', path, { body: { to: 'olga' } }),
        other.send('POST', path, { body: { to: 'agent-1' } }),
      ]);
      const counts = [one, two].filter(({ status }) => status === 200);
      expect(counts.length, JSON.stringify([one.body, two.body])).toBeGreaterThan(0);
      for (const { status, body } of [one, two]) if (status !== 200) expect(body.code).toBe('control.overtaken');
      const [row] = await service.deps.db.select().from(ownerOrders).where(eq(ownerOrders.robotId, id));
      expect(runtime.driver?.identity).toBe(row?.driver?.identity);
    }
  });
});
