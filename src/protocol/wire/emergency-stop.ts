import { z } from 'zod';

/**
 * The emergency stop on the wire: any caller that may drive can press it, the runtime latches it, and only a person at its page
 * releases it.
 */

/** The method that presses it. */
export const EMERGENCY_STOP_METHOD = 'runtime.emergency_stop';
/** A longer reason is cut, because a fault in the reason must not prevent a stop. */
export const EMERGENCY_REASON_MAX_CHARS = 200;
export const PRESS_ID_MAX_CHARS = 64;
const PRESSER_NAME_MAX_CHARS = 256;
/** A press is answered when the robot stands still, or after this long, milliseconds. */
export const EMERGENCY_ANSWER_MAX_MS = 2_000;

/** Returns the name of a presser as it is kept; null for no name. */
export const keptName = (name: string | null | undefined): string | null =>
  name?.trim() ? [...name].slice(0, PRESSER_NAME_MAX_CHARS).join('') : null;

/** Returns a reason as it is kept: cut to its maximum length, null for no reason. */
export const keptReason = (reason: unknown): string | null =>
  typeof reason === 'string' && reason.trim() !== '' ? [...reason].slice(0, EMERGENCY_REASON_MAX_CHARS).join('') : null;

export const emergencyStopRequestSchema = z.looseObject({
  reason: z
    .string()
    .optional()
    .describe(`why, for those who find the robot stopped; cut after ${EMERGENCY_REASON_MAX_CHARS} characters`),
  press_id: z
    .string()
    .optional()
    .describe("the control service's own id of this press, as the room's metadata has it; others leave it out"),
});

/** A latched emergency stop, as the state shows it. */
export const emergencyStateSchema = z.object({
  by: z.string().describe('who pressed it first'),
  since_ms: z.int().describe('when, milliseconds since the epoch'),
  reason: z.string().nullable().describe('why, in the words of who pressed it'),
});
export type EmergencyState = z.infer<typeof emergencyStateSchema>;
/**
 * A latched emergency stop, as a runtime reports it: with the presser's name in the room, which the control service does not
 * keep.
 */
export const latchedStateSchema = emergencyStateSchema.extend({
  by_name: z.string().optional().describe('the name of the person who pressed, as the room had it; absent where it is unknown'),
});
export type LatchedState = z.infer<typeof latchedStateSchema>;

/** Where a person releases a robot: at its page, or, without a page, at the machine of its worker. */
export const RELEASE_PLACES = ['robot_page', 'worker_machine'] as const;
export type ReleasePlace = (typeof RELEASE_PLACES)[number];

/** The last release, for the control service, which then lifts its own latch. */
export const emergencyReleaseSchema = z.object({
  at_ms: z.int().describe('when a person released it, milliseconds since the epoch'),
  press_ids: z.array(z.string()).describe('the presses of the control service that were released'),
  place: z.enum(RELEASE_PLACES).optional().describe('where the person was; absent where it is unknown'),
});
export type EmergencyRelease = z.infer<typeof emergencyReleaseSchema>;

/** The content of the answer to a press: the result if the robot stands still, or the error details if the robot still moves. */
const emergencyAnswerSchema = z.object({
  emergency_stop: latchedStateSchema.nullable().describe('who latched it first; null when a person has released it meanwhile'),
  stands: z.boolean().describe('whether the base stands, and the arms stand or hang limp'),
  after_ms: z.int().describe('milliseconds from this press to this answer, measured at the robot'),
  held_entity_ids: z.array(z.string()).describe('what the hands still hold'),
});
export type EmergencyAnswer = z.infer<typeof emergencyAnswerSchema>;

/** The control service's latch in the metadata of a room. */
export const pressInRoomSchema = z.object({
  press_id: z.string().min(1).max(PRESS_ID_MAX_CHARS).describe('id of the last press'),
  by: z.string().max(256).describe('who pressed it first'),
  since_ms: z.int().nonnegative().describe('when, milliseconds since the epoch'),
  reason: z
    .string()
    .max(4 * EMERGENCY_REASON_MAX_CHARS)
    .nullable()
    .describe('why, in the words of who pressed it'),
});
export type PressInRoom = z.infer<typeof pressInRoomSchema>;

/** Reads the answer to a press; null for anything else. */
export function readEmergencyAnswer(reply: unknown): EmergencyAnswer | null {
  if (typeof reply !== 'object' || reply === null || !('meta' in reply)) return null;
  const { result, error } = reply as { result?: unknown; error?: { details?: unknown } };
  const read = emergencyAnswerSchema.safeParse(result ?? error?.details);
  return read.success ? read.data : null;
}

/** The outcome of the control service's press at one runtime in the robot's room. */
const pressedRuntimeSchema = z.object({
  identity: z.string().describe('the runtime in the room'),
  stands: z.boolean().describe('whether it reports that the robot stands'),
  after_ms: z.int().nullable().describe('milliseconds from the press to its answer, measured at the robot; null without one'),
  problem: z.string().nullable().describe('why it did not report that the robot stands, in a sentence; null if it did'),
});

/** The control service's answer to a press. */
export const emergencyStopResultSchema = z
  .object({
    robot_id: z.string().describe('the robot'),
    emergency_stop: emergencyStateSchema.describe('the latch, as the first press made it'),
    stands: z
      .boolean()
      .nullable()
      .describe('whether every runtime in the room reports that the robot stands; null without a runtime'),
    stored: z
      .boolean()
      .optional()
      .describe(
        'whether the press is in the database of the service; if false, the service keeps trying to store it, and runtimes in the room receive it all the same. Absent from a service that answers only when it is stored',
      ),
    runtimes: z.array(pressedRuntimeSchema).describe('how it went at each runtime in the room'),
  })
  .meta({ id: 'EmergencyStopResult' });
/** The control service's answer to a press: the latch, and whether the robot is known to stand. */
export type EmergencyStopResult = z.infer<typeof emergencyStopResultSchema>;

/** Returns the latch that a room's metadata has; null if it has none, or cannot be read. */
export function pressOf(metadata: string): PressInRoom | null {
  try {
    const read = pressInRoomSchema.safeParse((JSON.parse(metadata) as { emergency_stop?: unknown } | null)?.emergency_stop);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
