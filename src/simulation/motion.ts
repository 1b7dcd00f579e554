import { exp } from '../common/portable-math.ts';

/**
 * Motions of one number over time: a quintic from any position, velocity and acceleration to rest at a goal
 * (Flash & Hogan 1985: from rest this is the minimum-jerk motion), and critically damped followers.
 */
export interface Channel {
  value: number;
  velocity: number;
  acceleration: number;
  goal: number;
  /** Until the goal; 0 = at rest there. */
  remainingS: number;
}

/** Peak over mean speed of a minimum-jerk motion: 15/8. */
export const PEAK_FACTOR = 1.875;

/** Returns a channel at rest, in whatever unit its values have. */
export const restingAt = (value: number): Channel => ({ value, velocity: 0, acceleration: 0, goal: value, remainingS: 0 });

/** Starts a motion from the channel's present motion to rest at `goal`. */
export function aim(channel: Channel, goal: number, durationS: number): void {
  channel.goal = goal;
  channel.remainingS = Math.max(durationS, 1e-6);
}

/** Puts a channel at rest at a value, or on its way from there to a goal. */
export function restart(channel: Channel, value: number, goal = value, durationS = 0): void {
  channel.value = value;
  channel.velocity = 0;
  channel.acceleration = 0;
  channel.goal = goal;
  channel.remainingS = goal === value ? 0 : Math.max(durationS, 1e-6);
}

/** Brakes smoothly to rest within `durationS`, about where a constant braking would end. A channel that has not begun to move stays where it is. */
export function brake(channel: Channel, durationS: number): void {
  if (channel.velocity === 0 && channel.acceleration === 0) restart(channel, channel.value);
  else if (channel.remainingS > 0) aim(channel, channel.value + channel.velocity * durationS * 0.4, durationS);
}

/**
 * Moves on by `dtS` along the quintic that leads from the present state to rest at the goal in the remaining time.
 * Each step's quintic continues the last one's, so a constant goal gives exactly that one quintic, and a moving goal bends it
 * smoothly.
 */
export function advance(channel: Channel, dtS: number): void {
  const T = channel.remainingS;
  if (T <= 0) return;
  // A remainder of time from rounding is not a step of its own.
  if (dtS >= T - 1e-9) {
    channel.value = channel.goal;
    channel.velocity = 0;
    channel.acceleration = 0;
    channel.remainingS = 0;
    return;
  }
  const { value, velocity: v, acceleration: a, goal } = channel;
  // Coefficients over u = t / T; Hermite data at both ends, zero velocity and acceleration at the goal.
  const d = goal - value;
  const vT = v * T;
  const aT = a * T * T;
  const c3 = 10 * d - 6 * vT - 1.5 * aT;
  const c4 = -15 * d + 8 * vT + 1.5 * aT;
  const c5 = 6 * d - 3 * vT - 0.5 * aT;
  const u = dtS / T;
  channel.value = value + u * (vT + u * (aT / 2 + u * (c3 + u * (c4 + u * c5))));
  channel.velocity = (vT + u * (aT + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / T;
  channel.acceleration = (aT + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (T * T);
  channel.remainingS = T - dtS;
}

/** A value that follows a target as a critically damped spring does. */
export interface Follower {
  value: number;
  velocity: number;
}

/**
 * Moves on by `dtS`: the exact solution for a target that stands still over the step, so it is stable for any step.
 * @param ratePerS natural angular frequency, 1/s
 * @param maxSpeed bound on the speed, per second; @default none
 */
export function follow(
  follower: Follower,
  target: number,
  ratePerS: number,
  dtS: number,
  maxSpeed = Number.POSITIVE_INFINITY,
): void {
  const x = follower.value - target;
  const c = follower.velocity + ratePerS * x;
  const decay = exp(-ratePerS * dtS);
  const value = target + (x + c * dtS) * decay;
  const velocity = (follower.velocity - ratePerS * c * dtS) * decay;
  if (Math.abs(value - follower.value) <= maxSpeed * dtS) {
    follower.value = value;
    follower.velocity = velocity;
  } else {
    follower.velocity = Math.sign(velocity) * Math.min(Math.abs(velocity), maxSpeed);
    follower.value += Math.sign(value - follower.value) * maxSpeed * dtS;
  }
}
