import type { Caller } from '../protocol/caller.ts';
import type { DriverChange, DriverKind } from '../protocol/driver.ts';
import type { OwnerOrders } from '../protocol/owner-order.ts';

/** One that asks for the lease. */
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
  /** Since when, on the runtime's own clock; by an order of the owner: since it was given. */
  tookAtMs: number;
}

/** The orders of the owner, as far as they are remembered. */
export interface HeardOrders {
  heard: OwnerOrders['heard'];
  /** The moment of the newest that was obeyed, on the runtime's own clock. */
  obeyedMs: number;
}

/** How one lost the lease. */
export interface Lost {
  /** As `driverKey` returns it. */
  readonly key: string;
  readonly why: DriverChange;
  /** Who ordered it, if neither of the two did. */
  readonly by: string | undefined;
}

/** A take, or a question that is new. */
export interface Turn {
  /** As `driverKey` returns it. */
  readonly key: string;
  readonly atMs: number;
}

/** Who drives and who asks for it, between two steps. It outlives no restart: nobody drives then. */
export interface Lease {
  holder: Holder | null;
  /** The first who asked first; none while nobody drives. */
  askers: Asking[];
  /** The orders of the owner that were heard. */
  readonly orders: HeardOrders;
  /** The last one who lost it, and how: who missed the event learns it by a renewal. */
  lost: Lost | null;
  /** The changes of hands of the last seconds, the oldest first. */
  turns: Turn[];
}

/** Returns a robot that nobody drives and nobody has asked for. */
export const createLease = (): Lease => ({ holder: null, askers: [], orders: { heard: [], obeyedMs: 0 }, lost: null, turns: [] });
