/** The library’s side of the lease, over a real runtime in memory whose clock the test controls. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ControlLease, type DriverChanged, NotControllerError } from '../../src/client/index.ts';
import { CANCELS_REPORTED_FROM, EVENTS_TOPIC } from '../../src/protocol/room/room-events.ts';
import { DRIVER_RENEW_MS, DRIVER_SILENT_MS, type DriverKind, LEASE_CHANGES_AT_ONCE_MAX } from '../../src/protocol/wire/driver.ts';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';
import { fakeFetch, SESSION } from './helpers/fake-fetch.ts';
import { FakeRoom } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

const RUNTIME = 'simplesim:r1';
let t: TestRuntime;

beforeEach(async () => {
  t = await createTestRuntime();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

/** A session of this name in the robot’s room. With `deaf`, no event reaches it. */
async function joined(identity: string, deaf = false, token?: string) {
  let reported = 0;
  let isLost = false;
  const room = new FakeRoom(({ method, payload }) => {
    if (isLost) return 'silence';
    const { reply } = t.send(method, payload, identity);
    notifyAll();
    return { reply };
  });
  const hear = (): void => {
    const fresh = t.events.slice(reported);
    reported = t.events.length;
    for (const event of fresh) if (!deaf) room.send(RUNTIME, EVENTS_TOPIC, JSON.stringify(event));
  };
  hearers.add(hear);
  const orders: unknown[] = [];
  const { fetch: inner } = fakeFetch({ body: { ...SESSION, ...(token ? { participant_token: token } : {}) } }, { status: 204 });
  /** The service, whose orders the robot obeys at once. */
  const service: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('/session/control')) return inner(input, init);
    const order = JSON.parse(String(init?.body));
    orders.push(order);
    obey(order.to, order);
    return new Response(JSON.stringify({ robot_id: 'r1', driver: null, previous: null }));
  };
  const { session, warnings } = await fakeSession(room, {}, service);
  return {
    room,
    orders,
    session,
    warnings,
    lose: () => {
      isLost = true;
    },
  };
}
let ordered = 0;
function obey(to: string, { name, kind = 'program' }: { name?: string; kind?: DriverKind } = {}): void {
  ordered += 1;
  const { ticket } = t.read('runtime.state').robot.extra.owner_orders;
  const driver = { identity: to, kind, ...(name ? { name } : {}) };
  t.runtime.obeyOwner({ order_id: `order-${ordered}`, ticket, driver }, t.nowMs);
  notifyAll();
}
const tokenOf = (sub: string): string => `e30.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.signature`;
const hearers = new Set<() => void>();
const notifyAll = (): void => {
  for (const hear of hearers) hear();
};
afterEach(() => hearers.clear());

