import { z } from 'zod';
import { degToRad } from '../../protocol/wire/geometry.ts';
import { MAX_ANGULAR_RPS, MAX_LINEAR_MPS, MAX_SLOT_INDEX } from '../../protocol/wire/limits.ts';
import { runMotion } from '../motion.ts';
import { drivePhysically } from '../physical-drive.ts';
import { round } from '../robot-facts.ts';
import { idText, metres } from '../sentences.ts';
import { actionTool, MOVES } from '../tool.ts';

/** Time for one motion, simulated. In real time, the result then arrives before the call must answer. */
export const MOTION_MAX_S = 45;
/** For a walk through a large scene. The call then answers before its end. */
const WALK_MAX_S = 120;
const DRIVE_MAX_S = 10;

/** The id of a thing in the scene. */
export const idSchema = z.string().min(1).max(64);
/** A coordinate of the world. */
export const metresSchema = z.number().min(-1_000).max(1_000);

const goTo = actionTool({
  name: 'go_to',
  title: 'Go to a thing or a place',
  description:
    'Moves the robot to an entity and stops within reach of it, facing it; or to a point on the floor. Plans around obstacles. Result: where it stands.',
  hints: MOVES,
  input: z.strictObject({
    to: z.union([
      idSchema.describe('id of an entity or pad'),
      z.strictObject({ x: metresSchema, y: metresSchema, yaw_deg: z.number().min(-360).max(360).optional() }),
    ]),
    within_s: z
      .number()
      .min(1)
      .max(WALK_MAX_S)
      .default(MOTION_MAX_S)
      .describe('simulated seconds until the robot gives up. After 45 s the call replies "running", and wait returns the result'),
  }),
  act(context, { to, within_s: deadlineS }, actionId, stop) {
    const target =
      typeof to === 'string'
        ? { kind: 'entity', entity_id: to }
        : { kind: 'pose', pose: { position: [to.x, to.y, 0], ...(to.yaw_deg === undefined ? {} : { yaw_deg: to.yaw_deg }) } };
    const where = typeof to === 'string' ? idText(to) : `x ${metres(to.x)}, y ${metres(to.y)}`;
    const motion = {
      skill: 'go_to',
      input: { target },
      deadlineS,
      attempt: `go to ${where}`,
      success: () => `Arrived at ${where}`,
    };
    return runMotion(context, actionId, motion, stop);
  },
});

const pick = actionTool({
  name: 'pick',
  title: 'Pick up a thing',
  description:
    'Takes exactly this thing with the hands, from within reach: call go_to first. "cube" means the nearest free cube. Success is measured: the hands hold it.',
  hints: MOVES,
  input: z.strictObject({ id: idSchema.describe('id of a cube or object') }),
  act(context, { id }, actionId, stop) {
    const motion = {
      skill: 'pick_entity',
      input: { target: { kind: 'entity', entity_id: id } },
      deadlineS: MOTION_MAX_S,
      attempt: `pick up ${idText(id)}`,
      success: ({ held }: Readonly<Record<string, unknown>>) => `Picked up ${idText(held ?? id)}`,
    };
    return runMotion(context, actionId, motion, stop);
  },
});

const place = actionTool({
  name: 'place',
  title: 'Put the held thing down',
  description:
    'Puts the held thing on a pad, in a slot of a pad, on or in another thing, or at a point. Without a target: on the nearest destination pad. Success is measured: it rests there.',
  hints: MOVES,
  input: z.strictObject({
    on: idSchema.optional().describe('id of a pad or thing'),
    slot: z.int().min(0).max(MAX_SLOT_INDEX).optional().describe('slot of the pad in `on`'),
    at: z
      .strictObject({ x: metresSchema, y: metresSchema, z: metresSchema.default(0) })
      .optional()
      .describe('a point instead of `on`; z is the height of the surface'),
  }),
  problem({ on, slot, at }) {
    if (on !== undefined && at !== undefined) return 'Give either "on" or "at", not both.';
    return slot !== undefined && on === undefined ? 'A "slot" needs the pad in "on".' : null;
  },
  act(context, { on, slot, at }, actionId, stop) {
    const target =
      at !== undefined
        ? { kind: 'pose', pose: { position: [at.x, at.y, at.z] } }
        : slot !== undefined
          ? { kind: 'slot', pad_id: on, index: slot }
          : { kind: 'entity', entity_id: on };
    const input = on === undefined && at === undefined ? {} : { target };
    const where = on !== undefined ? ` on ${idText(on)}` : at !== undefined ? ` at x ${metres(at.x)}, y ${metres(at.y)}` : '';
    const motion = {
      skill: 'place_entity',
      input,
      deadlineS: MOTION_MAX_S,
      attempt: `put the held thing down${where}`,
      success: ({ placed, placed_on: pad, placed_on_thing: thing, placed_in_thing: isIn }: Readonly<Record<string, unknown>>) => {
        if (typeof thing === 'string') return `Placed ${idText(placed)} ${isIn === true ? 'in' : 'on'} ${idText(thing)}`;
        return `Placed ${idText(placed)}${typeof pad === 'string' ? ` on ${idText(pad)}` : where}`;
      },
    };
    return runMotion(context, actionId, motion, stop);
  },
});

