import type { RuntimeCore } from '../../src/runtime/core.ts';
import { robotTruth } from '../runtime/oracle.ts';
import type { XY } from './paths-floor.ts';

/** The base at one step, read from its rigid body. World frame. */
export interface Moment extends XY {
  yawRad: number;
  linearMps: number;
  angularRps: number;
  velocityX: number;
  velocityY: number;
}

const STEP_S = 1 / 120;
/** Accelerations are smoothed over so many steps before jerk is taken from them. */
const SMOOTH_STEPS = 12;
/** Slower than this on the way counts as standing; nearer to either end than that does not count as on the way. */
const STANDING_MPS = 0.05;
const ENDS_M = 0.35;

export function momentOf(core: RuntimeCore): Moment {
  const { position, yawRad, linearMps, angularRps } = robotTruth(core);
  const { x, y } = core.world.base.rigidBody.linvel();
  return { x: position[0], y: position[1], yawRad, linearMps, angularRps, velocityX: x, velocityY: y };
}

export const apart = (a: XY, b: XY): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The smaller angle between two headings, radians. */
export const turnBetween = (a: number, b: number): number => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

export interface Motion {
  lengthM: number;
  durationS: number;
  /** How often the base stood still on the way without a command to do so. */
  stops: number;
  /** Mean speed over the way without its ends; null when there is none. */
  cruiseMps: number | null;
  /** Peak of the jerk across the direction of motion, m/s³. */
  lateralJerk: number;
}

/** Figures of a trajectory, one moment per step. */
export function motionOf(trace: readonly Moment[]): Motion {
  const lengths = [0];
  for (const [i, moment] of trace.entries())
    if (i > 0) lengths.push((lengths[i - 1] ?? 0) + apart(moment, trace[i - 1] ?? moment));
  const lengthM = lengths.at(-1) ?? 0;
  let stops = 0;
  let stood = true;
  let onWay = 0;
  let onWayM = 0;
  for (const [i, moment] of trace.entries()) {
    const gone = lengths[i] ?? 0;
    if (gone < ENDS_M || lengthM - gone < ENDS_M) continue;
    onWay += 1;
    onWayM += moment.linearMps * STEP_S;
    if (moment.linearMps >= STANDING_MPS) stood = false;
    else if (!stood) {
      stood = true;
      stops += 1;
    }
  }
  return {
    lengthM,
    durationS: trace.length * STEP_S,
    stops,
    cruiseMps: onWay < 60 ? null : onWayM / (onWay * STEP_S),
    lateralJerk: lateralJerk(trace),
  };
}

function lateralJerk(trace: readonly Moment[]): number {
  let peak = 0;
  for (let i = 2 * SMOOTH_STEPS; i < trace.length; i += 1) {
    const [now, middle, then] = [trace[i], trace[i - SMOOTH_STEPS], trace[i - 2 * SMOOTH_STEPS]];
    if (!now || !middle || !then || middle.linearMps < STANDING_MPS) continue;
    const spanS = SMOOTH_STEPS * STEP_S;
    const jerkX = (now.velocityX - 2 * middle.velocityX + then.velocityX) / (spanS * spanS);
    const jerkY = (now.velocityY - 2 * middle.velocityY + then.velocityY) / (spanS * spanS);
    peak = Math.max(peak, Math.abs(jerkY * middle.velocityX - jerkX * middle.velocityY) / middle.linearMps);
  }
  return peak;
}
