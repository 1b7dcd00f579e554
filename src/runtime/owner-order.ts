import { driverKey } from '../protocol/wire/driver.ts';
import {
  momentOfTicket,
  ORDER_LIFE_MS,
  ORDER_REACH_MS,
  ORDERS_KEPT,
  type OrderOutcome,
  type OwnerOrder,
  type OwnerOrders,
  orderTicket,
} from '../protocol/wire/owner-order.ts';
import type { RuntimeCore } from './core.ts';
import { expire, handOver } from './lease.ts';

/** Ids that are remembered. An older order comes too late, or a newer one was obeyed. */
const HEARD_MAX = 32;

/**
 * Obeys the order of the robot's owner, once. Whether it is new enough is measured on this runtime's own clock, by the ticket
 * that it gave: a clock of the service that is wrong, an order that comes twice, late or in another order, and a restart change
 * nothing.
 */
export function obey(core: RuntimeCore, { order_id, ticket, driver }: OwnerOrder): void {
  const { orders } = core.lease;
  if (orders.heard.some((one) => one.order_id === order_id)) return;
  expire(core);
  const by = driver && ({ kind: 'participant', identity: driver.identity } as const);
  const momentMs = core.deps.lifeId === undefined ? null : momentOfTicket(core.deps.lifeId, ticket);
  const outcome = judge(core, momentMs, by && driverKey(by));
  orders.heard = [...orders.heard, { order_id, outcome }].slice(-HEARD_MAX);
  if (outcome !== 'obeyed' || momentMs === null) return;
  orders.obeyedMs = momentMs;
  handOver(core, momentMs, driver && by && { ...driver, by });
}

function judge({ lease, nowMs }: RuntimeCore, momentMs: number | null, key: string | null): OrderOutcome {
  if (momentMs === null || momentMs > nowMs) return 'late';
  if (momentMs < lease.orders.obeyedMs) return 'overtaken';
  if (nowMs - momentMs > ORDER_LIFE_MS) return 'late';
  const { holder } = lease;
  return holder !== null && holder.key !== key && holder.tookAtMs > momentMs + ORDER_REACH_MS ? 'late' : 'obeyed';
}

/** Returns the state's part: what an order has to name, and what became of the last ones. */
export function ordersPart({ deps: { lifeId }, lease }: RuntimeCore, nowMs: number): { owner_orders?: OwnerOrders } {
  if (lifeId === undefined) return {};
  return { owner_orders: { ticket: orderTicket(lifeId, nowMs), heard: lease.orders.heard.slice(-ORDERS_KEPT) } };
}
