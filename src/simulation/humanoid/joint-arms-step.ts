import { clamp } from '../../common/clamp.ts';
import { JOINT_INDEX, JOINTS } from '../../protocol/robots/humanoid.ts';
import { FRAME_SIZE } from '../rotation.ts';
import { addContacts, createContacts, findContacts, reviewContacts, updateSolids } from './arm-contact.ts';
import { ARM_JOINTS, armEquation, createEquation } from './arm-dynamics.ts';
import { ARM_DRIVES, type ArmDrive, GEAR_RPS } from './arm-model.ts';
import { solveBounded } from './bounded-solve.ts';
import { FRAME, updateFrames } from './kinematics.ts';
import { FIRST_ARM_JOINT } from './manipulator-state.ts';
import type { BodyState, JointArmsState, TrunkState } from './state.ts';

/** Returns a trunk that has not been seen in any step. */
export const createTrunk = (): TrunkState => ({
  seen: 0,
  frame: new Float64Array(FRAME_SIZE),
  velocity: new Float64Array(3),
  acceleration: new Float64Array(3),
  omega: new Float64Array(3),
  alpha: new Float64Array(3),
});

/** A joint slower than this rests; otherwise its speed would fade for ever. */
const REST_RPS = 1e-7;
/** Each pass finds another motor at its limit or another contact; more than a few are rare. */
const MAX_PASSES = 12;

const _equation = createEquation();
const _contacts = createContacts();
const _matrix = new Float64Array(ARM_JOINTS * ARM_JOINTS);
const _right = new Float64Array(ARM_JOINTS);
const _low = new Float64Array(ARM_JOINTS);
const _high = new Float64Array(ARM_JOINTS);
const _speeds = new Float64Array(ARM_JOINTS);
/** 0 = the servo has strength left, ±1 = it exerts all it can in that direction. */
const _strained = new Int8Array(ARM_JOINTS);

/** Moves the arms on by one step of `dtS` under torques; call it once the torso's frame is at its new place. */
export function stepJointArms(body: BodyState, arms: JointArmsState, dtS: number): void {
  const { manipulator: m, jointPositions, frames } = body;
  if (dtS > 0) {
    followTrunk(arms.trunk, frames, dtS);
    updateFrames(frames, jointPositions, JOINT_INDEX.rightArm, JOINT_INDEX.headYaw);
    updateSolids(frames, jointPositions);
    for (const side of [0, 1] as const) stepArm(body, arms, side, dtS);
  }
  jointPositions.set(m.armsRad, FIRST_ARM_JOINT);
}

/**
 * Makes one arm's step: linearly implicit in everything that damps or pulls back, (M + Δt D + Δt² K) q̇' = M q̇ + Δt (K (q* − q)
 * + gravity fed forward − bias), so that no stiffness can make it unstable (Tan, Liu and Turk 2011, "Stable
 * Proportional-Derivative Controllers", whose servo looks ahead by one step in angle and speed; here the speed in the angle's
 * forecast is the unknown one too), then q' = q + Δt q̇'.
 * A stop absorbs all speed into it. A servo that would need more torque than it has gives its most, and one that is far off moves
 * no faster than it may.
 */
function stepArm({ manipulator: m, frames }: BodyState, arms: JointArmsState, side: 0 | 1, dtS: number): void {
  const { armsRad, armsVelocity } = m;
  armEquation(_equation, side, frames, FRAME.torso, armsVelocity, arms.trunk);
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    const at = side * ARM_JOINTS + i;
    const spec = JOINTS[FIRST_ARM_JOINT + at] as (typeof JOINTS)[number];
    _low[i] = Math.max(-GEAR_RPS, (spec.minRad - (armsRad[at] as number)) / dtS);
    _high[i] = Math.min(GEAR_RPS, (spec.maxRad - (armsRad[at] as number)) / dtS);
  }
  _strained.fill(0);
  findContacts(_contacts, _equation, side, frames, dtS);
  for (let pass = 0, changed = true; changed && pass < MAX_PASSES; pass += 1) {
    prepare(arms, armsRad, armsVelocity, side, dtS);
    addContacts(_contacts, _matrix, _right);
    solveBounded(_matrix, _right, _low, _high, _speeds);
    const strained = !arms.limp && strain(arms, armsRad, side, dtS);
    changed = reviewContacts(_contacts, _speeds) || strained;
  }
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    const at = side * ARM_JOINTS + i;
    const spec = JOINTS[FIRST_ARM_JOINT + at] as (typeof JOINTS)[number];
    const speed = Math.abs(_speeds[i] as number) < REST_RPS ? 0 : (_speeds[i] as number);
    armsVelocity[at] = speed;
    armsRad[at] = clamp((armsRad[at] as number) + dtS * speed, spec.minRad, spec.maxRad);
  }
}

