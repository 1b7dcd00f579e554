import { JOINTS } from '../../protocol/robots/humanoid.ts';
import { GRAVITY_MPS2 } from '../gravity.ts';
import { FRAME_SIZE } from '../rotation.ts';
import { armIndex } from './arm-ik.ts';
import { ARM_DRIVES, ARM_MASSES, type ArmMass } from './arm-model.ts';

/** Joints of one arm. */
export const ARM_JOINTS = 5;

/** The trunk's motion as the arms feel it, world frame. */
export interface TrunkMotion {
  /** Acceleration of the torso frame's origin, m/s². */
  readonly acceleration: Float64Array;
  /** Angular velocity, rad/s, and angular acceleration, rad/s². */
  readonly omega: Float64Array;
  readonly alpha: Float64Array;
}

/** An arm's equation of motion at one moment: mass · acceleration + bias = torques of the motors. */
export interface ArmEquation {
  /** 5 × 5, row by row, kg m². */
  readonly mass: Float64Array;
  /** Coriolis and gyroscopic terms, the trunk's motion, and gravity: N m. */
  readonly bias: Float64Array;
  /** Gravity alone, N m. */
  readonly gravity: Float64Array;
  /** Axis and origin of each joint, three numbers each, world frame. */
  readonly axes: Float64Array;
  readonly origins: Float64Array;
}

/** Returns room for the equation of motion of one arm, all zero. */
export const createEquation = (): ArmEquation => ({
  mass: new Float64Array(ARM_JOINTS * ARM_JOINTS),
  bias: new Float64Array(ARM_JOINTS),
  gravity: new Float64Array(ARM_JOINTS),
  axes: new Float64Array(3 * ARM_JOINTS),
  origins: new Float64Array(3 * ARM_JOINTS),
});

/** For each joint of the right arm, then of the left: which column of its link's rotation is its axis, and its sign. */
const AXES = ([0, 1] as const).flatMap((side) =>
  JOINTS.slice(armIndex(side), armIndex(side) + ARM_JOINTS).map(({ axis }) => {
    const column = axis.findIndex((component) => component !== 0);
    return { column, sign: axis[column] ?? 0 };
  }),
);

/** Velocity of a part's centre for a unit speed of each joint. */
const _velocity = new Float64Array(3 * ARM_JOINTS);
const _omega = new Float64Array(3);
const _alpha = new Float64Array(3);
const _acceleration = new Float64Array(3);
const _arm = new Float64Array(3);
const _centreAcceleration = new Float64Array(3);
const _moment = new Float64Array(3);

/** out += a × b */
function addCross(out: Float64Array, ax: number, ay: number, az: number, bx: number, by: number, bz: number): void {
  out[0] = (out[0] as number) + ay * bz - az * by;
  out[1] = (out[1] as number) + az * bx - ax * bz;
  out[2] = (out[2] as number) + ax * by - ay * bx;
}

/** acceleration += α × r + ω × (ω × r): of a point at r on a turning link. */
function addTurning(acceleration: Float64Array, alpha: Float64Array, omega: Float64Array, r: Float64Array): void {
  const rx = r[0] as number;
  const ry = r[1] as number;
  const rz = r[2] as number;
  const wx = omega[0] as number;
  const wy = omega[1] as number;
  const wz = omega[2] as number;
  addCross(acceleration, alpha[0] as number, alpha[1] as number, alpha[2] as number, rx, ry, rz);
  addCross(acceleration, wx, wy, wz, wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx);
}

function between(out: Float64Array, frames: Float64Array, from: number, to: number): void {
  for (let row = 0; row < 3; row += 1) out[row] = (frames[to + 9 + row] as number) - (frames[from + 9 + row] as number);
}

