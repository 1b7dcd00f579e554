import { z } from 'zod';
import { DRIVER_KINDS, DRIVER_NAME_MAX_CHARS } from './driver.ts';

/**
 * The order of a robot's owner: who drives from now on. It is in the metadata of the room, which only the control service writes.
 * The clock of the service is not used: the order names a ticket of the runtime, and with it a moment on the runtime's own clock.
 */

/** A runtime obeys only orders whose ticket is at most this old, milliseconds. */
export const ORDER_LIFE_MS = 10_000;
/**
 * An order displaces the driver at the time of its ticket, and any driver that took over within this time after it, milliseconds;
 * later drivers keep the lease.
 */
export const ORDER_REACH_MS = 1_000;
/** The number of recent orders that a state lists. */
export const ORDERS_KEPT = 4;
const ORDER_ID_MAX_CHARS = 64;
const TICKET_MAX_CHARS = 128;
/** In JavaScript's count; the service counts Unicode characters. */
const IDENTITY_MAX_CHARS = 512;

/** The author of a change of the driver, if neither of the two drivers made it; a value of the wire. */
export const BY_OWNER = 'owner';

export const ownerOrderSchema = z.object({
  order_id: z.string().min(1).max(ORDER_ID_MAX_CHARS).describe('its id; the same one is obeyed once'),
  ticket: z
    .string()
    .min(1)
    .max(TICKET_MAX_CHARS)
    .describe("what the runtime's state had as `owner_orders.ticket` when the owner asked"),
  driver: z
    .object({
      identity: z.string().min(1).max(IDENTITY_MAX_CHARS).describe('identity of the participant in the room'),
      name: z
        .string()
        .max(2 * DRIVER_NAME_MAX_CHARS)
        .optional()
        .describe('a name to show to others; absent: the identity'),
      kind: z.enum(DRIVER_KINDS).describe('what it is'),
    })
    .nullable()
    .describe('who drives from now on; null: no one'),
});
/** An order of the robot's owner, as the metadata of the room has it. */
export type OwnerOrder = z.infer<typeof ownerOrderSchema>;

/**
 * The outcome of an order that a runtime received. `late`: it names another life of the runtime, was received too late, or
 * another driver has taken over since. `overtaken`: a newer order was obeyed before.
 */
const ORDER_OUTCOMES = ['obeyed', 'late', 'overtaken'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];

/** The state's part. */
export const ownerOrdersSchema = z.object({
  ticket: z.string().describe('for an order that is given now; the control service asks for it'),
  heard: z
    .array(z.object({ order_id: z.string().describe('its id'), outcome: z.enum(ORDER_OUTCOMES).describe('what became of it') }))
    .describe('the last orders that were heard, the newest last'),
});
export type OwnerOrders = z.infer<typeof ownerOrdersSchema>;

/**
 * Returns the ticket of a moment. @param lifeId of the runtime, different after each start @param nowMs on its own monotonic
 * clock
 */
export const orderTicket = (lifeId: string, nowMs: number): string => `${lifeId}@${Math.floor(nowMs)}`;

/** Returns the moment of a ticket on the clock of the runtime of this life; null for a ticket of another life. */
export function momentOfTicket(lifeId: string, ticket: string): number | null {
  if (!ticket.startsWith(`${lifeId}@`)) return null;
  const moment = ticket.slice(lifeId.length + 1);
  return /^\d{1,15}$/.test(moment) ? Number(moment) : null;
}

/** Returns the order that a room's metadata has; null if it has none, or cannot be read. */
export function ownerOrderOf(metadata: string): OwnerOrder | null {
  try {
    const read = ownerOrderSchema.safeParse((JSON.parse(metadata) as { owner_order?: unknown } | null)?.owner_order);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
