import { STANDING_LEFT_ARM_RAD, STANDING_RIGHT_ARM_RAD } from '../protocol/robots/humanoid.ts';

/** Angles of both arms, radians: shoulder pitch, shoulder roll, shoulder yaw, elbow, wrist yaw. */
export interface ArmPose {
  /** The right arm, five angles. */
  r_arm: readonly number[];
  /** The left arm, five angles. */
  l_arm: readonly number[];
}

/** Options of `streamUpperBody`. */
export interface UpperBodyOptions {
  /** Packets per second. A robot lets its arms go limp below five per second, and needs at least ten. @default 50 */
  rateHz?: number | undefined;
  /** Ends the stream as if its poses had ended. */
  signal?: AbortSignal | undefined;
}

/** The outcome of a stream. */
export interface UpperBodyStream {
  /** Poses sent, including the standing pose at the end. */
  packets: number;
}

/** The pose of a standing robot's arms. */
export const STANDING_POSE: ArmPose = { r_arm: STANDING_RIGHT_ARM_RAD, l_arm: STANDING_LEFT_ARM_RAD };
