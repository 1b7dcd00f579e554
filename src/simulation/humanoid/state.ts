import type { PlanarPose } from '../../protocol/geometry.ts';
import type { RobotBody } from '../robot.ts';
import type { GaitState } from './gait-state.ts';
import type { JointArmsState } from './joint-arms-step.ts';
import type { ManipulatorState } from './manipulator-state.ts';

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
