import type { PlanarPose } from '../../protocol/geometry.ts';
import type { RigidPose } from '../../protocol/render-state.ts';
import type { GaitState } from './gait-state.ts';
import type { HeadState } from './head.ts';
import type { JointArmsState } from './joint-arms-step.ts';
import type { ManipulatorState } from './manipulator-state.ts';

/** The body's input for each step. */
export interface BodyInput {
  /** Pose of the base at the end of this step, world frame. */
  base: PlanarPose;
  /** The base's actual velocity in its own frame: metres and radians a second. */
  velocityBody: { vx: number; vy: number; wz: number };
  dtS: number;
}

/** The whole body: pelvis, 25 joints and their drives. Only the modules of this folder write it. Poses are made when they are read. */
export interface BodyState {
  /** World pose of the root link, height and lean included. */
  readonly pelvis: RigidPose;
  /** Angles in the order of `JOINTS`. */
  jointsRad: Float64Array;
  /** Centres of the palms, turned as their hands are. */
  readonly palms: { readonly right: RigidPose; readonly left: RigidPose };
  /** The same centres as plain numbers, for code that reads them in every step: x, y, z of the right, then of the left; world frame. */
  readonly palmCentres: Float64Array;
  /** Optical frame of the head's camera (x right, y down, z forward). */
  readonly povCamera: RigidPose;
  /** World frames of the links (see kinematics.ts). Those of pelvis, torso and arms are updated every step, those of legs and head for `linkPoses`. */
  frames: Float64Array;
  base: PlanarPose;
  gait: GaitState;
  manipulator: ManipulatorState;
  head: HeadState;
  /** Arms moved by torques; null until that happens for the first time. */
  jointArms: JointArmsState | null;
}
