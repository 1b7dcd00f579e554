import { HUMANOID } from '../../protocol/robots/humanoid.ts';
import { copyPlain } from '../plain.ts';
import type { RobotKind } from '../robot.ts';
import type { SimWorld } from '../sim-world.ts';
import { createBody, serialise, stepBody } from './body.ts';
import * as head from './head.ts';
import * as posedArms from './joint-arms.ts';
import { placePalmCentres } from './kinematics.ts';
import * as hands from './manipulator.ts';
import type { BodyState } from './state.ts';

/** A humanoid's body as kept data. */
export type KeptHumanoid = Pick<BodyState, 'base' | 'jointPositions' | 'frames' | 'gait' | 'manipulator' | 'head' | 'jointArms'>;

/** The humanoid: two legs that walk, two arms whose palms take a thing between them, a head that turns. */
export const humanoid: RobotKind<BodyState, KeptHumanoid> = {
  model: HUMANOID,
  chassis: { massKg: 40, heightM: 1.2, maxForceN: 160, maxTorqueNm: 20 },
  workplace: { distancesM: [0.5, 0.44, 0.58, 0.4], farthestM: 0.85, twistMaxRad: 0.6 },
  gripper: {
    widthM: { min: 0.06, max: 0.32 },
    mostDepthM: 0.4,
    mostHeightM: 0.4,
    mostMassKg: 2.5,
    narrow: { belowWidthM: 0.14, lowestM: 0.1 },
    openingM: 0.38,
    closeIn: [
      { aheadM: 0.2, heightM: 0.56 },
      { aheadM: 0.22, heightM: 0.92 },
    ],
    hang: { aheadM: 0.06, heightM: 0.545, openingM: 0.46 },
    highestCarryM: 1.1,
  },
  carried: { aheadM: hands.CARRY_AHEAD_M, heightM: hands.CARRY_HEIGHT_M },
  hands,
  head,
  posedArms,
  create: createBody,
  step: stepBody,
  numbers: serialise,
  keep: ({ base, jointPositions, frames, gait, manipulator, head: turning, jointArms }) =>
    copyPlain({ base, jointPositions, frames, gait, manipulator, head: turning, jointArms }),
  restore,
};

/** The poses that a body reports are made of its own arrays, so these are written in place. */
function restore(kept: KeptHumanoid): BodyState {
  const body = createBody(kept.base);
  const { base, jointPositions, frames, gait, manipulator, head: turning, jointArms } = copyPlain(kept);
  Object.assign(body.base, base);
  body.jointPositions.set(jointPositions);
  body.frames.set(frames);
  placePalmCentres(body.palmCentres, body.frames);
  body.gait = gait;
  body.manipulator = manipulator;
  body.head = turning;
  body.jointArms = jointArms;
  return body;
}

/** Returns the body of a world whose robot is the humanoid. @throws RangeError when it is another */
export function humanoidOf(world: SimWorld): BodyState {
  if (world.robot.model.id !== HUMANOID.id) throw new RangeError(`The robot is not a humanoid: ${world.robot.model.id}.`);
  return world.body as BodyState;
}