/**
 * The equation of motion of one arm, complete: mass matrix Σ m JᵀJ + JωᵀIJω plus the rotors, and the bias as the forces that would hold
 * every joint's acceleration at zero (recursive Newton–Euler, Luh, Walker and Paul 1980, in the world frame).
 * @param frames world frames of the torso and the arm's links, up to date with the joints' angles
 * @param torso where the torso's frame begins
 * @param speedsRps of all ten arm joints, right then left
 */
export function armEquation(
  out: ArmEquation,
  side: 0 | 1,
  frames: Float64Array,
  torso: number,
  speedsRps: Float64Array,
  trunk: TrunkMotion,
): void {
  const { mass, bias, gravity } = out;
  mass.fill(0);
  bias.fill(0);
  gravity.fill(0);
  const first = (armIndex(side) + 1) * FRAME_SIZE;
  _omega.set(trunk.omega);
  _alpha.set(trunk.alpha);
  _acceleration.set(trunk.acceleration);
  // Standing still in gravity equals a constant upward acceleration.
  _acceleration[2] = (_acceleration[2] as number) + GRAVITY_MPS2;
  let part = 0;
  for (let i = 0; i < ARM_JOINTS; i += 1) {
    const o = first + i * FRAME_SIZE;
    between(_arm, frames, i === 0 ? torso : o - FRAME_SIZE, o);
    addTurning(_acceleration, _alpha, _omega, _arm);
    turnAbout(out, i, side, frames, o, speedsRps[side * ARM_JOINTS + i] as number);
    const next = ARM_MASSES[part];
    if (next?.joint === i) {
      addPart(out, frames, o, i, next);
      part += 1;
    }
    mass[i * ARM_JOINTS + i] = (mass[i * ARM_JOINTS + i] as number) + (ARM_DRIVES[i]?.armatureKgm2 as number);
  }
}

/** Notes a joint's axis and origin, and takes its turn into ω and α, which become those of its link, whose frame begins at `o`. */
function turnAbout(
  { axes, origins }: ArmEquation,
  i: number,
  side: 0 | 1,
  frames: Float64Array,
  o: number,
  speedRps: number,
): void {
  const { column, sign } = AXES[side * ARM_JOINTS + i] as (typeof AXES)[number];
  const x = sign * (frames[o + column] as number);
  const y = sign * (frames[o + 3 + column] as number);
  const z = sign * (frames[o + 6 + column] as number);
  axes[3 * i] = x;
  axes[3 * i + 1] = y;
  axes[3 * i + 2] = z;
  for (let row = 0; row < 3; row += 1) origins[3 * i + row] = frames[o + 9 + row] as number;
  const dx = x * speedRps;
  const dy = y * speedRps;
  const dz = z * speedRps;
  addCross(_alpha, _omega[0] as number, _omega[1] as number, _omega[2] as number, dx, dy, dz);
  _omega[0] = (_omega[0] as number) + dx;
  _omega[1] = (_omega[1] as number) + dy;
  _omega[2] = (_omega[2] as number) + dz;
}

