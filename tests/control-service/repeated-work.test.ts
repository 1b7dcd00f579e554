import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ownerOrders } from '../../src/control-service/db/schema.ts';
import type { ServiceDeps } from '../../src/control-service/deps.ts';
import { KeyWatch } from '../../src/control-service/key-watch.ts';
import { endIdleSessions } from '../../src/control-service/operations/idle-sessions.ts';
import { keepLatchedStops, LatchedStops } from '../../src/control-service/operations/latched-stops.ts';
import { clearEndedOrders, keepOrdersNew, sendLivingOrders } from '../../src/control-service/operations/owner-orders.ts';
import { createService } from '../../src/control-service/service.ts';
import { startTestService, type TestService } from './helpers/service.ts';

/** Repeated work logs its first failure and its recovery, and nothing in between. */

let service: TestService;
let deps: ServiceDeps;
let id: string;
beforeAll(async () => {
  service = await startTestService();
}, 120_000);
beforeEach(async () => {
  await service.reset();
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  id = created.body.result.id;
  await service.send('POST', `/v1/robots/${id}/session`);
  deps = createService(service.deps);
  service.log.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => service.close());

const traces = () =>
  service.log
    .filter(({ event }) => event.startsWith('repeated_work'))
    .map(({ level, event, work, robot_id: robotId }) => [level, event, work, robotId]);
const brokenDb = new Proxy({} as ServiceDeps['db'], {
  get() {
    throw new TypeError('a secret');
  },
});

it.each([
  ['latched_stops', keepLatchedStops],
  ['owner_orders', keepOrdersNew],
  ['idle_sessions', endIdleSessions],
] as const)('a broken query of %s is logged once, without its text, and so is its recovery', async (work, keep) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  deps.db = brokenDb;
  const stop = keep(deps);
  for (let k = 0; k < 3; k += 1) await vi.advanceTimersByTimeAsync(5_000);
  expect(traces()).toEqual([['error', 'repeated_work_failed', work, undefined]]);
  expect(service.log[0]).toMatchObject({ error: 'TypeError' });
  expect(JSON.stringify(service.log)).not.toContain('a secret');
  deps.db = service.deps.db;
  await vi.advanceTimersByTimeAsync(5_000);
  await stop();
  expect(traces().slice(1)).toEqual([['info', 'repeated_work_recovered', work, undefined]]);
});

it('a failed check of keys is logged once, and so is its recovery', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  deps.db = brokenDb;
  const wait = new KeyWatch(deps, 1_000).watch('k');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(traces()).toEqual([['error', 'repeated_work_failed', 'key_watch', undefined]]);
  const known = async () => [{ id: 'k', revokedAt: null, expiresAt: null }];
  deps.db = { select: () => ({ from: () => ({ where: known }) }) } as unknown as ServiceDeps['db'];
  await vi.advanceTimersByTimeAsync(3_000);
  expect(traces().slice(1)).toEqual([['info', 'repeated_work_recovered', 'key_watch', undefined]]);
  wait.over();
});

it('a latched robot that cannot be checked is named in the log, once each time', async () => {
  const stops = new LatchedStops(deps);
  await service.send('POST', `/v1/robots/${id}/emergency-stop`);
  const failed = ['warn', 'repeated_work_failed', 'latched_stops', id];
  const recovered = ['info', 'repeated_work_recovered', 'latched_stops', id];
  service.sfu.failing.add('listParticipants');
  for (let k = 0; k < 3; k += 1) await stops.tick();
  expect(traces()).toEqual([failed]);
  service.sfu.failing.clear();
  for (let k = 0; k < 3; k += 1) await stops.tick();
  expect(traces()).toEqual([failed, recovered]);
  service.sfu.failing.add('listParticipants');
  await stops.tick();
  // Without a session there is nothing to check, and nothing that recovers; the next failure is a new one.
  await service.send('DELETE', `/v1/robots/${id}/session`);
  await stops.tick();
  await service.send('POST', `/v1/robots/${id}/session`);
  await stops.tick();
  expect(traces()).toEqual([failed, recovered, failed, failed]);
});

it.each([
  ['living_orders', sendLivingOrders, '1 hour'],
  ['ended_orders', clearEndedOrders, '-1 hour'],
] as const)('a room that cannot be reached by %s is logged once, with its robot', async (work, report, endsIn) => {
  const [roomName = ''] = service.sfu.rooms.keys();
  const endsAt = sql`now() + ${endsIn}::interval`;
  await deps.db.insert(ownerOrders).values({ robotId: id, roomName, orderId: 'o', ticket: 't', driver: null, endsAt });
  service.sfu.failing.add('ensureRoom');
  for (let k = 0; k < 3; k += 1) await report(deps);
  expect(traces()).toEqual([['warn', 'repeated_work_failed', work, id]]);
  service.sfu.failing.clear();
  await report(deps);
  expect(traces().slice(1)).toEqual([['info', 'repeated_work_recovered', work, id]]);
});
