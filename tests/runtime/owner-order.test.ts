import { describe, expect, it } from 'vitest';
import { ORDER_LIFE_MS, ORDER_REACH_MS, type OwnerOrder, ownerOrderOf } from '../../src/protocol/wire/owner-order.ts';
import { seeded } from '../oracle/chance.ts';
import { advanceMs, createRcw } from './rcw/rcw-runtime.ts';
import { createTestRuntime, entity, LIFE_ID, type Reply, type TestRuntime } from './test-runtime.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
const extra = (t: TestRuntime) => t.read('runtime.state').robot.extra;
const ticketOf = (t: TestRuntime): string => extra(t).owner_orders.ticket;
const driving = (t: TestRuntime): string | undefined => extra(t).driver?.identity;
const control = (t: TestRuntime, caller: string, action: string, more = {}): Reply =>
  t.send('runtime.control', { action, ...more }, caller).reply;
const outcome = (t: TestRuntime, id: string): string | undefined =>
  extra(t).owner_orders.heard.findLast(({ order_id }: { order_id: string }) => order_id === id)?.outcome;

let ids = 0;
/** An order as the service writes it at present. @param to identity of the new driver, null for no one */
function order(t: TestRuntime, to: string | null, ticket = ticketOf(t)): OwnerOrder {
  ids += 1;
  return { order_id: `order-${ids}`, ticket, driver: to === null ? null : { identity: to, name: 'Olga', kind: 'person' } };
}
const hear = (t: TestRuntime, heard: OwnerOrder): string | undefined => {
  t.runtime.obeyOwner(heard, t.nowMs);
  return outcome(t, heard.order_id);
};

