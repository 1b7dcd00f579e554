import { FINGER_WAY_M, PICKER } from '../../protocol/robots/picker.ts';
import { collectNumbers, copyPlain } from '../plain.ts';
import type { RobotKind } from '../robot.ts';
import { createBody, placeFingers, stepBody } from './body.ts';
import { CARRIED, hands } from './hands.ts';
import { head } from './head.ts';
import type { PickerBody } from './state.ts';

/** A picker's body as kept data. */
type KeptPicker = Pick<PickerBody, 'base' | 'jointPositions' | 'head' | 'frame' | 'anchor' | 'grip' | 'giveWay'>;

/** The picker: a base on wheels, a boom on a mast, a gripper with two fingers. */
export const picker: RobotKind<PickerBody, KeptPicker> = {
  model: PICKER,
  chassis: { massKg: 40, heightM: 1.2, maxForceN: 160, maxTorqueNm: 20 },
  workplace: { distancesM: [0.5, 0.44, 0.56, 0.6, 0.4], farthestM: 0.63, twistMaxRad: 0.6 },
  gripper: {
    widthM: { min: 0.04, max: 0.23 },
    mostDepthM: 0.4,
    mostHeightM: 0.4,
    mostMassKg: 2.5,
    narrow: null,
    openingM: 2 * FINGER_WAY_M,
    closeIn: [{ aheadM: 0.24, heightM: 0.92 }],
    hang: null,
    highestCarryM: 1.15,
  },
  carried: { aheadM: CARRIED.x, heightM: CARRIED.z },
  hands,
  head,
  posedArms: null,
  create: createBody,
  step: stepBody,
  numbers({ base, jointPositions, head: turning, frame, anchor, grip, giveWay }) {
    const out: number[] = [];
    collectNumbers([base, jointPositions, turning, frame, anchor, grip, giveWay], out);
    return out;
  },
  keep: ({ base, jointPositions, head: turning, frame, anchor, grip, giveWay }) =>
    copyPlain({ base, jointPositions, head: turning, frame, anchor, grip, giveWay }),
  restore(kept) {
    const body = createBody(kept.base);
    const { jointPositions, head: turning, frame, anchor, grip, giveWay } = copyPlain(kept);
    // The poses that a body reports are made of its own arrays, so these are written in place.
    body.jointPositions.set(jointPositions);
    placeFingers(body);
    return Object.assign(body, { head: turning, frame, anchor, grip, giveWay });
  },
};
