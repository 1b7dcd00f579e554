import type { Vec3 } from '../../protocol/geometry.ts';
import { asin, atan2, hypot } from '../../protocol/portable-math.ts';
import {
  CAMERA_IN_HEAD,
  HEAD_PITCH_ABOVE_NECK_M,
  HEAD_PITCH_RANGE_RAD,
  HEAD_YAW_RANGE_RAD,
  JOINT_INDEX,
  NECK_ABOVE_WAIST_M,
} from '../../protocol/robots/humanoid.ts';
import { requireFinite } from '../finite.ts';
import { follow } from '../motion.ts';
import type { HeadState } from '../robot.ts';
import { intoFrame } from '../rotation.ts';
import { FRAME } from './kinematics.ts';
import type { BodyState } from './state.ts';

/** Natural frequency of the head's motion: 60° are within 1° after 0.5 s. */
const HEAD_RATE_PER_S = 13;
/**
 * A target farther off than this does not pull harder: the follower's acceleration stays below rate² times this, and its speed
 * below half the rate times this, as fast as a person turns the head at ease.
 */
const HEAD_LEAD_RAD = 0.92;
const HEAD_MAX_RPS = 6;

const clamp = (value: number, [min, max]: readonly [number, number]): number => Math.max(min, Math.min(max, value));

const ahead = (value: number, goalRad: number): number => value + clamp(goalRad - value, [-HEAD_LEAD_RAD, HEAD_LEAD_RAD]);

export const createHead = (): HeadState => ({
  yaw: { value: 0, velocity: 0 },
  pitch: { value: 0, velocity: 0 },
  target: null,
  gaze: null,
});

/** Holds the head at angles from now on, clamped to its range; an axis left out keeps its target, or where the head is heading. */
export function setTarget(
  body: BodyState,
  { yawRad, pitchRad }: { yawRad?: number | undefined; pitchRad?: number | undefined },
): void {
  const { head } = body;
  const now = head.target ?? target(body);
  requireFinite('the angles of the head', yawRad ?? 0, pitchRad ?? 0);
  head.target = {
    yawRad: clamp(yawRad ?? now.yawRad, HEAD_YAW_RANGE_RAD),
    pitchRad: clamp(pitchRad ?? now.pitchRad, HEAD_PITCH_RANGE_RAD),
  };
}

/**
 * Stops the head as soon as it can without turning back, and holds it there: a critically damped motion of speed v that aims v / rate ahead
 * decays without an overshoot.
 */
export function halt(body: BodyState): void {
  const { yaw, pitch } = body.head;
  setTarget(body, {
    yawRad: yaw.value + yaw.velocity / HEAD_RATE_PER_S,
    pitchRad: pitch.value + pitch.velocity / HEAD_RATE_PER_S,
  });
}

/** How fast the head turns, the faster of its axes, rad/s. */
export const speedRps = ({ head: { yaw, pitch } }: BodyState): number =>
  Math.max(Math.abs(yaw.velocity), Math.abs(pitch.velocity));

/** Tells whether the head is held at a target; otherwise it is free to look where the work is. */
export const isHeld = ({ head }: BodyState): boolean => head.target !== null;

/** Lets the head look where the work is again. */
export function releaseTarget(body: BodyState): void {
  body.head.target = null;
}

/** Returns where the hands work; null while they swing or carry. */
function handsWorld({ manipulator: { source, frame, grip } }: BodyState): Vec3 | null {
  return source === 'grip' && frame === 'world' ? [grip.x.value, grip.y.value, grip.z.value] : null;
}

/** Returns the head's current goal: the held target, otherwise the gaze, otherwise the hands' work, otherwise straight ahead. */
export function target(body: BodyState): { yawRad: number; pitchRad: number } {
  const { head } = body;
  if (head.target) return head.target;
  const gaze = head.gaze ?? handsWorld(body);
  if (!gaze) return { yawRad: 0, pitchRad: 0 };
  const { yawRad, pitchRad } = anglesToward(body, gaze);
  return { yawRad, pitchRad };
}

/** Returns the head's measured angles. */
export const measured = ({ head }: BodyState): { yawRad: number; pitchRad: number } => ({
  yawRad: head.yaw.value,
  pitchRad: head.pitch.value,
});

/** Sets the point to look at while no target is held; null = straight ahead. */
export function setGaze(body: BodyState, pointWorld: Vec3 | null): void {
  if (pointWorld !== null) requireFinite('the point to look at', ...pointWorld);
  body.head.gaze = pointWorld;
}

/**
 * Returns the head angles that put a point on the camera's optical axis, with the torso as it is now.
 * `reachable` says whether the head can take them; if not, they are the nearest it can take.
 */
export function anglesToward(body: BodyState, pointWorld: Vec3): { yawRad: number; pitchRad: number; reachable: boolean } {
  const [x, y, z] = intoFrame(body.frames, FRAME.torso, pointWorld);
  const yawRad = atan2(y, x);
  const forwardM = hypot(x, y);
  const aboveM = z - NECK_ABOVE_WAIST_M - HEAD_PITCH_ABOVE_NECK_M;
  // In the head frame the point must be as high as the camera: R sin(pitch + elevation) = height.
  const rangeM = Math.max(hypot(forwardM, aboveM), CAMERA_IN_HEAD[2]);
  const pitchRad = asin(CAMERA_IN_HEAD[2] / rangeM) - atan2(aboveM, forwardM);
  const yaw = clamp(yawRad, HEAD_YAW_RANGE_RAD);
  const pitch = clamp(pitchRad, HEAD_PITCH_RANGE_RAD);
  return { yawRad: yaw, pitchRad: pitch, reachable: yaw === yawRad && pitch === pitchRad };
}

/** Moves the head on by one step. It is at rest when its target is within rounding. */
export function stepHead(body: BodyState, dtS: number): void {
  const { head, jointsRad } = body;
  const goal = target(body);
  follow(head.yaw, ahead(head.yaw.value, goal.yawRad), HEAD_RATE_PER_S, dtS, HEAD_MAX_RPS);
  follow(head.pitch, ahead(head.pitch.value, goal.pitchRad), HEAD_RATE_PER_S, dtS, HEAD_MAX_RPS);
  jointsRad[JOINT_INDEX.headYaw] = clamp(head.yaw.value, HEAD_YAW_RANGE_RAD);
  jointsRad[JOINT_INDEX.headPitch] = clamp(head.pitch.value, HEAD_PITCH_RANGE_RAD);
}
