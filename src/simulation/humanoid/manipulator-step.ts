import { clamp } from '../../common/clamp.ts';
import { cos, exp, hypot, power, sin } from '../../common/portable-math.ts';
import { JOINTS } from '../../protocol/robots/humanoid.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { advance, restart } from '../motion.ts';
import { createPalmsGoal, solveArm } from './arm-ik.ts';
import { ARM_JOINT_COUNT, FIRST_ARM_JOINT, type ManipulatorState } from './manipulator-state.ts';
import { PALM_HALF_THICKNESS_M } from './posture.ts';
import type { BodyState } from './state.ts';

const BEND_KEYS = ['height', 'lean', 'shiftX'] as const;
type BendKey = (typeof BEND_KEYS)[number];

/** The mean time for which a joint drifts on with the speed it had when the arms' source changed. */
const DRIFT_S = 0.08;
/** Of an arm's five joints, the one that swings it outward. */
export const ROLL = 1;
/** A base that has left the place of a world grip by this much takes the grip along. */
const LEAVE_M = 0.02;
const LEAVE_RAD = 0.06;

/** Advances everything the manipulator moves by one step; to be called once the base is at its new pose. */
export function stepManipulator(body: BodyState, dtS: number): void {
  const { manipulator: m, base } = body;
  const { grip: g, posture: p } = m;
  advance(g.x, dtS);
  advance(g.y, dtS);
  advance(g.z, dtS);
  advance(g.yaw, dtS);
  advance(g.opening, dtS);
  advance(p.height, dtS);
  advance(p.lean, dtS);
  advance(p.shiftX, dtS);
  advance(p.shiftY, dtS);
  advance(p.waist, dtS);
  advance(m.way, dtS);
  advance(m.blend, dtS);
  m.latchAgeS += dtS;
  if (m.source === 'grip' && m.frame === 'world' && hasLeft(m, base)) toBaseFrame(body);
}

const hasLeft = ({ anchor }: ManipulatorState, base: PlanarPose): boolean =>
  hypot(base.x - anchor.x, base.y - anchor.y) > LEAVE_M || Math.abs(wrapRad(base.yawRad - anchor.yawRad)) > LEAVE_RAD;

/**
 * Sets the arm joints for the present trunk: the source's angles, blended in from the joints' angles when it became the source.
 * @param swingRad the ten angles of the arms' swing, right then left
 */
export function poseArms(body: BodyState, swingRad: Float64Array, dtS: number): void {
  const { manipulator: m, jointPositions, frames } = body;
  if (m.source === 'grip') solveGrip(body, frames, jointPositions);
  else jointPositions.set(swingRad, FIRST_ARM_JOINT);
  const share = m.blend.value;
  const drift = DRIFT_S * (1 - exp(-m.latchAgeS / DRIFT_S));
  for (let i = 0; i < ARM_JOINT_COUNT; i += 1) {
    const j = FIRST_ARM_JOINT + i;
    let rad = jointPositions[j] as number;
    if (share < 1) {
      // Half way the trunk may still be too far for the grip itself: its final angles lead, and the grip takes over at the end.
      const trueShare = m.source === 'grip' ? power(share, 48) : 1;
      rad = rad * trueShare + (m.goalRad[i] as number) * (1 - trueShare);
      const from = (m.latchRad[i] as number) + (m.latchVelocity[i] as number) * drift;
      // Elbows move out before they move back, and move in after they came forward: around the trunk, not through it.
      const own = i % (ARM_JOINT_COUNT / 2) !== ROLL ? share : m.source === 'swing' ? share * (2 - share) : share * share;
      rad = from + (rad - from) * own;
      const spec = JOINTS[j];
      if (spec) rad = clamp(rad, spec.minRad, spec.maxRad);
      jointPositions[j] = rad;
    }
    if (dtS > 0) m.armsVelocity[i] = (rad - (m.armsRad[i] as number)) / dtS;
    m.armsRad[i] = rad;
  }
}

const _solve_goal = createPalmsGoal();

/** Computes the arms' angles for the grip as it is commanded now. */
function solveGrip({ manipulator: m, base }: BodyState, frames: Float64Array, jointPositions: Float64Array): void {
  const g = m.grip;
  let x = g.x.value;
  let y = g.y.value;
  let yawRad = g.yaw.value;
  if (m.frame === 'base') {
    const c = cos(base.yawRad);
    const s = sin(base.yawRad);
    const ahead = x;
    x = base.x + c * ahead - s * y;
    y = base.y + s * ahead + c * y;
    yawRad += base.yawRad;
  }
  _solve_goal.x = x;
  _solve_goal.y = y;
  _solve_goal.z = g.z.value;
  _solve_goal.normalX = -sin(yawRad);
  _solve_goal.normalY = cos(yawRad);
  _solve_goal.halfM = g.opening.value / 2 + PALM_HALF_THICKNESS_M;
  solveArm(jointPositions, 0, frames, _solve_goal);
  solveArm(jointPositions, 1, frames, _solve_goal);
}

/** Height, lean and forward shift of the pelvis as they are held now. */
export const heldPosture = ({ posture, bend, way }: ManipulatorState, key: BendKey): number =>
  posture[key].value + 4 * way.value * (1 - way.value) * bend[key];

/** Makes the posture's bend part of its channels, with place and speed unchanged, so that they can get a new goal. */
export function foldBend({ posture, bend, way }: ManipulatorState): void {
  const { value: w, velocity: v, acceleration: a } = way;
  for (const key of BEND_KEYS) {
    const channel = posture[key];
    channel.value += 4 * w * (1 - w) * bend[key];
    channel.velocity += 4 * (1 - 2 * w) * v * bend[key];
    channel.acceleration += (4 * (1 - 2 * w) * a - 8 * v * v) * bend[key];
    bend[key] = 0;
  }
  restart(way, 1);
}

/** Lets the arms follow another source from now on, blending in over `durationS` from how the joints are and move. */
export function switchSource(m: ManipulatorState, source: ManipulatorState['source'], durationS: number): void {
  m.source = source;
  m.latchRad.set(m.armsRad);
  m.latchVelocity.set(m.armsVelocity);
  m.latchAgeS = 0;
  restart(m.blend, 0, 1, durationS);
}

/** Whether the arms follow their source alone. */
export const settled = (m: ManipulatorState): boolean => m.blend.value >= 1;

/** Measures the grip in the world from now on, unmoved. */
export function toWorldFrame(body: BodyState): void {
  const { manipulator: m, base } = body;
  m.anchor = { ...base };
  if (m.frame === 'world') return;
  turnGrip(m, base.yawRad);
  m.grip.x.value += base.x;
  m.grip.y.value += base.y;
  m.grip.x.goal += base.x;
  m.grip.y.goal += base.y;
  m.frame = 'world';
}

/** Measures the grip in the base frame from now on, unmoved: it moves with the base. */
export function toBaseFrame(body: BodyState): void {
  const { manipulator: m, base } = body;
  if (m.frame === 'base') return;
  m.grip.x.value -= base.x;
  m.grip.y.value -= base.y;
  m.grip.x.goal -= base.x;
  m.grip.y.goal -= base.y;
  turnGrip(m, -base.yawRad);
  m.frame = 'base';
}

function turnGrip({ grip: { x, y, yaw } }: ManipulatorState, rad: number): void {
  const c = cos(rad);
  const s = sin(rad);
  for (const key of ['value', 'velocity', 'acceleration', 'goal'] as const) {
    const before = x[key];
    x[key] = c * before - s * y[key];
    y[key] = s * before + c * y[key];
  }
  yaw.value += rad;
  yaw.goal += rad;
}
