import type { PlanarPose } from '../../protocol/geometry.ts';
import type { RigidPose } from '../../protocol/render-state.ts';
import type { GaitState } from './gait-state.ts';
import type { HeadState } from './head.ts';
import type { ManipulatorState } from './manipulator-state.ts';

/** What the body is told each step. */
export interface BodyInput {
  /** Where the base is at the end of this step, world frame. */
  base: PlanarPose;
  /** The base's actual velocity in its own frame: metres and radians a second. */
  velocityBody: { vx: number; vy: number; wz: number };
  dtS: number;
}

/** The whole body: pelvis, 25 joints and what moves them. Plain data; only the modules of this folder write it. */
export interface BodyState {
  /** World pose of the root link, height and lean included. */
  pelvis: RigidPose;
  /** Angles in the order of `JOINTS`. */
  jointsRad: Float64Array;
  /** Centres of the palms, turned as their hands are. */
  palms: { right: RigidPose; left: RigidPose };
  /** Optical frame of the head's camera (x right, y down, z forward). */
  povCamera: RigidPose;
  /** World frames of all links (see kinematics.ts). */
  frames: Float64Array;
  base: PlanarPose;
  gait: GaitState;
  manipulator: ManipulatorState;
  head: HeadState;
}
