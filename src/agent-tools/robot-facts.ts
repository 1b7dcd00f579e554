import { z } from 'zod';
import { isRecord } from '../common/schema-texts.ts';
import { quoted, shownName } from '../common/shown-text.ts';
import { codeForAgents } from './codes.ts';
import type { RobotAccess, SkillReply } from './robot-access.ts';

/** The latest time that a date can have. */
const MAX_TIME_MS = 8.64e15;

const driverSchema = z.looseObject({
  identity: z.string().nullable(),
  name: z.string(),
  kind: z.string(),
  since_ms: z.number().min(0).max(MAX_TIME_MS),
});

const latchSchema = z.looseObject({
  by: z.string(),
  by_name: z.string().optional(),
  since_ms: z.number().min(0).max(MAX_TIME_MS),
  reason: z.string().nullable(),
});
const NAMELESS_LATCH: z.infer<typeof latchSchema> = { by: 'unknown', since_ms: 0, reason: null };

/** The parts of `runtime.state` that agents read. Loose, because other runtimes leave parts out. */
const stateSchema = z.looseObject({
  timestamp: z.looseObject({ sim_time_s: z.number() }).optional(),
  runtime: z.looseObject({
    active_action: z
      .looseObject({
        action_id: z.string(),
        name: z.string(),
        phase: z.string(),
        progress: z.looseObject({ current: z.number(), total: z.number(), unit: z.string() }).optional(),
      })
      .optional(),
    last_action: z.looseObject({ action_id: z.string(), name: z.string(), status: z.string() }).optional(),
  }),
  robot: z.looseObject({
    pose: z.looseObject({ position: z.tuple([z.number(), z.number(), z.number()]), yaw_deg: z.number().optional() }),
    status: z.string(),
    held_entity_ids: z.array(z.string()),
    extra: z.looseObject({
      driver: driverSchema.nullable().optional(),
      // A robot that reports the latch in another form is latched too.
      emergency_stop: z.union([latchSchema, z.unknown().transform((given) => (given ? NAMELESS_LATCH : null))]).optional(),
      sim: z.looseObject({ seed: z.number(), speed: z.number(), time: z.string().optional() }).optional(),
    }),
  }),
});
type State = z.infer<typeof stateSchema>;

/** A pose on the floor of the world: metres, and a heading in degrees that grows to the left. */
export interface FloorPose {
  x: number;
  y: number;
  yaw_deg: number;
}

/** The driver of the robot, for a model. */
export interface DriverFacts {
  /** A name that the driver chose: data, not an instruction. */
  name: string;
  kind: string;
  /** Milliseconds since the epoch. */
  since_ms: number;
  is_you: boolean;
}

/** The author, time and reason of a latched emergency stop, for a model. The words are data, not an instruction. */
export interface EmergencyFacts {
  by: string;
  /** Milliseconds since the epoch; 0 if unknown. */
  since_ms: number;
  reason: string | null;
}

/** The robot now. */
export interface RobotFacts {
  pose: FloorPose;
  held: string[];
  isMoving: boolean;
  simTimeS: number | null;
  driver: DriverFacts | null;
  /** The latched emergency stop; null while it is released. */
  emergencyStop: EmergencyFacts | null;
  seed: number | null;
  speed: number | null;
  /** `real`: time passes while the agent thinks. `action`: it passes only during an action and shortly after. */
  clock: 'real' | 'action';
  active: State['runtime']['active_action'] | null;
  last: State['runtime']['last_action'] | null;
}

/** Why a read failed: a code of the runtime, or `NO_ANSWER`. */
export interface ReadFailure {
  code: string;
  message: string;
  details?: Readonly<Record<string, unknown>>;
}

/** Reads the state of the robot. Never rejects. */
export async function readRobot(robot: RobotAccess): Promise<RobotFacts | ReadFailure> {
  const reply = await readOr(robot, 'runtime.state');
  if (isFailure(reply)) return reply;
  const read = stateSchema.safeParse(reply);
  return read.success
    ? factsOf(read.data, robot.identity)
    : { code: 'INTERNAL', message: 'The state of the robot is unreadable.' };
}

/** Returns the reply of a reading method, or why there is none. Never rejects. */
export async function readOr(
  robot: RobotAccess,
  ...[method, payload]: Parameters<RobotAccess['read']>
): Promise<Record<string, unknown> | ReadFailure> {
  try {
    const reply = await robot.read(method, payload);
    if (!isRecord(reply)) return { code: 'INTERNAL', message: `The reply to ${method} is unreadable.` };
    const error = errorOf(reply);
    return error ?? reply;
  } catch (thrown) {
    return { code: 'NO_ANSWER', message: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

export const isFailure = (read: object): read is ReadFailure => 'code' in read && 'message' in read;

/** Returns the error of a reply, or null. */
export function errorOf(reply: Record<string, unknown>): NonNullable<SkillReply['error']> | null {
  const { status, error } = reply;
  if (status !== 'failed' || !isRecord(error) || typeof error.code !== 'string') return null;
  return {
    code: codeForAgents(error.code),
    message: typeof error.message === 'string' ? error.message : error.code,
    ...(isRecord(error.details) ? { details: error.details } : {}),
  };
}

function factsOf({ timestamp, runtime, robot }: State, identity: RobotAccess['identity']): RobotFacts {
  const { driver = null, emergency_stop: stop, sim } = robot.extra;
  return {
    pose: floorPose(robot.pose.position, robot.pose.yaw_deg ?? 0),
    held: robot.held_entity_ids,
    isMoving: robot.status === 'moving',
    simTimeS: timestamp ? round(timestamp.sim_time_s) : null,
    driver: driver && {
      name: quoted(shownName(driver.name)),
      kind: driver.kind,
      since_ms: driver.since_ms,
      is_you: driver.identity === identity,
    },
    emergencyStop: stop
      ? {
          by: quoted(shownName(stop.by_name ?? stop.by)),
          since_ms: stop.since_ms,
          reason: stop.reason === null ? null : quoted(shownName(stop.reason)),
        }
      : null,
    seed: sim?.seed ?? null,
    speed: sim?.speed ?? null,
    clock: sim?.time === 'on_action' ? 'action' : 'real',
    active: runtime.active_action ?? null,
    last: runtime.last_action ?? null,
  };
}

const floorPose = ([x, y]: readonly number[], yawDeg: number): FloorPose => ({
  x: round(x ?? 0),
  y: round(y ?? 0),
  yaw_deg: round(yawDeg, 1),
});

/** Returns a number rounded for a model: millimetres, milliseconds. */
export function round(value: number, digits = 3): number {
  const rounded = Number(value.toFixed(digits));
  return Object.is(rounded, -0) ? 0 : rounded;
}
