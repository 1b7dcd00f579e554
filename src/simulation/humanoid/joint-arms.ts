import { JOINT_INDEX, STANDING_LEFT_ARM_RAD, STANDING_RIGHT_ARM_RAD } from '../../protocol/robots/humanoid.ts';
import { restart } from '../motion.ts';
import { createTrunk } from './joint-arms-step.ts';
import { ARM_JOINT_COUNT, FIRST_ARM_JOINT } from './manipulator-state.ts';
import { switchSource } from './manipulator-step.ts';
import type { BodyState } from './state.ts';

/** The source that moves the arms: the walk's swing (or a grip), a servo that follows commanded angles, or none: limp, gravity alone. */
export type ArmsMode = 'policy' | 'trajectory' | 'damp';

/** Mean joint speed on the way back to the swing, and the shortest time it takes. */
const BACK_RPS = 3.7;
const BACK_SHORTEST_S = 0.45;
/** Slower than this an arm counts as still. */
const STILL_RPS = 0.02;

const STANDING_RAD = [...STANDING_RIGHT_ARM_RAD, ...STANDING_LEFT_ARM_RAD];

/**
 * Sends the arms to ten joint angles, and holds them there until the next command. Servos and arms have mass, strength and stops:
 * an angle beyond its joint's range is pressed towards, not reached.
 * @param targetRad right arm, then left: shoulder pitch, roll, yaw, elbow, wrist yaw each
 * @throws RangeError unless these are ten finite numbers; Error while the hands are in a grip
 */
export function command(body: BodyState, targetRad: ArrayLike<number>): void {
  if (targetRad.length !== ARM_JOINT_COUNT || !Array.from(targetRad).every(Number.isFinite))
    throw new RangeError(`The arms take ${ARM_JOINT_COUNT} finite angles.`);
  const arms = takeOver(body);
  arms.limp = false;
  arms.targetRad.set(targetRad);
}

/**
 * Lets the arms go limp: motors only damp, and the arms fall and come to hang.
 * @throws Error while the hands are in a grip
 */
export function limp(body: BodyState): void {
  takeOver(body).limp = true;
}

/** Returns the arms to the walk's swing, smoothly; changes nothing when the swing already has them. */
export function giveBack(body: BodyState): void {
  const m = body.manipulator;
  if (m.source !== 'joints') return;
  let widestRad = 0;
  for (let i = 0; i < ARM_JOINT_COUNT; i += 1)
    widestRad = Math.max(widestRad, Math.abs((m.armsRad[i] as number) - (STANDING_RAD[i] as number)));
  switchSource(m, 'swing', Math.max(BACK_SHORTEST_S, widestRad / BACK_RPS));
}

/** Returns what leads the arms: the skills (`policy`), joint angles (`trajectory`), or nothing (`damp`). */
export function mode({ manipulator, jointArms }: BodyState): ArmsMode {
  if (manipulator.source !== 'joints' || !jointArms) return 'policy';
  return jointArms.limp ? 'damp' : 'trajectory';
}

/** Returns the ten angles that the servos are sent to, as requested; null when they are sent nowhere. */
export const commandedRad = (body: BodyState): readonly number[] | null =>
  mode(body) === 'trajectory' && body.jointArms ? Array.from(body.jointArms.targetRad) : null;

/** Returns the ten measured joint angles, right arm, then left. */
export const measuredRad = ({ jointPositions }: BodyState): readonly number[] =>
  Array.from(jointPositions.subarray(FIRST_ARM_JOINT, JOINT_INDEX.headYaw));

/** Returns the ten joint speeds of the last step, rad/s, whatever moves the arms. */
export const speedsRps = ({ manipulator }: BodyState): readonly number[] => Array.from(manipulator.armsVelocity);

/** Returns whether servos or gravity move the arms at this moment; false while the swing has them. */
export const isMoving = ({ manipulator: { source, armsVelocity } }: BodyState): boolean =>
  source === 'joints' && armsVelocity.some((speed) => Math.abs(speed) > STILL_RPS);

function takeOver(body: BodyState): NonNullable<BodyState['jointArms']> {
  const m = body.manipulator;
  if (m.source === 'grip') throw new Error('The hands are in a grip; put it down and stow the arms first.');
  body.jointArms ??= { limp: false, targetRad: new Float64Array(ARM_JOINT_COUNT), trunk: createTrunk() };
  if (m.source !== 'joints') {
    // Angles and speeds continue from the swing's; the servo needs no blending.
    m.source = 'joints';
    m.armsRad.set(body.jointPositions.subarray(FIRST_ARM_JOINT, JOINT_INDEX.headYaw));
    for (const one of m.giveWay) Object.assign(one, { value: 0, velocity: 0 });
    restart(m.blend, 1);
    body.jointArms.trunk.seen = 0;
  }
  return body.jointArms;
}