/** Adds a part on link `last`, whose frame begins at `o`, to the equation. */
function addPart(equation: ArmEquation, frames: Float64Array, o: number, last: number, part: ArmMass): void {
  const { mass, bias, gravity, axes, origins } = equation;
  const { massKg, belowJointM, alongKgm2, acrossKgm2 } = part;
  const ex = frames[o + 2] as number;
  const ey = frames[o + 5] as number;
  const ez = frames[o + 8] as number;
  _arm[0] = -belowJointM * ex;
  _arm[1] = -belowJointM * ey;
  _arm[2] = -belowJointM * ez;
  const cx = (frames[o + 9] as number) + (_arm[0] as number);
  const cy = (frames[o + 10] as number) + (_arm[1] as number);
  const cz = (frames[o + 11] as number) + (_arm[2] as number);
  _centreAcceleration.set(_acceleration);
  addTurning(_centreAcceleration, _alpha, _omega, _arm);
  // Euler's equation for a round body: I x = across · x + (along − across) (e · x) e.
  const wx = _omega[0] as number;
  const wy = _omega[1] as number;
  const wz = _omega[2] as number;
  const slim = alongKgm2 - acrossKgm2;
  const turned = slim * (ex * (_alpha[0] as number) + ey * (_alpha[1] as number) + ez * (_alpha[2] as number));
  const spun = slim * (ex * wx + ey * wy + ez * wz);
  _moment[0] = acrossKgm2 * (_alpha[0] as number) + turned * ex;
  _moment[1] = acrossKgm2 * (_alpha[1] as number) + turned * ey;
  _moment[2] = acrossKgm2 * (_alpha[2] as number) + turned * ez;
  addCross(_moment, wx, wy, wz, spun * ex, spun * ey, spun * ez);
  const fx = massKg * (_centreAcceleration[0] as number);
  const fy = massKg * (_centreAcceleration[1] as number);
  const fz = massKg * (_centreAcceleration[2] as number);
  for (let j = 0; j <= last; j += 1) {
    const rx = cx - (origins[3 * j] as number);
    const ry = cy - (origins[3 * j + 1] as number);
    const rz = cz - (origins[3 * j + 2] as number);
    const ax = axes[3 * j] as number;
    const ay = axes[3 * j + 1] as number;
    const az = axes[3 * j + 2] as number;
    const vx = ay * rz - az * ry;
    const vy = az * rx - ax * rz;
    const vz = ax * ry - ay * rx;
    _velocity[3 * j] = vx;
    _velocity[3 * j + 1] = vy;
    _velocity[3 * j + 2] = vz;
    bias[j] = (bias[j] as number) + fx * vx + fy * vy + fz * vz;
    bias[j] = (bias[j] as number) + (_moment[0] as number) * ax + (_moment[1] as number) * ay + (_moment[2] as number) * az;
    gravity[j] = (gravity[j] as number) + massKg * GRAVITY_MPS2 * vz;
    const along = slim * (ax * ex + ay * ey + az * ez);
    for (let k = 0; k <= j; k += 1) {
      const bx = axes[3 * k] as number;
      const by = axes[3 * k + 1] as number;
      const bz = axes[3 * k + 2] as number;
      const moved =
        vx * (_velocity[3 * k] as number) + vy * (_velocity[3 * k + 1] as number) + vz * (_velocity[3 * k + 2] as number);
      const inertia = massKg * moved + acrossKgm2 * (ax * bx + ay * by + az * bz) + along * (bx * ex + by * ey + bz * ez);
      mass[j * ARM_JOINTS + k] = (mass[j * ARM_JOINTS + k] as number) + inertia;
      if (k !== j) mass[k * ARM_JOINTS + j] = (mass[k * ARM_JOINTS + j] as number) + inertia;
    }
  }
}

/**
 * Computes how fast a point on a link moves along a direction per unit speed of each joint: five numbers at `at` of `out`.
 * @param arm the axes and origins of its joints
 * @param last the joint, 0…4, whose link carries the point
 */
export function alongNormal(
  out: Float64Array,
  at: number,
  { axes, origins }: Pick<ArmEquation, 'axes' | 'origins'>,
  last: number,
  point: Float64Array,
  normal: Float64Array,
): void {
  const nx = normal[0] as number;
  const ny = normal[1] as number;
  const nz = normal[2] as number;
  for (let j = 0; j < ARM_JOINTS; j += 1) {
    const rx = (point[0] as number) - (origins[3 * j] as number);
    const ry = (point[1] as number) - (origins[3 * j + 1] as number);
    const rz = (point[2] as number) - (origins[3 * j + 2] as number);
    const ax = axes[3 * j] as number;
    const ay = axes[3 * j + 1] as number;
    const az = axes[3 * j + 2] as number;
    out[at + j] = j > last ? 0 : nx * (ay * rz - az * ry) + ny * (az * rx - ax * rz) + nz * (ax * ry - ay * rx);
  }
}
