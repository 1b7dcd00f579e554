import { ownerOrderOf } from '../../../src/protocol/wire/owner-order.ts';

/** Returns the state about orders that a runtime reports if it obeys its owner. @param metadata the metadata of its room */
export function obedientExtra(metadata: string): Record<string, unknown> {
  const order = ownerOrderOf(metadata);
  const heard = order ? [{ order_id: order.order_id, outcome: 'obeyed' }] : [];
  const driver = order?.driver ? { name: order.driver.identity, ...order.driver, since_ms: 1 } : null;
  return { driver, owner_orders: { ticket: 'life@1', heard } };
}
