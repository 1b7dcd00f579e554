/**
 * The arms' energies from only their masses and 4 × 4 matrices, by differences: slow, obvious, and sharing no code with the
 * body's dynamics.
 */

import { JOINTS, WAIST_HEIGHT_M } from '../../src/protocol/robots/humanoid.ts';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import type { RigidPose } from '../../src/protocol/wire/render-state.ts';
import { ARM_DRIVES, ARM_MASSES } from '../../src/simulation/humanoid/arm-model.ts';
import { linksOf } from '../promises/motion/links.ts';
import { apartM, ballOf, gapM, pairsOf, solidsOf } from '../promises/motion/solids.ts';
import { direction, frameOf, linkFrames, type Matrix4, multiply, point, translation } from './humanoid/helpers/oracle.ts';

export type Side = 'right' | 'left';
export const SIDES: readonly Side[] = ['right', 'left'];
const GRAVITY = 9.81;
const PARTS = ['shoulder_pitch', 'shoulder_roll', 'shoulder_yaw', 'elbow', 'wrist_yaw'];
const FIRST: Record<Side, number> = { right: 13, left: 18 };

/** The five specs of an arm's joints. */
export const armJoints = (side: Side): (typeof JOINTS)[number][] =>
  PARTS.map((part) => {
    const spec = JOINTS.find(({ name }) => name === `${side}_${part}`);
    if (!spec) throw new Error(`no ${side} ${part}`);
    return spec;
  });

/** Links of one arm from the place of the torso and the arm's five angles. */
function armLinks(side: Side, torso: Matrix4, rad: readonly number[]): Matrix4[] {
  const joints = new Float64Array(JOINTS.length);
  joints.set(rad, FIRST[side]);
  const frames = linkFrames(multiply(torso, translation([0, 0, -WAIST_HEIGHT_M])), joints);
  return PARTS.map((part) => frameOf(frames, `${side}_${part}_link`));
}

export function potentialEnergy(side: Side, torso: Matrix4, rad: readonly number[]): number {
  const links = armLinks(side, torso, rad);
  return ARM_MASSES.reduce((sum, { joint, massKg, belowJointM }) => {
    const link = links[joint];
    if (!link) throw new Error('no link');
    return sum + massKg * GRAVITY * point(link, [0, 0, -belowJointM])[2];
  }, 0);
}

const SMALL_S = 1e-4;

/**
 * Kinetic energy from all places a moment before and after. A body turns with ½ Σ Pᵢ |dᵢ|², dᵢ the velocities of its axes' tips
 * and Pᵢ its second moments along them. Rotors turn with their joints.
 * @param torsoAt the place of the torso at a time, seconds
 */
export function kineticEnergy(
  side: Side,
  torsoAt: (timeS: number) => Matrix4,
  timeS: number,
  rad: readonly number[],
  rps: readonly number[],
): number {
  const at = (s: number): Matrix4[] =>
    armLinks(
      side,
      torsoAt(timeS + s),
      rad.map((q, i) => q + (rps[i] ?? 0) * s),
    );
  const [before, after] = [at(-SMALL_S), at(SMALL_S)];
  const squared = (a: Vec3, b: Vec3): number => a.reduce((sum, v, i) => sum + (((b[i] ?? 0) - v) / (2 * SMALL_S)) ** 2, 0);
  let energy = 0;
  for (const { joint, massKg, belowJointM, alongKgm2, acrossKgm2 } of ARM_MASSES) {
    const [a, b] = [before[joint], after[joint]];
    if (!a || !b) throw new Error('no link');
    const centre: Vec3 = [0, 0, -belowJointM];
    energy += 0.5 * massKg * squared(point(a, centre), point(b, centre));
    const moments = [alongKgm2 / 2, alongKgm2 / 2, acrossKgm2 - alongKgm2 / 2];
    moments.forEach((moment, axis) => {
      const tip: Vec3 = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
      energy += 0.5 * moment * squared(direction(a, tip), direction(b, tip));
    });
  }
  return ARM_DRIVES.reduce((sum, { armatureKgm2 }, i) => sum + 0.5 * armatureKgm2 * (rps[i] ?? 0) ** 2, energy);
}

const nudged = (values: readonly number[], index: number, by: number): number[] =>
  values.map((value, i) => (i === index ? value + by : value));

/** Generalised momenta ∂T/∂q̇: T is quadratic in the speeds, so a central difference over any width is exact. */
const momenta = (energyOf: (rps: readonly number[]) => number, rps: readonly number[]): number[] =>
  rps.map((_, i) => (energyOf(nudged(rps, i, 1)) - energyOf(nudged(rps, i, -1))) / 2);

/** The mass matrix: the momentum in each joint per unit speed of each joint. */
export function massMatrix(side: Side, torso: Matrix4, rad: readonly number[]): number[][] {
  const of = (rps: readonly number[]): number[] => momenta((speeds) => kineticEnergy(side, () => torso, 0, rad, speeds), rps);
  return rad.map((_, j) => of(rad.map((__, i) => (i === j ? 1 : 0))));
}

/** Lagrange's d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q with all joints unaccelerated: the torques that the motors would need to hold. */
export function biasTorques(
  side: Side,
  torsoAt: (timeS: number) => Matrix4,
  rad: readonly number[],
  rps: readonly number[],
): number[] {
  const h = 1e-3;
  const along = (s: number): number[] => rad.map((q, i) => q + (rps[i] ?? 0) * s);
  const momentaAt = (s: number): number[] => momenta((speeds) => kineticEnergy(side, torsoAt, s, along(s), speeds), rps);
  const [before, after] = [momentaAt(-h), momentaAt(h)];
  return rad.map((_, i) => {
    const lagrangian = (by: number): number =>
      kineticEnergy(side, torsoAt, 0, nudged(rad, i, by), rps) - potentialEnergy(side, torsoAt(0), nudged(rad, i, by));
    return ((after[i] ?? 0) - (before[i] ?? 0)) / (2 * h) - (lagrangian(h) - lagrangian(-h)) / (2 * h);
  });
}

/** Upper arms lie on the chest's sides. */
const ARM_PART = / (forearm|hand)$/;

/**
 * The narrowest gap between a forearm or hand and another part of the body, by the judge of motions; negative if they overlap.
 */
export function clearanceM(state: { rootPose: RigidPose; jointPositions: ArrayLike<number> }): {
  gapM: number;
  trunkM: number;
  pair: string;
} {
  const solids = solidsOf(linksOf({ rootPose: state.rootPose, jointPositions: Array.from(state.jointPositions) }), {
    things: [],
  });
  const worst = { gapM: 1, trunkM: 1, pair: '' };
  for (const [a, b] of pairsOf(solids)) {
    const [partA, partB] = [solids.get(a), solids.get(b)];
    if (!partA || !partB || !(ARM_PART.test(a) || ARM_PART.test(b))) continue;
    const [ballA, ballB] = [ballOf(partA), ballOf(partB)];
    const gap = apartM(ballA.centre, ballB.centre) - ballA.reachM - ballB.reachM > 0.1 ? 0.1 : gapM(partA, partB);
    if (gap < worst.gapM) Object.assign(worst, { gapM: gap, pair: `${a} and ${b}` });
    const isArms = [a, b].every((name) => / (upper arm|forearm|hand)$/.test(name));
    if (!isArms) worst.trunkM = Math.min(worst.trunkM, gap);
  }
  return worst;
}
