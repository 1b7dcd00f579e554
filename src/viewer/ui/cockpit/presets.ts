import { type ArmPose, STANDING_POSE } from './arm-pose.ts';

export const PRESETS = ['Stand', 'Reach', 'Wave', 'Tuck', 'Pick'] as const;
export type Preset = (typeof PRESETS)[number];

/** Mirrors a pose: the left arm's angles have the other sign. */
const both = (right: readonly number[]): ArmPose => ({ r_arm: right, l_arm: right.map((rad) => -rad || 0) });

const POSES: Record<Preset, ArmPose> = {
  Stand: STANDING_POSE,
  Reach: both([-1.25, 0.08, 0, -0.4, 0]),
  // The upper arm is level to the side, turned so that the elbow lifts the forearm.
  Wave: { r_arm: [0, 1.4, -1.45, -1.1, 0], l_arm: STANDING_POSE.l_arm },
  Tuck: both([0.45, 0.1, 0.6, -1.5, 0]),
  Pick: both([-0.5, 0.06, 0.1, -0.85, 0]),
};

const WAVE_ELBOW = 3;
const WAVE_SWING_RAD = 0.35;
const WAVE_PERIOD_MS = 1_200;

/** Returns the pose of a preset; Wave swings the forearm for as long as it is streamed. @param sinceMs since it was chosen */
export function presetPose(preset: Preset, sinceMs = 0): ArmPose {
  const pose = POSES[preset];
  if (preset !== 'Wave') return pose;
  const swingRad = WAVE_SWING_RAD * Math.sin((2 * Math.PI * sinceMs) / WAVE_PERIOD_MS);
  return { ...pose, r_arm: pose.r_arm.map((rad, joint) => (joint === WAVE_ELBOW ? rad - swingRad : rad)) };
}
