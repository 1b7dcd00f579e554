import { FRAME_SIZE } from '../rotation.ts';
import { ARM_JOINTS, type ArmEquation, alongNormal } from './arm-dynamics.ts';
import { armIndex } from './arm-ik.ts';
import { ARM_BALLS, type Ball, HIP_YAWS, OTHER_ARM_SOLIDS, type Solid, TRUNK_SOLIDS } from './arm-solids.ts';
import { updateFrames } from './kinematics.ts';

/**
 * Arms do not pass through trunk, head, thighs and each other: each contact found bounds the speed at which ball and solid approach, as a heavy
 * wall without friction that gives nothing back.
 */

/** Things farther apart do not meet within a step. */
const NEAR_M = 0.05;
/** As many contacts as one arm can have; more would add nothing new. */
const MOST = 32;
/** Mass of the wall: a motor at its strongest presses into it by some millimetres a second, which `OUT_PER_S` undoes. */
const WALL_KG = 200;
/** Depth that is left alone, and how fast a deeper one is undone: softly, because the arm did not cause it. */
const SLOP_M = 0.003;
const OUT_PER_S = 20;
const OUT_MPS = 0.3;

const IDLE = 0;
const PUSHING = 1;
const RETIRED = 2;

/** The contacts of one arm in one step. */
export interface ArmContacts {
  count: number;
  /** For each contact: the speed of parting per unit speed of each joint, the least speed that it allows, and whether it pushes. */
  readonly parting: Float64Array;
  readonly leastMps: Float64Array;
  readonly pushes: Int8Array;
}

/** Returns room for the contacts of one arm, none in it. */
export const createContacts = (): ArmContacts => ({
  count: 0,
  parting: new Float64Array(MOST * ARM_JOINTS),
  leastMps: new Float64Array(MOST),
  pushes: new Int8Array(MOST),
});

const _ball = new Float64Array(3);
const _normal = new Float64Array(3);
const _local = new Float64Array(3);
const _sign = new Float64Array(3);

/** Updates the frames of the solids that arms may meet; those of torso, pelvis and arms are up to date. */
export function updateSolids(frames: Float64Array, jointPositions: Float64Array): void {
  for (const joint of HIP_YAWS) updateFrames(frames, jointPositions, joint - 2, joint + 1);
}

/**
 * Finds where an arm is about to meet the trunk, the thighs or the other arm, which counts as standing still where it was.
 * @param contacts receives them, in place of those of an earlier step
 * @param equation of the same arm at the same place
 */
export function findContacts(contacts: ArmContacts, equation: ArmEquation, side: 0 | 1, frames: Float64Array, dtS: number): void {
  contacts.count = 0;
  const first = (armIndex(side) + 1) * FRAME_SIZE;
  for (const ball of ARM_BALLS) {
    placeBall(frames, first + ball.joint * FRAME_SIZE, side, ball);
    for (const solid of TRUNK_SOLIDS) addContact(contacts, equation, ball.joint, gapTo(frames, solid, ball.radiusM), 1, dtS);
    // The other arm covers its half of the way.
    for (const solid of OTHER_ARM_SOLIDS[side])
      addContact(contacts, equation, ball.joint, gapTo(frames, solid, ball.radiusM), 0.5, dtS);
  }
}

function placeBall(frames: Float64Array, o: number, side: 0 | 1, { xM, outwardM, zM }: Ball): void {
  const yM = side === 0 ? -outwardM : outwardM;
  for (let row = 0; row < 3; row += 1) {
    const at = o + 3 * row;
    _ball[row] =
      (frames[at] as number) * xM +
      (frames[at + 1] as number) * yM +
      (frames[at + 2] as number) * zM +
      (frames[o + 9 + row] as number);
  }
}

