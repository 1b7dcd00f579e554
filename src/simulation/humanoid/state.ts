import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import type { RobotBody } from '../robot.ts';
import type { TrunkMotion } from './arm-dynamics.ts';
import type { GaitState } from './gait-state.ts';
import type { ManipulatorState } from './manipulator-state.ts';

/** The trunk's motion, from where it was in the last two steps: gait and posture move it, whatever the arms weigh. */
export interface TrunkState extends TrunkMotion {
  /** Steps since the arms were taken over, as far as they matter. */
  seen: number;
  readonly frame: Float64Array;
  readonly velocity: Float64Array;
}

/** Arms that are moved by torques. */
export interface JointArmsState {
  /** No servo, only damping and gravity. */
  limp: boolean;
  /** The angles that the servos are sent to, right then left; they may lie beyond the joints' range. */
  targetRad: Float64Array;
  trunk: TrunkState;
}

/** The whole body: pelvis, 25 joints and their drives. Only the modules of this folder write it. Poses are made when they are read. */
export interface BodyState extends RobotBody {
  /** World frames of the links (see kinematics.ts). Those of pelvis, torso and arms are updated every step, those of legs and head for `linkPoses`. */
  frames: Float64Array;
  base: PlanarPose;
  gait: GaitState;
  manipulator: ManipulatorState;
  /** Arms moved by torques; null until that happens for the first time. */
  jointArms: JointArmsState | null;
}