describe("the owner's order about the driver", () => {
  it('an order without a driver displaces the driver: its walk ends with NOT_CONTROLLER, the body stands, and all learn who ordered it', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take', { name: 'Ann', kind: 'agent' });
    const walk = t.start('go_to', entity('pad_A'), undefined, 'ann');
    t.advance(120);
    expect(hear(t, order(t, null))).toBe('obeyed');
    const ended = t.finish(walk);
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_CONTROLLER', details: { lost_by: 'taken_over', by: 'owner', driver: null } },
    });
    expect(ended.error.message).toContain('the owner of the robot took it over');
    t.stepUntil(() => t.read('runtime.state').robot.status === 'ready');
    expect(t.events.at(-1)).toMatchObject({
      type: 'driver_changed',
      why: 'taken_over',
      by: 'owner',
      driver: null,
      previous: { identity: 'ann', name: 'Ann' },
    });
    // No one drives, so every caller commands.
    expect(t.finish(t.start('set_head', { yaw: 0 }, undefined, 'ben')).status).toBe('done');
  });

  it('an order makes another caller the driver, who renews like any driver; the displaced one is rejected and cannot retake', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take');
    expect(hear(t, order(t, 'olga'))).toBe('obeyed');
    expect(extra(t).driver).toMatchObject({ identity: 'olga', name: 'Olga', kind: 'person' });
    expect(t.events.at(-1)).toMatchObject({ why: 'taken_over', by: 'owner', driver: { identity: 'olga' } });
    expect(control(t, 'ann', 'renew').error).toMatchObject({
      code: 'NOT_CONTROLLER',
      details: { lost_by: 'taken_over', by: 'owner', driver: { identity: 'olga' } },
    });
    expect(control(t, 'ben', 'renew').error.details).not.toHaveProperty('lost_by');
    expect(control(t, 'ann', 'take').error.code).toBe('NOT_CONTROLLER');
    expect(control(t, 'olga', 'take').result.you_drive).toBe(true);
    expect(control(t, 'olga', 'renew').result.you_drive).toBe(true);
    expect(t.finish(t.start('set_head', { yaw: 0 }, undefined, 'olga')).status).toBe('done');
  });

  it('an order takes a robot without a driver, and is reported; for the present driver it changes and reports nothing', async () => {
    const t = await createTestRuntime();
    expect(hear(t, order(t, null))).toBe('obeyed');
    expect(t.events).toEqual([]);
    expect(hear(t, order(t, 'olga'))).toBe('obeyed');
    expect(t.events).toMatchObject([{ why: 'taken', by: 'owner', driver: { identity: 'olga' }, previous: null }]);
    expect(hear(t, order(t, 'olga'))).toBe('obeyed');
    expect(t.events).toHaveLength(1);
  });

  it('an ordered lease ends after the silence of its driver, like any lease', async () => {
    const t = await createTestRuntime();
    hear(t, order(t, 'olga'));
    t.nowMs += 10_000;
    t.advance(1);
    expect(t.events.at(-1)).toMatchObject({ why: 'silent', driver: null, previous: { identity: 'olga' } });
    expect(t.events.at(-1)).not.toHaveProperty('by');
  });

  it('an order is obeyed once, however often it arrives, and displaces no later driver', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take');
    const once = order(t, null);
    expect(hear(t, once)).toBe('obeyed');
    control(t, 'ben', 'take');
    for (let again = 0; again < 3; again += 1) hear(t, once);
    expect(driving(t)).toBe('ben');
    t.nowMs += ORDER_LIFE_MS - 1;
    control(t, 'ben', 'renew');
    hear(t, once);
    expect(driving(t)).toBe('ben');
  });

  it('a late order is obeyed while the same caller drives, and not for a driver that took over a second later', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take');
    const [slow, slower] = [order(t, null), order(t, 'olga')];
    for (let passedMs = 0; passedMs < ORDER_LIFE_MS - 1_000; passedMs += 1_000) {
      t.nowMs += 1_000;
      control(t, 'ann', 'renew');
    }
    expect(hear(t, slow)).toBe('obeyed');
    control(t, 'ben', 'take');
    expect(hear(t, slower)).toBe('late');
    expect(driving(t)).toBe('ben');
  });

  it('an order displaces two drivers that hand the robot to each other to evade it', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take');
    const aimed = order(t, null);
    for (const [from, to] of [
      ['ann', 'ben'],
      ['ben', 'ann'],
    ] as const) {
      t.nowMs += ORDER_REACH_MS / 2;
      control(t, to, 'ask');
      control(t, from, 'give', { to });
    }
    expect(hear(t, aimed)).toBe('obeyed');
    expect(driving(t)).toBeUndefined();
  });

  it('an order is not obeyed after its life, in another life of the runtime, or with an unknown ticket', async () => {
    const t = await createTestRuntime();
    const old = order(t, 'olga');
    t.nowMs += ORDER_LIFE_MS + 1;
    expect(hear(t, old)).toBe('late');
    const tickets = [
      'another-life@1',
      `${LIFE_ID}@`,
      `${LIFE_ID}@-1`,
      `${LIFE_ID}@1e9`,
      `${LIFE_ID}@${t.nowMs + YEAR_MS}`,
      '',
      LIFE_ID,
    ];
    for (const ticket of tickets) expect(hear(t, order(t, 'olga', ticket)), ticket).toBe('late');
    expect(driving(t)).toBeUndefined();
    // A new one is obeyed all the same.
    expect(hear(t, order(t, 'olga'))).toBe('obeyed');
  });

  it('an order is overtaken by a newer one that arrived first', async () => {
    const t = await createTestRuntime();
    const older = order(t, 'olga');
    t.nowMs += 5;
    const newer = order(t, 'otto');
    expect(hear(t, newer)).toBe('obeyed');
    expect(hear(t, older)).toBe('overtaken');
    expect(driving(t)).toBe('otto');
  });

  it.each([YEAR_MS, -YEAR_MS])(
    'an order uses no foreign clock: the wall clock was set by %i ms during the lease',
    async (byMs) => {
      const t = await createTestRuntime();
      control(t, 'ann', 'take');
      t.runtime.noteWallClock(byMs);
      const ordered = order(t, 'olga');
      t.runtime.noteWallClock(0);
      expect(hear(t, ordered)).toBe('obeyed');
      expect(driving(t)).toBe('olga');
    },
  );

  it('an order ends a velocity that a robot of signed control would hold', async () => {
    const t = await createRcw();
    control(t, 'ann', 'take');
    expect(t.finish(t.start('set_velocity', { vx: 0.5 }, undefined, 'ann')).status).toBe('done');
    advanceMs(t, 300);
    expect(t.read('runtime.state').robot.status).toBe('moving');
    expect(hear(t, order(t, null))).toBe('obeyed');
    advanceMs(t, 2_000);
    expect(extra(t).command).toMatchObject({ vx: 0, vy: 0, wz: 0 });
  });

  it('an order cannot come from a participant of the room: a call that contains one is rejected', async () => {
    const t = await createTestRuntime();
    control(t, 'ann', 'take');
    const forged = order(t, 'eve');
    for (const payload of [{ action: 'take', owner_order: forged }, { owner_order: forged }, forged])
      expect(t.send('runtime.control', payload, 'eve').reply.error.code).toBe('INVALID_INPUT');
    expect(driving(t)).toBe('ann');
  });

  it('among a thousand random orders, sent twice and out of order, the newest that arrived in time decides', async () => {
    const t = await createTestRuntime();
    const chance = seeded(7);
    const written: { order: OwnerOrder; atMs: number }[] = [];
    let [newestMs, wanted] = [0, undefined as string | undefined];
    for (let turn = 0; turn < 1_000; turn += 1) {
      t.nowMs += Math.floor(chance() * 300);
      const to = chance() < 0.3 ? null : `owner-${Math.floor(chance() * 3)}`;
      written.push({ order: order(t, to), atMs: t.nowMs });
      const { order: heard, atMs } = written[Math.max(0, written.length - 1 - Math.floor(chance() * 4))] as (typeof written)[0];
      if (wanted !== undefined) control(t, wanted, 'renew');
      const isNew = outcome(t, heard.order_id) === undefined && atMs >= newestMs;
      const said = hear(t, heard);
      if (isNew) {
        expect(said).toBe('obeyed');
        [newestMs, wanted] = [atMs, heard.driver?.identity];
      }
      expect(driving(t)).toBe(wanted);
    }
  });
});

describe('the order in the metadata of a room', () => {
  it('the order in the metadata is read, or null', () => {
    const good = { order_id: 'o', ticket: 't', driver: { identity: 'ann', kind: 'agent' } };
    expect(ownerOrderOf(JSON.stringify({ owner_order: good }))).toEqual(good);
    expect(ownerOrderOf(JSON.stringify({ owner_order: { ...good, driver: null } }))?.driver).toBeNull();
    const bad: unknown[] = [
      undefined,
      null,
      1,
      {},
      { ...good, driver: undefined },
      { ...good, order_id: '' },
      { ...good, ticket: 7 },
    ];
    for (const owner_order of bad) expect(ownerOrderOf(JSON.stringify({ owner_order }))).toBeNull();
    for (const text of ['', 'null', '[]', '{', '7']) expect(ownerOrderOf(text)).toBeNull();
  });
});
