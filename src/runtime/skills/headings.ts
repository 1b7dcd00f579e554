import type { PoseInput } from '../../protocol/wire/geometry.ts';
import { degToRad, quatToYaw, wrapRad } from '../../protocol/wire/geometry.ts';

/**
 * Returns the heading that a pose of the wire asks for, radians; null when it asks for none. `yaw_deg` wins over the quaternion.
 */
export function headingOf({ yaw_deg: yawDeg, orientation_xyzw: orientation }: PoseInput): number | null {
  if (yawDeg !== undefined) return wrapRad(degToRad(yawDeg));
  return orientation ? quatToYaw(orientation) : null;
}
