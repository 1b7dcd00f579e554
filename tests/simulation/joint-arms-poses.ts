import { JOINT_INDEX } from '../../src/protocol/robots/humanoid.ts';
import { type BodyState, createBody, linkPoses } from '../../src/simulation/humanoid/body.ts';
import * as joints from '../../src/simulation/humanoid/joint-arms.ts';
import type { Chance } from '../oracle/chance.ts';
import { fromQuat } from './humanoid/helpers/oracle.ts';
import { armJoints, clearanceM, kineticEnergy, potentialEnergy, SIDES } from './joint-arms-oracle.ts';

export const SPECS = SIDES.flatMap(armJoints);
export const STANDING = [0.35, 0.18, 0, -0.87, 0, -0.35, -0.18, 0, 0.87, 0];

export const standing = (): BodyState => createBody({ x: 0, y: 0, yawRad: 0 });

/** Sets the arms to a pose at once, as no call can. */
export function putArms(body: BodyState, rad: readonly number[], rps: readonly number[] = rad.map(() => 0)): void {
  body.jointPositions.set(rad, JOINT_INDEX.rightArm);
  body.manipulator.armsRad.set(rad);
  body.manipulator.armsVelocity.set(rps);
}

/** Whether forearms and hands are this far from all other parts of a standing robot. */
export function isClear(rad: readonly number[], byM: number): boolean {
  const body = standing();
  putArms(body, rad);
  return clearanceM(body).gapM > byM;
}

export const within = (rad: readonly number[]): number[] =>
  rad.map((value, i) => Math.max(SPECS[i]?.minRad ?? 0, Math.min(SPECS[i]?.maxRad ?? 0, value)));

/** Arms anywhere within their ranges that touch nothing. */
export function clearPose(chance: Chance, byM: number): number[] {
  for (;;) {
    const rad = SPECS.map(({ minRad, maxRad }) => chance.between(minRad, maxRad));
    if (isClear(rad, byM)) return rad;
  }
}

/** Two such poses that are a little apart: the path between them is free too. */
export function clearWay(chance: Chance): { from: number[]; target: number[] } {
  for (;;) {
    const target = clearPose(chance, 0.08);
    const from = within(target.map((rad) => rad + chance.between(-0.25, 0.25)));
    if (isClear(from, 0.05)) return { from, target };
  }
}

/** A pose that one joint may leave by half a radian. */
export function clearStep(chance: Chance, moved: number, { maxRad }: { maxRad: number }): { from: number[]; sign: number } {
  for (;;) {
    const from = clearPose(chance, 0.03);
    const sign = (from[moved] ?? 0) + 0.55 < maxRad ? 1 : -1;
    const at = (share: number): number[] => from.map((rad, i) => (i === moved ? rad + 0.5 * sign * share : rad));
    if ([0.25, 0.5, 0.75, 1].every((share) => isClear(at(share), 0.03))) return { from, sign };
  }
}

export const worstOff = (body: BodyState, rad: readonly number[]): number =>
  Math.max(...joints.measuredRad(body).map((q, i) => Math.abs(q - (rad[i] ?? Number.NaN))));

export const fastestRps = (body: BodyState): number => Math.max(...joints.speedsRps(body).map(Math.abs));

export function energyOf(body: BodyState): number {
  const torso = linkPoses(body).get('torso');
  if (!torso) throw new Error('no torso');
  const frame = fromQuat([...torso.orientation], torso.position);
  return SIDES.reduce((sum, side, s) => {
    const rad = joints.measuredRad(body).slice(5 * s, 5 * s + 5);
    const rps = joints.speedsRps(body).slice(5 * s, 5 * s + 5);
    return sum + potentialEnergy(side, frame, rad) + kineticEnergy(side, () => frame, 0, rad, rps);
  }, 0);
}
