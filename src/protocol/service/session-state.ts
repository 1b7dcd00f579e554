/** The present state of a robot's session: who is in its room, and what its runtime does. */
import { z } from 'zod';
import { time } from '../client-models/http.ts';
import { DRIVER_KINDS } from '../wire/driver.ts';

/** Maximum number of participants that an answer names. */
export const PARTICIPANTS_NAMED_MAX = 20;

const participantSchema = z
  .object({
    identity: z.string().describe('Identity in the room'),
    name: z.string().describe('Name that others in the room see; empty when it has none'),
    is_agent: z.boolean().describe('Whether an agent of the media server, such as a worker without a page'),
    joined_at: time('When it joined'),
  })
  .meta({ id: 'SessionParticipant' });

const activeActionSchema = z
  .object({
    name: z.string().describe('Skill, or `capture`'),
    phase: z.string().describe('What it does now, in a word or two'),
    started_at_ms: z.int().describe('When it began, milliseconds since the epoch by the runtime’s clock'),
  })
  .meta({ id: 'RunningAction' });

const lastActionSchema = z
  .object({
    name: z.string().describe('Skill, or `capture`'),
    status: z.enum(['done', 'failed', 'cancelled']).describe('How it ended'),
    finished_at_ms: z.int().describe('When it ended, milliseconds since the epoch by the runtime’s clock'),
  })
  .meta({ id: 'EndedAction' });

const driverSchema = z
  .object({
    identity: z.string().nullable().describe('Identity in the room; null: the page of the robot itself'),
    name: z.string().describe('Name that people are shown, in its own words'),
    kind: z.enum(DRIVER_KINDS).describe('Who it is'),
    since_ms: z.int().describe('Since when, milliseconds since the epoch by the runtime’s clock'),
  })
  .meta({ id: 'SessionDriver' });

const placeSchema = z
  .object({
    x_m: z.number().describe('Of the middle of the base, in the world of the scene'),
    y_m: z.number().describe('The same'),
    yaw_deg: z.number().describe('Where the robot looks, -180 to 180; 0 is along x, positive to the left'),
    age_ms: z
      .int()
      .describe(
        'How old this is at the time of the answer, by the clock of the service, including the age that the runtime reports',
      ),
  })
  .meta({ id: 'SessionPlace' });

/** Maximum number of things in the robot's hands that an answer names. */
export const HELD_NAMED_MAX = 4;

const runtimeSummarySchema = z
  .object({
    status: z.enum(['ready', 'busy', 'error']).describe('Whether the runtime is free, carries out an action, or has failed'),
    robot_status: z.enum(['ready', 'moving', 'holding', 'fallen', 'error', 'unknown']).describe('The body'),
    is_stopped: z.boolean().describe('Whether the emergency stop is latched'),
    active_action: activeActionSchema.nullable().describe('The action under way, if there is one'),
    last_action: lastActionSchema.nullable().describe('The action that ended last, if there was one'),
    driver: driverSchema.nullable().describe('Who has taken the robot to drive it; null while no one has'),
    scene_id: z.string().nullable().describe('The scene that the robot is in; null if it is unknown'),
    place: placeSchema.nullable().describe('Where the robot is in that scene; null if it is unknown'),
    held_entity_ids: z.array(z.string()).describe(`What it holds; at most ${HELD_NAMED_MAX} of them`),
  })
  .meta({ id: 'RuntimeSummary' });

const sessionRuntimeSchema = z
  .object({
    ...participantSchema.shape,
    state: runtimeSummarySchema
      .nullable()
      .describe('What it reports of itself; null while it does not answer, for example while it loads'),
  })
  .meta({ id: 'SessionRuntime' });

export const sessionStateSchema = z
  .object({
    robot_id: z.string().describe('The robot whose session it is'),
    phase: z.enum(['none', 'opening', 'open', 'closing']).describe('`none`: the robot has no session'),
    opened_at: time('When it was opened; null without one').nullable(),
    participants: z
      .array(participantSchema)
      .describe(`Who is in its room, those first who came first; at most ${PARTICIPANTS_NAMED_MAX} of them`),
    participant_count: z.int().describe('How many are in the room'),
    runtime: sessionRuntimeSchema
      .nullable()
      .describe('The runtime that commands go to: the page of the robot, or its worker; null while none is there'),
  })
  .meta({ id: 'SessionState' });
/** A robot's session in its present state. */
export type SessionState = z.infer<typeof sessionStateSchema>;
/** A participant in the room of a robot. */
export type SessionParticipant = z.infer<typeof participantSchema>;
/** Where a robot is in its scene, and how old that information is. */
export type SessionPlace = z.infer<typeof placeSchema>;
/** The state that a runtime reports, in short. */
export type RuntimeSummary = z.infer<typeof runtimeSummarySchema>;