/** Returns the pull of a servo's spring at this distance: no harder than its damping holds at top speed. */
function pullNm({ stiffnessNmPerRad, dampingNmsPerRad, speedRps }: ArmDrive, offRad: number): number {
  const most = dampingNmsPerRad * speedRps;
  return clamp(stiffnessNmPerRad * offRad, -most, most);
}

/** Prepares the linear system of the step, with the motors' state as known so far. */
function prepare(arms: JointArmsState, rad: Float64Array, speedsRps: Float64Array, side: 0 | 1, dtS: number): void {
  const { mass, bias, gravity } = _equation;
  _matrix.set(mass);
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    const at = side * ARM_JOINTS + i;
    const drive = ARM_DRIVES[i] as (typeof ARM_DRIVES)[number];
    let right = -dtS * (bias[i] as number);
    for (let j = 0; j < ARM_JOINTS; j += 1)
      right += (mass[i * ARM_JOINTS + j] as number) * (speedsRps[side * ARM_JOINTS + j] as number);
    let resisting = 0;
    if (arms.limp) resisting = dtS * drive.limpNmsPerRad;
    else if (_strained[i] !== 0) right += dtS * (_strained[i] as number) * drive.torqueNm;
    else {
      resisting = dtS * drive.dampingNmsPerRad + dtS * dtS * drive.stiffnessNmPerRad;
      right += dtS * (pullNm(drive, (arms.targetRad[at] as number) - (rad[at] as number)) + (gravity[i] as number));
    }
    _matrix[i * ARM_JOINTS + i] = (_matrix[i * ARM_JOINTS + i] as number) + resisting;
    _right[i] = right;
  }
}

/** Marks the servos that the solution asks too much of; returns whether there are new ones. */
function strain(arms: JointArmsState, rad: Float64Array, side: 0 | 1, dtS: number): boolean {
  let found = false;
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    if (_strained[i] !== 0) continue;
    const at = side * ARM_JOINTS + i;
    const drive = ARM_DRIVES[i] as (typeof ARM_DRIVES)[number];
    const pull = pullNm(drive, (arms.targetRad[at] as number) - (rad[at] as number));
    const resisting = drive.dampingNmsPerRad + dtS * drive.stiffnessNmPerRad;
    const torque = pull - resisting * (_speeds[i] as number) + (_equation.gravity[i] as number);
    if (Math.abs(torque) <= drive.torqueNm) continue;
    _strained[i] = torque > 0 ? 1 : -1;
    found = true;
  }
  return found;
}

/** Computes velocity and acceleration of the torso's frame from its last places; unknown ones count as none. */
function followTrunk(trunk: TrunkState, frames: Float64Array, dtS: number): void {
  const { frame, velocity, acceleration, omega, alpha } = trunk;
  const o = FRAME.torso;
  if (trunk.seen === 0) {
    for (const unknown of [velocity, acceleration, omega, alpha]) unknown.fill(0);
  } else {
    for (let row = 0; row < 3; row += 1) {
      const speed = ((frames[o + 9 + row] as number) - (frame[9 + row] as number)) / dtS;
      acceleration[row] = trunk.seen > 1 ? (speed - (velocity[row] as number)) / dtS : 0;
      velocity[row] = speed;
    }
    // Half the sum of column × turned column is the sine of a small turn, along its axis.
    for (let row = 0; row < 3; row += 1) {
      const a = 3 * ((row + 1) % 3);
      const b = 3 * ((row + 2) % 3);
      let turn = 0;
      for (let column = 0; column < 3; column += 1) {
        turn += (frame[a + column] as number) * (frames[o + b + column] as number);
        turn -= (frame[b + column] as number) * (frames[o + a + column] as number);
      }
      const speed = turn / (2 * dtS);
      alpha[row] = trunk.seen > 1 ? (speed - (omega[row] as number)) / dtS : 0;
      omega[row] = speed;
    }
  }
  for (let i = 0; i < FRAME_SIZE; i += 1) frame[i] = frames[o + i] as number;
  trunk.seen = Math.min(2, trunk.seen + 1);
}