/** Adds the ball's contact with the solid that `gapTo` was last asked for. */
function addContact(contacts: ArmContacts, equation: ArmEquation, joint: number, gapM: number, share: number, dtS: number): void {
  const { count, parting, leastMps, pushes } = contacts;
  if (gapM > NEAR_M || count === MOST) return;
  alongNormal(parting, count * ARM_JOINTS, equation, joint, _ball, _normal);
  // It may come as near as touching within the step; a contact that is too deep comes out.
  leastMps[count] = gapM > 0 ? (-share * gapM) / dtS : Math.min(OUT_MPS, OUT_PER_S * Math.max(0, -gapM - SLOP_M));
  pushes[count] = IDLE;
  contacts.count = count + 1;
}

/** Returns the distance between the ball and a solid, metres, negative when they overlap; `_normal` is the way out of the solid, world frame. Infinite when far. */
function gapTo(frames: Float64Array, { frame, centreM, halfM, radiusM }: Solid, ballM: number): number {
  const dx = (_ball[0] as number) - (frames[frame + 9] as number);
  const dy = (_ball[1] as number) - (frames[frame + 10] as number);
  const dz = (_ball[2] as number) - (frames[frame + 11] as number);
  let outside = 0;
  let deepest = Number.NEGATIVE_INFINITY;
  let deepestAxis = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const along =
      (frames[frame + axis] as number) * dx +
      (frames[frame + 3 + axis] as number) * dy +
      (frames[frame + 6 + axis] as number) * dz -
      (centreM[axis] as number);
    const beyond = Math.abs(along) - (halfM[axis] as number);
    if (beyond > radiusM + ballM + NEAR_M) return Number.POSITIVE_INFINITY;
    if (beyond > deepest) {
      deepest = beyond;
      deepestAxis = axis;
    }
    const over = Math.max(0, beyond);
    outside += over * over;
    _local[axis] = along < 0 ? -over : over;
    _sign[axis] = along < 0 ? -1 : 1;
  }
  const distance = Math.sqrt(outside);
  const isInside = distance < 1e-9;
  for (let axis = 0; axis < 3; axis += 1) {
    if (isInside) _local[axis] = axis === deepestAxis ? (_sign[axis] as number) : 0;
    else _local[axis] = (_local[axis] as number) / distance;
  }
  for (let row = 0; row < 3; row += 1) {
    const at = frame + 3 * row;
    _normal[row] =
      (frames[at] as number) * (_local[0] as number) +
      (frames[at + 1] as number) * (_local[1] as number) +
      (frames[at + 2] as number) * (_local[2] as number);
  }
  return (isInside ? deepest : distance) - radiusM - ballM;
}

/** Adds the contacts that push to a step's linear system. */
export function addContacts({ count, parting, leastMps, pushes }: ArmContacts, matrix: Float64Array, right: Float64Array): void {
  for (let c = 0; c < count; c += 1) {
    if (pushes[c] !== PUSHING) continue;
    for (let i = 0; i < ARM_JOINTS; i += 1) {
      const weighed = WALL_KG * (parting[c * ARM_JOINTS + i] as number);
      right[i] = (right[i] as number) + weighed * (leastMps[c] as number);
      for (let j = 0; j < ARM_JOINTS; j += 1) {
        matrix[i * ARM_JOINTS + j] = (matrix[i * ARM_JOINTS + j] as number) + weighed * (parting[c * ARM_JOINTS + j] as number);
      }
    }
  }
}

/** Compares the contacts with a solution of the step: new ones push, and those that would pull are released for good. Returns whether any changed. */
export function reviewContacts({ count, parting, leastMps, pushes }: ArmContacts, speeds: Float64Array): boolean {
  let changed = false;
  for (let c = 0; c < count; c += 1) {
    let partingMps = 0;
    for (let i = 0; i < ARM_JOINTS; i += 1) partingMps += (parting[c * ARM_JOINTS + i] as number) * (speeds[i] as number);
    const excess = partingMps - (leastMps[c] as number);
    if (pushes[c] === IDLE && excess < -1e-9) pushes[c] = PUSHING;
    else if (pushes[c] === PUSHING && excess > 1e-9) pushes[c] = RETIRED;
    else continue;
    changed = true;
  }
  return changed;
}
