import { type PlanarPose, type Pose, type Quat, quatToYaw, radToDeg, type Vec3, yawToQuat } from '../protocol/wire/geometry.ts';
import { roundDeg, roundLength, roundUnit } from '../protocol/wire/json.ts';
import type { SimWorld } from '../simulation/sim-world.ts';

/** Poses as the wire has them: rounded to 0.1 mm and 0.01°, with the quaternion and the heading. */

/** Returns the pose of the robot's base at the nominal height of a standing robot. */
export const basePose = ({ robot }: SimWorld, { x, y, yawRad }: PlanarPose): Pose =>
  wirePose([x, y, robot.model.baseHeightM], yawToQuat(yawRad));

/** Returns a pose in the world frame as the wire has it, metres and quaternion, rounded. */
export function wirePose([x, y, z]: Vec3, orientation: Quat): Pose {
  const [qx, qy, qz, qw] = orientation;
  return {
    frame_id: 'world',
    position: [roundLength(x), roundLength(y), roundLength(z)],
    orientation_xyzw: [roundUnit(qx), roundUnit(qy), roundUnit(qz), roundUnit(qw)],
    yaw_deg: roundDeg(radToDeg(quatToYaw(orientation))),
  };
}
