import { hypot } from '../../common/portable-math.ts';
import { PICKER_JOINTS } from '../../protocol/robots/picker.ts';
import { type PlanarPose, wrapRad } from '../../protocol/wire/geometry.ts';
import { requireFinite } from '../finite.ts';
import { ABOUT_THERE_M, FREEZE_S, HALT_OPENED_S, HALT_S, OPENING_M } from '../hand-stops.ts';
import { aim, brake, PEAK_FACTOR } from '../motion.ts';
import type { GripPose, RobotHands } from '../robot.ts';
import { type BaseGrip, gripOf, solveArm } from './arm.ts';
import { STOWED, worldGrip } from './body.ts';
import { gripInBase, toBaseFrame, toWorldFrame } from './frames.ts';
import { meetsScene } from './room.ts';
import type { GripChannels, PickerBody } from './state.ts';

/** Peak speeds that default durations keep. */
const HAND_MPS = 1.2;
const HAND_RPS = 3;
const OPENING_MPS = 0.6;
const SHORTEST_S = 0.2;
/** A grip counts as reached when it misses by less; lift, boom and wrist are exact. */
const REACHED_M = 1e-6;
/** The place of a carried thing, base frame. */
export const CARRIED: Omit<BaseGrip, 'openingM'> = { x: 0.4, y: 0, z: 0.92, yawRad: 0 };

const _solve_joints = new Float64Array(PICKER_JOINTS.length);

const inBase = (base: PlanarPose, { centre: [x, y, z], yawRad, openingM }: GripPose): BaseGrip =>
  gripInBase(base, { x, y, z, yawRad, openingM });

const isReached = (base: PlanarPose, grip: GripPose): boolean => solveArm(_solve_joints, inBase(base, grip)) < REACHED_M;

/** The time of a motion of the hand at its peak speeds; the fingers have their own. */
function durationTo({ x, y, z, yaw, opening }: GripChannels, to: BaseGrip): number {
  const wayM = hypot(to.x - x.value, to.y - y.value, to.z - z.value);
  const turnRad = Math.abs(to.yawRad - yaw.value);
  const openingS = Math.abs(to.openingM - opening.value) / OPENING_MPS;
  return Math.max(SHORTEST_S, PEAK_FACTOR * Math.max(wayM / HAND_MPS, turnRad / HAND_RPS, openingS));
}

/** Sends the grip's numbers to a goal in the frame that they are in; fingers that brake because they have touched keep braking. */
function send({ grip }: PickerBody, to: BaseGrip, durationS: number): void {
  aim(grip.x, to.x, durationS);
  aim(grip.y, to.y, durationS);
  aim(grip.z, to.z, durationS);
  aim(grip.yaw, to.yawRad, durationS);
  const { opening } = grip;
  const isFreezing = opening.remainingS > 0 && opening.remainingS <= FREEZE_S;
  if (!isFreezing || Math.abs(opening.goal - to.openingM) >= ABOUT_THERE_M) aim(opening, to.openingM, durationS);
}

function sendInBase(body: PickerBody, to: BaseGrip, durationS: number | undefined, slowerBy = 1): void {
  toBaseFrame(body, body.base);
  send(body, to, durationS ?? slowerBy * durationTo(body.grip, to));
}

/** The gripper as the skills use it: its two fingers are the palms. */
export const hands: RobotHands<PickerBody> = {
  solveReach: (world, base, grip) => ({ feasible: isReached(base, grip) && !meetsScene(world, base, grip) }),
  moveTo(body, grip, { durationS, slowerBy = 1 } = {}) {
    const [x, y, z] = grip.centre;
    requireFinite('the grip', x, y, z, grip.yawRad);
    requireFinite('its opening', grip.openingM);
    if (!isReached(body.base, grip)) return false;
    toWorldFrame(body);
    const { value } = body.grip.yaw;
    const to = { x, y, z, yawRad: value + wrapRad(grip.yawRad - value), openingM: grip.openingM };
    send(body, to, durationS ?? slowerBy * durationTo(body.grip, to));
    return true;
  },
  setOpening({ grip: { opening } }, openingM, durationS) {
    aim(opening, openingM, durationS ?? Math.max(SHORTEST_S, (PEAK_FACTOR * Math.abs(openingM - opening.value)) / OPENING_MPS));
  },
  freezeOpening({ grip: { opening } }) {
    brake(opening, FREEZE_S);
  },
  carry(body, { heightM = CARRIED.z, slowerBy = 1 } = {}) {
    sendInBase(body, { ...CARRIED, z: heightM, openingM: body.grip.opening.goal }, undefined, slowerBy);
  },
  stow(body, durationS) {
    sendInBase(body, STOWED, durationS);
  },
  halt({ grip }) {
    for (const channel of Object.values(grip)) {
      // Half-open fingers would clamp the thing they were to let go, so they open to the end: they had the time of the whole reach, which is too long for a stop.
      if (channel === grip.opening && channel.goal > channel.value + OPENING_M)
        aim(channel, channel.goal, Math.min(HALT_OPENED_S, channel.remainingS));
      else brake(channel, Math.min(HALT_S, channel.remainingS));
    }
  },
  isMoving: ({ grip, giveWay }) => Object.values(grip).some(({ remainingS }) => remainingS > 0) || giveWay.velocity !== 0,
  grip({ base, jointPositions }) {
    const { x, y, z, yawRad, openingM } = worldGrip(base, gripOf(jointPositions));
    return { centre: [x, y, z], yawRad, openingM };
  },
};
