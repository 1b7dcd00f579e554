import { clamp } from '../../common/clamp.ts';
import { cos, hypot, sin } from '../../common/portable-math.ts';
import { BASE_HEIGHT_M } from '../../protocol/robots/humanoid.ts';
import type { PlanarPose } from '../../protocol/wire/geometry.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import { type Follower, follow } from '../motion.ts';
import type { BodyInput } from '../robot.ts';
import { roomBesideM } from '../room-beside.ts';

/**
 * Arms are drawn close to the trunk beside furniture: as far as the base's own disc keeps clear, they then do too, whichever way the robot turns. 0 = they
 * hang and swing freely, 1 = drawn in.
 */

/** From the middle of the base to the nearest box: nearer, the arms are all drawn in; farther, not at all. */
const DRAWN_IN_M = 0.32;
const FREE_M = 0.46;
/** The arms are drawn in this long before the base is there. */
const AHEAD_S = 0.36;
/** The arms come out again only while the base moves faster than this. */
const STANDS_MPS = 0.02;
/** The natural frequency of the motion: drawn in within a third of a second. */
const TUCK_PER_S = 13;
/** Obstacles lower than this below the pelvis, or higher than this above it, do not meet the arms. */
const BELOW_PELVIS_M = 0.24;
const ABOVE_PELVIS_M = 0.45;

/** Moves on how far the arms are drawn in. @param pelvisM height of the pelvis above the floor */
export function stepTuck(tuck: Follower, { base, velocityBody: { vx, vy }, obstacles, dtS }: BodyInput, pelvisM: number): void {
  const speedMps = hypot(vx, vy);
  const [lowM, highM] = [pelvisM - BELOW_PELVIS_M, pelvisM + ABOVE_PELVIS_M];
  const farM = FREE_M + speedMps * AHEAD_S;
  let roomM = roomBesideM(obstacles, base.x, base.y, lowM, highM, farM);
  // Only what is so near now can be near soon.
  if (roomM < farM && roomM > DRAWN_IN_M && speedMps > 0) {
    const [c, s] = [cos(base.yawRad), sin(base.yawRad)];
    for (const aheadS of [AHEAD_S / 2, AHEAD_S]) {
      const x = base.x + (c * vx - s * vy) * aheadS;
      const y = base.y + (s * vx + c * vy) * aheadS;
      roomM = Math.min(roomM, roomBesideM(obstacles, x, y, lowM, highM, roomM));
    }
  }
  // A robot that stands keeps its arms still.
  const target = speedMps < STANDS_MPS ? Math.max(tuck.value, tuckFor(roomM)) : tuckFor(roomM);
  if (target === 0 && tuck.value < STILL && Math.abs(tuck.velocity) < STILL) {
    tuck.value = 0;
    tuck.velocity = 0;
  } else follow(tuck, target, TUCK_PER_S, dtS);
}

const tuckFor = (roomM: number): number => clamp((FREE_M - roomM) / (FREE_M - DRAWN_IN_M), 0, 1);

/** Returns how far the arms of a robot that stands at a pose of its base are drawn in. */
export const tuckAt = (obstacles: readonly Obstacle[], { x, y }: PlanarPose): number =>
  tuckFor(roomBesideM(obstacles, x, y, BASE_HEIGHT_M - BELOW_PELVIS_M, BASE_HEIGHT_M + ABOVE_PELVIS_M, FREE_M));

/** Arms that are all but free are free. */
const STILL = 1e-6;
