import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import { type Channel, type Follower, restingAt } from '../motion.ts';
import { neutralFoot } from './stance.ts';

/** One foot, world frame; `x`, `y`, `zM` are of the ankle joint above a flat sole. */
export interface FootState {
  x: Channel;
  y: Channel;
  zM: number;
  /** How far the swinging foot is beside its straight way, so that it does not pass through the other. */
  asideX: number;
  asideY: number;
  yaw: Channel;
  /** Positive: toe down. Zero while planted. */
  pitchRad: number;
  /** Whether the foot is fixed to the floor: neither place nor heading changes. */
  planted: boolean;
  /** Of the present swing: its whole length, and how high and how far tilted the foot goes. */
  swingS: number;
  liftM: number;
  toeDownRad: number;
  toeUpRad: number;
}

/** The robot's stepping, and the motion of its trunk and arms that goes with the steps. */
export interface GaitState {
  /** Right, then left. */
  feet: [FootState, FootState];
  /** The foot whose turn it is to step. */
  next: 0 | 1;
  sinceLiftS: number;
  /** How long the base has stood still. */
  stillS: number;
  /** The base's velocity and acceleration, smoothed, body frame: x, y and turn. */
  velocity: [number, number, number];
  acceleration: [number, number, number];
  /** Of the pelvis in the base frame: to the left, up, turned left, pitched forward. */
  sway: Follower;
  rise: Follower;
  twist: Follower;
  lean: Follower;
  /** How far ahead of the hips each foot is for the opposite arm to follow: right, left. */
  stride: [Follower, Follower];
  /** How far the arms are drawn close to the trunk: 0 not at all, 1 all the way. */
  tuck: Follower;
}

function standingFoot(base: PlanarPose, side: 0 | 1): FootState {
  const at = neutralFoot(base, side);
  return {
    x: restingAt(at.xM),
    y: restingAt(at.yM),
    zM: at.zM,
    asideX: 0,
    asideY: 0,
    yaw: restingAt(at.yawRad),
    pitchRad: 0,
    planted: true,
    swingS: 0,
    liftM: 0,
    toeDownRad: 0,
    toeUpRad: 0,
  };
}

const still = (): Follower => ({ value: 0, velocity: 0 });

/** Creates the gait of a robot that stands in the neutral stance of a base pose. */
export const createGait = (base: PlanarPose): GaitState => ({
  feet: [standingFoot(base, 0), standingFoot(base, 1)],
  next: 0,
  sinceLiftS: 10,
  stillS: 10,
  velocity: [0, 0, 0],
  acceleration: [0, 0, 0],
  sway: still(),
  rise: still(),
  twist: still(),
  lean: still(),
  stride: [still(), still()],
  tuck: still(),
});
