import type { Caller } from '../protocol/wire/caller.ts';
import type { DriverChange, DriverKind } from '../protocol/wire/driver.ts';
import type { OwnerOrders } from '../protocol/wire/owner-order.ts';

/** A participant that asks for the lease. */
export interface Asking {
  /** As `driverKey` returns it. */
  readonly key: string;
  readonly by: Caller;
  readonly name: string;
  readonly kind: DriverKind;
  /** Since when, milliseconds since the epoch on the wall clock. */
  readonly sinceMs: number;
  /** The last sign of life, on the runtime's own clock. */
  heardAtMs: number;
}

/** The one who drives. */
export interface Holder extends Asking {
  /** Start of the lease on the runtime's own clock. If the owner ordered it, the time of the order. */
  tookAtMs: number;
}

/** The orders of the owner, as far as they are remembered. */
export interface HeardOrders {
  heard: OwnerOrders['heard'];
  /** The moment of the newest that was obeyed, on the runtime's own clock. */
  obeyedMs: number;
}

/** How a driver lost the lease. */
export interface Lost {
  /** As `driverKey` returns it. */
  readonly key: string;
  readonly why: DriverChange;
  /** The participant that ordered the change, if it was neither the old nor the new driver. */
  readonly by: string | undefined;
}

/** A takeover, or a new request for the lease. */
export interface LeaseChange {
  /** As `driverKey` returns it. */
  readonly key: string;
  readonly atMs: number;
}

/** The driver and the requests for the lease, between two steps. After a restart no one drives. */
export interface Lease {
  holder: Holder | null;
  /** Requests for the lease, oldest first; empty while no one drives. */
  askers: Asking[];
  /** The orders of the owner that were heard. */
  readonly orders: HeardOrders;
  /** The last driver that lost the lease, and how. A driver that missed the event learns it when it renews. */
  lost: Lost | null;
  /** Takeovers and new requests of the last seconds, oldest first. */
  changes: LeaseChange[];
}

/** Returns a lease without a driver and without requests. */
export const createLease = (): Lease => ({
  holder: null,
  askers: [],
  orders: { heard: [], obeyedMs: 0 },
  lost: null,
  changes: [],
});
