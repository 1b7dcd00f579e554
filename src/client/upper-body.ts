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
  /** Packets a second; a robot lets its arms go limp when there are fewer than five, and wants ten at least. @default 50 */
  rateHz?: number | undefined;
  /** Ends the stream as if its poses had ended. */
  signal?: AbortSignal | undefined;
}

/** The outcome of a stream. */
export interface UpperBodyStream {
  /** Poses sent, the standing one at the end included. */
  packets: number;
}

/** How a robot holds its arms while it stands. */
export const STANDING_POSE: ArmPose = { r_arm: STANDING_RIGHT_ARM_RAD, l_arm: STANDING_LEFT_ARM_RAD };
