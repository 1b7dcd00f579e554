import { z } from 'zod';
import { atan2, cos, sin } from './portable-math.ts';

/** Metres, [x, y, z]; the frame is named by whoever holds it. */
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
export const quatSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]).describe('unit quaternion, [x, y, z, w]');

/** A pose as clients send it. `frame_id` may only be the world. */
export const poseInputSchema = z.strictObject({
  frame_id: z.literal('world').optional().describe('only "world"'),
  position: vec3Schema,
  orientation_xyzw: quatSchema.optional().describe('unit quaternion, [x, y, z, w]; its heading counts unless yaw_deg is given'),
  yaw_deg: z.number().min(-3600).max(3600).optional().describe('heading in degrees, positive turns left'),
});
export type PoseInput = z.infer<typeof poseInputSchema>;

/** A pose as the runtime reports it. */
export const poseSchema = z.object({
  frame_id: z.literal('world'),
  position: vec3Schema,
  orientation_xyzw: quatSchema.optional(),
  yaw_deg: z.number().optional().describe('heading in degrees, positive turns left'),
});
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
