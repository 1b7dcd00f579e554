import { z } from 'zod';
import { DRIVER_CHANGES, driverFactsSchema, driverSchema } from '../wire/driver.ts';
import { latchedStateSchema } from '../wire/emergency-stop.ts';

/**
 * Messages that a runtime sends to its whole room without a request: reliable data packets of one JSON text each. A participant
 * that missed one reads the state.
 */

/** The topic of the packets. */
export const EVENTS_TOPIC = 'simplesim.events';

const atMs = z.int().describe('when, milliseconds since the epoch');

/** The driver changed, or there is none any more. */
const driverChangedSchema = z.object({
  type: z.literal('driver_changed'),
  at_ms: atMs,
  driver: driverSchema.nullable().describe('who drives now; null: no one'),
  previous: driverFactsSchema.nullable().describe('who drove until now; null: no one'),
  why: z.enum(DRIVER_CHANGES).describe('how it came to that'),
  by: z
    .string()
    .optional()
    .describe('who ordered it, where neither of the two did: `owner`, with a key of the account, over HTTP'),
});
/** The driver changed, or there is none any more: who, who before, why and when. */
export type DriverChanged = z.infer<typeof driverChangedSchema>;

/** A caller asks the driver for the robot. */
const controlAskedSchema = z.object({
  type: z.literal('control_asked'),
  at_ms: atMs,
  asker: driverFactsSchema.describe('who asks'),
  driver: driverSchema.describe('who drives and is asked'),
});
/** A caller asks the driver for the robot: who, whom and when. */
export type ControlAsked = z.infer<typeof controlAskedSchema>;

/** The room is notified of a participant that has stopped this many actions of others within {@link CANCELS_WITHIN_MS}. */
export const CANCELS_REPORTED_FROM = 8;
export const CANCELS_WITHIN_MS = 10_000;

/** A participant repeatedly stops actions of others. */
const cancelsRepeatedSchema = z.object({
  type: z.literal('cancels_repeated'),
  at_ms: atMs,
  by: z
    .object({ identity: z.string().describe('identity in the room, which the SFU vouches for'), name: z.string() })
    .describe('who stops them; not the one who drives'),
  cancelled: z.int().describe('actions of others that it stopped within the time'),
  within_ms: z.int().describe('the time, milliseconds'),
  last: z
    .object({ action_id: z.string(), name: z.string(), caller: z.string().describe('whose action it was') })
    .describe('the last one of them'),
});
/** A participant repeatedly stops actions of others: who, how often, and the last of these actions. */
export type CancelsRepeated = z.infer<typeof cancelsRepeatedSchema>;

const emergencyEventSchema = z.object({
  type: z.literal('emergency_stop'),
  at_ms: atMs,
  emergency_stop: latchedStateSchema.nullable().describe('the latched emergency stop; null: a person has released it'),
});

export const roomEventSchema = z.discriminatedUnion('type', [
  driverChangedSchema,
  controlAskedSchema,
  cancelsRepeatedSchema,
  emergencyEventSchema,
]);
export type RoomEvent = z.infer<typeof roomEventSchema>;

/** Longer than any event of ours. */
const EVENT_MAX_CHARS = 15_360;

/** Reads the text of a packet; null for anything but an event that this version knows. */
export function readRoomEvent(text: string): RoomEvent | null {
  if (text.length > EVENT_MAX_CHARS) return null;
  try {
    const read = roomEventSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
