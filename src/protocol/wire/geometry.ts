import { z } from 'zod';
import { atan2, cos, hypot, sin } from '../../common/portable-math.ts';
import { withFacts } from './field-facts.ts';
import { MAX_HEADING_DEG, MAX_POSITION_M, UNIT_LENGTH_TOLERANCE } from './limits.ts';

/** Metres, [x, y, z]; the value's owner names the frame. */
export type Vec3 = readonly [number, number, number];
/** Unit quaternion, [x, y, z, w]. */
export type Quat = readonly [number, number, number, number];
/** A place on the floor: metres in the world frame, and a heading in radians (positive turns left). */
export interface PlanarPose {
  x: number;
  y: number;
  yawRad: number;
}

export const vec3Schema = z.tuple([z.number(), z.number(), z.number()]).describe('metres, [x, y, z]');
const quatSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]).describe('unit quaternion, [x, y, z, w]');

const coordinate = withFacts(z.number().min(-MAX_POSITION_M).max(MAX_POSITION_M), { unit: 'm' });
/** A point of the world as clients send it. */
export const positionInputSchema = withFacts(z.tuple([coordinate, coordinate, coordinate]).describe('metres, [x, y, z]'), {
  parts: ['x', 'y', 'z'],
});

const [SHORTEST, LONGEST] = [1 - UNIT_LENGTH_TOLERANCE, 1 + UNIT_LENGTH_TOLERANCE];
// The length bounds them; the length is checked, and reported in one sentence.
const component = withFacts(z.number().meta({ minimum: -LONGEST, maximum: LONGEST }), { unit: '' });
/**
 * A quaternion as clients send it: its length is about 1, and it is normalised here. Any other quaternion has no meaning, and its
 * squares may overflow.
 */
export const quatInputSchema = z
  .tuple([component, component, component, component])
  .superRefine((quat, ctx) => {
    const length = lengthOf(quat);
    if (length >= SHORTEST && length <= LONGEST) return;
    const message = `must be a unit quaternion, [x, y, z, w]; its length is ${Number(length.toPrecision(4))}. Normalise it (divide each number by the length), or send yaw_deg`;
    ctx.addIssue({ code: 'custom', message, params: { length: { minimum: SHORTEST, maximum: LONGEST } } });
  })
  .transform((quat): [number, number, number, number] => {
    const length = lengthOf(quat);
    return [quat[0] / length, quat[1] / length, quat[2] / length, quat[3] / length];
  });

/** Length of a quaternion, also if the squares of its numbers overflow or vanish. */
function lengthOf(quat: Quat): number {
  const largest = Math.max(...quat.map(Math.abs));
  if (largest === 0) return 0;
  const [x, y, z, w] = quat;
  return largest * hypot(hypot(x / largest, y / largest, z / largest), w / largest);
}

/** A pose as clients send it. `frame_id` may only be the world. */
export const poseInputSchema = z.strictObject({
  frame_id: z.literal('world').optional().describe('only "world"'),
  position: positionInputSchema,
  orientation_xyzw: withFacts(
    quatInputSchema
      .optional()
      .describe('unit quaternion, [x, y, z, w], within 1 % of length 1; its heading counts unless yaw_deg is given'),
    { parts: ['x', 'y', 'z', 'w'] },
  ),
  yaw_deg: withFacts(
    z.number().min(-MAX_HEADING_DEG).max(MAX_HEADING_DEG).optional().describe('heading in degrees, positive turns left'),
    { unit: '°' },
  ),
});
export type PoseInput = z.infer<typeof poseInputSchema>;

/** A pose as the runtime reports it. */
export const poseSchema = z.object({
  frame_id: z.literal('world'),
  position: vec3Schema,
  orientation_xyzw: quatSchema.optional(),
  yaw_deg: z.number().optional().describe('heading in degrees, positive turns left'),
});
/** A pose in the world: metres, z up; a rotation as a quaternion, a heading in degrees that grows to the left, or both. */
export type Pose = z.infer<typeof poseSchema>;

export const radToDeg = (rad: number): number => (rad * 180) / Math.PI;
export const degToRad = (deg: number): number => (deg * Math.PI) / 180;

/** The same angle in (-pi, pi]. */
export function wrapRad(rad: number): number {
  const wrapped = rad - 2 * Math.PI * Math.floor((rad + Math.PI) / (2 * Math.PI));
  return wrapped === -Math.PI ? Math.PI : wrapped;
}

/** Quaternion of a turn about the world's z axis. */
export const yawToQuat = (yawRad: number): Quat => [0, 0, sin(yawRad / 2), cos(yawRad / 2)];

/** Heading of the x axis that a quaternion turns to, radians. */
export const quatToYaw = ([x, y, z, w]: Quat): number => atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