/** Advances the time of the robot and its clients. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    t.nowMs += 100;
    t.runtime.step(t.nowMs);
    notifyAll();
    await vi.advanceTimersByTimeAsync(100);
  }
}
const driverNow = () => t.read('runtime.state').robot.extra.driver?.identity ?? null;

describe('a session that drives', () => {
  it('a session takes the robot, holds it automatically for as long as necessary, and releases it once', async () => {
    const { session, room } = await joined('me');
    expect(await session.driver()).toBeNull();
    const lease = await session.takeControl({ name: 'Ann', kind: 'person' });
    expect(lease.isHeld).toBe(true);
    expect(await session.driver()).toMatchObject({ identity: 'me', name: 'Ann', kind: 'person' });
    await pass(3 * DRIVER_SILENT_MS.simulator);
    expect(driverNow()).toBe('me');
    await lease.release();
    expect(await lease.ended).toEqual({ driver: null, why: 'released' });
    const calls = room.of('runtime.control').length;
    await lease.release();
    await pass(3 * DRIVER_RENEW_MS);
    expect(room.of('runtime.control')).toHaveLength(calls);
    expect(driverNow()).toBeNull();
  });

  it('a session learns in an error of its own class that another driver has the robot', async () => {
    const [one, two] = [await joined('one'), await joined('two')];
    await one.session.takeControl({ name: 'Ann' });
    for (const refused of [two.session.takeControl(), two.session.invoke('set_head', { yaw: 0.1 })]) {
      const error = await refused.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotControllerError);
      expect(error).toMatchObject({
        code: 'NOT_CONTROLLER',
        driver: { identity: 'one', name: 'Ann' },
        name: 'NotControllerError',
      });
    }
  });

  it('a session is notified of a participant that stops actions of others repeatedly', async () => {
    const [one, two] = [await joined('one'), await joined('two')];
    await one.session.takeControl();
    const hearing = new Promise((resolve) => one.session.onCancelsRepeated(resolve));
    for (let i = 0; i < CANCELS_REPORTED_FROM; i += 1) {
      t.start('set_velocity', { vx: 0.2, duration_s: 5 }, undefined, 'one');
      expect(await two.session.cancelAction('cancel-active')).toMatchObject({
        error: { code: 'CANCELLED', details: { cancelled_by: 'two' } },
      });
    }
    expect(await hearing).toMatchObject({ by: { identity: 'two' }, cancelled: CANCELS_REPORTED_FROM, last: { caller: 'one' } });
  });

  it('a session hands over: the driver learns who asks, gives the robot, and both know the result', async () => {
    const [one, two] = [await joined('one'), await joined('two')];
    const lease = await one.session.takeControl();
    one.session.onControlAsked(({ asker }) => void lease.give(asker.identity ?? undefined));
    const changes: DriverChanged[] = [];
    const stop = two.session.onDriverChanged((event) => void changes.push(event));
    const asked = two.session.askForControl({ name: 'Bob', timeoutMs: 60_000 });
    await pass(100);
    const next = await asked;
    expect(await lease.ended).toMatchObject({ why: 'given', driver: { identity: 'two', name: 'Bob' } });
    expect(driverNow()).toBe('two');
    expect(changes).toMatchObject([{ why: 'given', driver: { identity: 'two' }, previous: { identity: 'one' } }]);
    stop();
    await next.release();
    expect(changes).toHaveLength(1);
  });

  it('a session gets the requested robot without any event, when the driver is silent', async () => {
    const [one, two] = [await joined('one', true), await joined('two', true)];
    await one.session.takeControl();
    one.lose();
    const asked = two.session.askForControl({ timeoutMs: 60_000 });
    await pass(DRIVER_SILENT_MS.simulator + 2 * DRIVER_RENEW_MS);
    expect((await asked).isHeld).toBe(true);
    expect(driverNow()).toBe('two');
  });

  it('a session withdraws its request when no one hands over in time, or when its caller gives up', async () => {
    const [one, two] = [await joined('one'), await joined('two')];
    await one.session.takeControl();
    const giveUp = new AbortController();
    const late = expect(two.session.askForControl({ timeoutMs: 4_000 })).rejects.toThrow(
      'No one handed over the robot within 4 s.',
    );
    await pass(5_000);
    await late;
    const aborted = expect(two.session.askForControl({ signal: giveUp.signal })).rejects.toThrow('no more');
    await pass(200);
    expect(t.read('runtime.state').robot.extra.driver.asked_by).toHaveLength(1);
    giveUp.abort(new Error('no more'));
    await pass(200);
    await aborted;
    expect(t.read('runtime.state').robot.extra.driver.asked_by).toEqual([]);
  });

  it.each([
    ['by an event', false],
    ['by its next renewal', true],
  ])('a session learns %s that the person at the page took over', async (_, deaf) => {
    const { session } = await joined('me', deaf);
    const lease = await session.takeControl();
    const payload = JSON.stringify({ action: 'take' });
    t.runtime.handle({ requestId: 'p', method: 'runtime.control', payload, callerIdentity: null, nowMs: t.nowMs }, () => {});
    await pass(2 * DRIVER_RENEW_MS);
    expect(await lease.ended).toMatchObject({ driver: { identity: null, kind: 'person' }, why: 'taken_over' });
    expect(lease.isHeld).toBe(false);
    await expect(lease.give()).rejects.toBeInstanceOf(NotControllerError);
  });

  it('a session takes over from another by an order over HTTP for its own identity, and holds the robot automatically', async () => {
    const { session, orders } = await joined('me', false, tokenOf('me'));
    t.send('runtime.control', { action: 'take', name: 'Ben' }, 'ben');
    await expect(session.takeControl()).rejects.toBeInstanceOf(NotControllerError);
    expect(orders).toEqual([]);
    const lease = await session.takeControl({ over: true, name: 'Olga', kind: 'person' });
    expect(orders).toEqual([{ to: 'me', name: 'Olga', kind: 'person' }]);
    await pass(2 * DRIVER_SILENT_MS.simulator);
    expect([lease.isHeld, driverNow()]).toEqual([true, 'me']);
    // While it drives, or no one drives, nothing is ordered.
    await session.takeControl({ over: true });
    expect(orders).toHaveLength(1);
    obey('eve');
    await pass(200);
    expect(await lease.ended).toMatchObject({ driver: { identity: 'eve' }, why: 'taken_over', by: 'owner' });
    await pass(3 * DRIVER_RENEW_MS);
    expect(driverNow()).toBe('eve');
  });

  it('a session that has taken the robot too often is still its driver', async () => {
    const { session, orders } = await joined('me', false, tokenOf('me'));
    for (let turn = 0; turn < LEASE_CHANGES_AT_ONCE_MAX; turn += 1) await (await session.takeControl()).release();
    await expect(session.takeControl()).rejects.toMatchObject({ code: 'BUSY' });
    const lease = await session.takeControl({ over: true });
    expect(orders).toHaveLength(1);
    expect([lease.isHeld, driverNow()]).toEqual([true, 'me']);
  });

  it('a session learns by its renewal that the owner took it over, if no event arrived', async () => {
    const { session } = await joined('me', true);
    const lease = await session.takeControl();
    obey('eve');
    await pass(2 * DRIVER_RENEW_MS);
    expect(await lease.ended).toMatchObject({ driver: { identity: 'eve' }, why: 'taken_over', by: 'owner' });
  });

  it('a session reports that its token names no identity, before it orders anything', async () => {
    const { session, orders } = await joined('me');
    t.send('runtime.control', { action: 'take' }, 'ben');
    await expect(session.takeControl({ over: true })).rejects.toThrow('names no identity');
    expect(orders).toEqual([]);
  });

  it('a session learns from a restarted robot that no one drives', async () => {
    const { session } = await joined('me');
    const lease = await session.takeControl();
    const nowMs = t.nowMs;
    t = await createTestRuntime();
    t.nowMs = nowMs;
    await pass(2 * DRIVER_RENEW_MS);
    expect(await lease.ended).toEqual({ driver: null, why: null });
  });

  it('a session keeps the lease while replies are lost for a while, and does not repeat a handover', async () => {
    const { session, room } = await joined('me');
    const [lease, other] = [await session.takeControl(), await joined('other')];
    t.send('runtime.control', { action: 'ask' }, 'other');
    const call = room.call.bind(room);
    let lost = 2;
    room.call = async (request) => {
      const reply = await call(request);
      if (lost > 0 && request.method === 'runtime.control') {
        lost -= 1;
        return new Promise(() => {});
      }
      return reply;
    };
    await pass(6_000);
    expect(lease.isHeld).toBe(true);
    lost = 1;
    t.send('runtime.control', { action: 'ask' }, 'other');
    const given = lease.give('other');
    await pass(7_000);
    await given;
    expect(driverNow()).toBe('other');
    await other.session.disconnect();
  });

  it('a session ignores events from participants other than the robot', async () => {
    const { session, room } = await joined('me');
    const lease = await session.takeControl();
    const reported: unknown[] = [];
    session.onDriverChanged((event) => void reported.push(event));
    const forged = { type: 'driver_changed', at_ms: 1, driver: null, previous: null, why: 'silent' };
    for (const from of ['eve', 'simplesimx', '']) room.send(from, EVENTS_TOPIC, JSON.stringify(forged));
    for (const text of ['', 'null', '[]', '{"type":"driver_changed"}', '{"type":"unheard_of"}'])
      room.send(RUNTIME, EVENTS_TOPIC, text);
    await pass(100);
    expect(reported).toEqual([]);
    expect(lease.isHeld).toBe(true);
  });

  it('a session releases the robot when it is left', async () => {
    const { session, room } = await joined('me');
    const lease: ControlLease = await session.takeControl();
    await session.disconnect();
    expect(room.of('runtime.control').at(-1)?.payload).toEqual({ action: 'release' });
    expect(await lease.ended).toEqual({ driver: null, why: 'released' });
    expect(driverNow()).toBeNull();
  });

  it('a listener that throws is reported to the logger, and affects nothing else', async () => {
    const { session, warnings } = await joined('me');
    const reported: string[] = [];
    session.onDriverChanged(() => {
      throw new Error('mine');
    });
    session.onDriverChanged(({ why }) => void reported.push(why));
    await using _lease = await session.takeControl();
    await pass(100);
    expect(reported).toEqual(['taken']);
    expect(warnings).toHaveLength(1);
  });
});