const velocity = (limit: number, meaning: string) => z.number().min(-limit).max(limit).default(0).describe(meaning);

const drive = actionTool({
  name: 'drive',
  title: 'Drive for some seconds',
  description:
    'Moves the base with a velocity for a limited time, then stops. It does not plan around obstacles: prefer go_to. It replaces a running go_to or drive, and names it. Reports what blocked it.',
  hints: MOVES,
  input: z.strictObject({
    vx: velocity(MAX_LINEAR_MPS, 'm/s forward'),
    vy: velocity(MAX_LINEAR_MPS, 'm/s left'),
    wz: velocity(MAX_ANGULAR_RPS, 'rad/s, positive turns left'),
    seconds: z.number().min(0.1).max(DRIVE_MAX_S),
  }),
  act(context, { seconds, ...velocities }, actionId, stop) {
    if (context.robot.profile === 'worker') return drivePhysically(context, actionId, { ...velocities, seconds }, stop);
    const motion = {
      skill: 'set_velocity',
      input: { ...velocities, duration_s: seconds },
      deadlineS: MOTION_MAX_S,
      attempt: `drive for ${seconds} s`,
      success: ({ blocked_by: by }: Readonly<Record<string, unknown>>) =>
        `Drove for ${seconds} s and stopped${typeof by === 'string' ? `; ${idText(by)} was in the way` : ''}`,
    };
    return runMotion(context, actionId, motion, stop);
  },
});

const lookAt = actionTool({
  name: 'look_at',
  title: 'Turn the head',
  description:
    'Turns the head to an entity, or to angles relative to the body. take_picture with the camera "pov" then shows it.',
  hints: MOVES,
  input: z.strictObject({
    id: idSchema.optional().describe('id of an entity or pad'),
    yaw_deg: z.number().min(-180).max(180).optional().describe('positive left'),
    pitch_deg: z.number().min(-90).max(90).optional().describe('positive down'),
  }),
  problem({ id, yaw_deg: yawDeg, pitch_deg: pitchDeg }) {
    const isByAngles = yawDeg !== undefined || pitchDeg !== undefined;
    return (id !== undefined) === isByAngles ? 'Give either "id", or "yaw_deg" and "pitch_deg".' : null;
  },
  act(context, { id, yaw_deg: yawDeg, pitch_deg: pitchDeg }, actionId, stop) {
    const angles = {
      ...(yawDeg === undefined ? {} : { yaw: degToRad(yawDeg) }),
      ...(pitchDeg === undefined ? {} : { pitch: degToRad(pitchDeg) }),
    };
    const where = id === undefined ? `yaw ${round(yawDeg ?? 0, 1)}°, pitch ${round(pitchDeg ?? 0, 1)}°` : idText(id);
    const motion = {
      ...(id === undefined
        ? { skill: 'set_head', input: angles }
        : { skill: 'look_at', input: { target: { kind: 'entity', entity_id: id } } }),
      deadlineS: MOTION_MAX_S,
      attempt: `look at ${where}`,
      success: () => `The head looks at ${where}`,
    };
    return runMotion(context, actionId, motion, stop);
  },
});

/** The tools that move the body, in the order of the list. */
export const MOTION_TOOLS = [goTo, pick, place, drive, lookAt] as const;
/** The skills that these tools call. */
export const SKILLS_OF_MOTIONS = ['go_to', 'pick_entity', 'place_entity', 'set_velocity', 'look_at', 'set_head'];
