import { z } from 'zod';
import { DRIVER_KINDS, DRIVER_NAME_MAX_CHARS } from './driver.ts';

/**
 * The order of a robot's owner: who drives from now on. It stands in the metadata of the room, which only the control service
 * writes. No clock of the service counts in it: it names a ticket that the runtime gave, and with that a moment on the runtime's own clock.
 */

/** A runtime obeys no order whose ticket is older than this, milliseconds. */
export const ORDER_LIFE_MS = 10_000;
/** An order puts out who drove when its ticket was given, and who came to drive within this time after that, milliseconds; nobody later. */
export const ORDER_REACH_MS = 1_000;
/** The last orders that a state tells of. */
export const ORDERS_TOLD = 4;
const ORDER_ID_MAX_CHARS = 64;
const TICKET_MAX_CHARS = 128;
/** In JavaScript's count; the service counts Unicode's. */
const IDENTITY_MAX_CHARS = 512;

/** Who ordered a change of the driver, where neither of the two did; a word of the wire. */
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
    .describe('who drives from now on; null: nobody'),
});
/** An order of the robot's owner, as the metadata of the room has it. */
export type OwnerOrder = z.infer<typeof ownerOrderSchema>;

/**
 * What became of an order that a runtime heard: `late` when it names another life of the runtime or was heard too late, or another
 * has come to drive since; `overtaken` when a newer one was obeyed before.
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

/** Returns the ticket of a moment. @param lifeId of the runtime, another one after each start @param nowMs on its own clock, which nobody sets */
export const orderTicket = (lifeId: string, nowMs: number): string => `${lifeId}@${Math.floor(nowMs)}`;

/** Returns the moment of a ticket on the clock of the runtime of this life; null for a ticket of another. */
export function momentOfTicket(lifeId: string, ticket: string): number | null {
  if (!ticket.startsWith(`${lifeId}@`)) return null;
  const moment = ticket.slice(lifeId.length + 1);
  return /^\d{1,15}$/.test(moment) ? Number(moment) : null;
}

/** Returns the order that a room's metadata has; null for none, and for metadata that cannot be read. */
export function ownerOrderOf(metadata: string): OwnerOrder | null {
  try {
    const read = ownerOrderSchema.safeParse((JSON.parse(metadata) as { owner_order?: unknown } | null)?.owner_order);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
