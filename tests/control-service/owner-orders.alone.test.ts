import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownerOrders, sessions } from '../../src/control-service/db/schema.ts';
import { clearEndedOrders, sendLivingOrders } from '../../src/control-service/operations/owner-orders.ts';
import { reopenRooms } from '../../src/control-service/operations/sessions.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { momentOfTicket, type OrderOutcome, orderTicket, ownerOrderOf } from '../../src/protocol/wire/owner-order.ts';
import { DATABASES } from './helpers/databases.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let id: string;

// The service waits by the clock of the test, so that the test runs without real delays.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs: number) => {
    service.clock.advanceMs(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
  },
}));

const driverOf = (identity: string, since_ms = 1) => ({ identity, name: identity, kind: 'agent', since_ms });

/**
 * A runtime as the service sees it: it reads the room's metadata, and reports the driver in its state. The rules for
 * obeying an order are tested with the runtime.
 */
class FakeRuntime {
  lifeId = 'life';
  /** The time by the runtime's own clock, which is a year off. */
  nowMs = 1_000;
  driver: ReturnType<typeof driverOf> | null = driverOf('agent-1');
  heard: { order_id: string; outcome: OrderOutcome }[] = [];
  /** The treatment of the next orders; later orders are obeyed. */
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

  it('an order removes or replaces the driver, and reports the present and the previous driver, on both faces', async () => {
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
  ])('an invalid body orders nothing: %j', async (body) => {
    expect((await order(body)).status).toBe(400);
    expect([runtime.driver?.identity, await stored()]).toEqual(['agent-1', []]);
  });

  it('an order accepts identities and names up to the documented length, in any script', async () => {
    const [to, name] = ['🤖'.repeat(256), '🦾'.repeat(64)];
    service.sfu.identities.push(to);
    expect((await order({ to, name })).body).toMatchObject({ driver: { identity: to } });
  });

  it('only the owner can give an order', async () => {
    expect((await order({ to: null }, { key: service.keys[1] })).body.code).toBe('robot.not_found');
    expect((await order({ to: null }, { key: null })).status).toBe(401);
    expect([runtime.driver?.identity, await stored()]).toEqual(['agent-1', []]);
  });

  it('an order for an absent participant, a viewer or the runtime is refused', async () => {
    service.sfu.identities.push('eye');
    service.sfu.watchers.add('eye');
    for (const to of ['nobody', 'eye', `simplesim:${id}`])
      expect((await order({ to })).body, to).toMatchObject({ code: 'control.no_driver', details: { fields: ['to'] } });
    expect(await stored()).toEqual([]);
  });

  it('an order reports a missing session, a missing runtime, and a runtime without support for orders', async () => {
    service.sfu.answer = () => JSON.stringify({ robot: { extra: { driver: null } } });
    expect((await order({ to: null })).body.code).toBe('control.unsupported');
    service.sfu.identities = ['olga'];
    expect((await order({ to: null })).body.code).toBe('runtime.not_present');
    await service.send('DELETE', `/v1/robots/${id}/session`);
    expect((await order({ to: null })).body.code).toBe('session.not_found');
    expect(await stored()).toEqual([]);
  });

  it('an order reports that the runtime did not answer, and whether the order is still valid', async () => {
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
    'a runtime whose state is malformed does not count as obeying: %j',
    async (reply) => {
      service.sfu.answer = () => reply;
      expect([409, 504]).toContain((await order({ to: null })).status);
      expect(await stored()).toEqual([]);
    },
  );

  it('a new order is given if the runtime received the first one too late, as after its restart', async () => {
    runtime.outcomes = ['late', 'late'];
    expect((await order({ to: 'olga' })).body).toMatchObject({ driver: { identity: 'olga' } });
    expect(runtime.heard.map(({ outcome }) => outcome)).toEqual(['late', 'late', 'obeyed']);
  });

  it('an order is repeated if another instance overwrote it with older metadata', async () => {
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

  it('an order is removed from the metadata when it expires, and appears in no other session', async () => {
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

  it('an order is removed later if the SFU is unreachable at its end', async () => {
    await order({ to: null });
    await end();
    service.sfu.failing.add('ensureRoom');
    await clearEndedOrders(service.deps);
    expect(await stored()).toHaveLength(1);
    service.sfu.failing.clear();
    await clearEndedOrders(service.deps);
    expect([inRoom(), await stored()]).toEqual([null, []]);
  });

  it('an order is obeyed once even if the service dies before it answers', async () => {
    // The service dies after it has written to the room; nothing runs after that.
    service.sfu.answer = (call) => (inRoom() ? new Promise(() => {}) : runtime.answer(call));
    void order({ to: 'olga' });
    await vi.waitFor(() => expect(inRoom()).not.toBeNull());
    runtime.hear([...service.sfu.rooms.values()].at(-1) ?? '');
    expect(runtime.driver?.identity).toBe('olga');
    // The next instance makes the rooms again; then another participant drives.
    await reopenRooms(service.deps);
    runtime.driver = driverOf('agent-2');
    runtime.hear([...service.sfu.rooms.values()].at(-1) ?? '');
    expect(runtime.driver.identity).toBe('agent-2');
    await end();
    await clearEndedOrders(service.deps);
    expect(inRoom()).toBeNull();
  });

  it('an order of a service that dies before it writes to the room is written by another instance', async () => {
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
    await sendLivingOrders(service.deps);
    expect(inRoom()).toMatchObject({ order_id: 'order-1' });
    await end();
    await sendLivingOrders(service.deps);
    await clearEndedOrders(service.deps);
    expect(inRoom()).toBeNull();
  });

  it('an order does not depend on the clock of the service, which may be a year off or set meanwhile', async () => {
    const yearMs = 365 * 24 * 3_600_000;
    for (const byMs of [yearMs, -2 * yearMs]) {
      service.clock.setBackMs(byMs);
      expect((await order({ to: 'olga' })).body).toMatchObject({ driver: { identity: 'olga' } });
      await clearEndedOrders(service.deps);
      expect(inRoom()).not.toBeNull();
      expect((await order({ to: null })).body).toMatchObject({ driver: null });
    }
  });

  it('many concurrent orders are answered one after the other, and the last one counts', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => order({ to: n % 2 ? 'olga' : 'agent-1' })));
    for (const [n, { status, body }] of answers.entries()) {
      expect(status).toBe(200);
      expect(body.driver.identity).toBe(n % 2 ? 'olga' : 'agent-1');
    }
    // The database decides which one is last: concurrent requests overtake each other on their way to it.
    const [last, ...more] = await stored();
    expect(more).toEqual([]);
    expect(runtime.driver?.identity).toBe(last?.driver?.identity);
  });

  it('of a flood of orders, only as many are admitted as an account may have in progress', async () => {
    const { settings } = service.deps;
    service.deps.settings = { ...settings, accountLimits: { ...settings.accountLimits, requestsAtOnce: 5 } };
    try {
      const answers = await Promise.all(Array.from({ length: 50 }, () => order({ to: null })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    } finally {
      service.deps.settings = settings;
    }
  });

  it('an order is logged with the account and the driver, and without names', async () => {
    await order({ to: 'olga', name: 'Private Name' });
    expect(service.log.find(({ event }) => event === 'owner_order')).toMatchObject({ robot_id: id, driver: 'olga' });
    expect(JSON.stringify(service.log)).not.toContain('Private');
  });

  it('an order is deleted with its robot', async () => {
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

  it('two instances that order at once each report the driver, or that the other order counts, without a timeout', async () => {
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
