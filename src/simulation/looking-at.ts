import { atan2, cos, hypot, sin } from '../common/portable-math.ts';
import type { Quat, Vec3 } from '../protocol/wire/geometry.ts';
import { multiply } from './quaternion.ts';

/** Turns the optical frame (x right, y down, z forward) so that it looks along the world's +x, upright. */
const ALONG_X = { x: -0.5, y: 0.5, z: -0.5, w: 0.5 };

/** Returns the orientation of the optical frame of a camera at one point that looks at another one, its picture upright. World frame. */
export function lookingAt(from: Vec3, at: Vec3): Quat {
  const [dx, dy, dz] = [at[0] - from[0], at[1] - from[1], at[2] - from[2]];
  const yawRad = atan2(dy, dx);
  const upRad = atan2(dz, hypot(dx, dy));
  const yaw = { x: 0, y: 0, z: sin(yawRad / 2), w: cos(yawRad / 2) };
  // A turn about the camera's own x axis, which points to the right, lifts its view.
  const lift = { x: sin(upRad / 2), y: 0, z: 0, w: cos(upRad / 2) };
  const { x, y, z, w } = multiply(multiply(yaw, ALONG_X), lift);
  return [x, y, z, w];
}
