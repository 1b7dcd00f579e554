import { degToRad, type Vec3 } from '../../../../protocol/wire/geometry.ts';
import type { Obstacle, SceneLayout } from '../../../../protocol/wire/scene.ts';

/** The eye looks over lower objects, and past thinner ones. Metres. */
const TALL_FROM_M = 1.2;
const WIDE_FROM_M = 0.3;
/** Space between the eye and the object in front of which it stops. */
const CLEARANCE_M = 0.25;
/** Closer than this, the robot fills the picture, and it is better to look through an obstacle. */
const SHORTEST_M = 1.2;

/**
 * Returns the obstacles that the eye must not be in or behind: shelving, inner walls, hoods. The walls around the scene are not
 * included, because they are drawn from inside only and a view from outside sees through them.
 */
export function viewBlockers({
  obstacles,
  bounds: { min, max },
}: Pick<SceneLayout, 'obstacles' | 'bounds'>): readonly Obstacle[] {
  return obstacles.filter(
    ({
      size: [width, depth, height],
      pose: {
        position: [x, y, z],
      },
    }) =>
      z + height / 2 >= TALL_FROM_M &&
      Math.max(width, depth) >= WIDE_FROM_M &&
      x > min[0] &&
      x < max[0] &&
      y > min[1] &&
      y < max[1],
  );
}

/**
 * Returns how far the eye may be from its target so that no part of the scene is in between.
 * @param target world frame, metres
 * @param eye the requested position of the eye
 * @returns a share of the requested distance, in (0, 1]
 */
export function armShare(target: Vec3, eye: Vec3, blockers: readonly Obstacle[]): number {
  const wishedM = Math.hypot(eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]);
  if (wishedM <= SHORTEST_M) return 1;
  let share = 1;
  for (const blocker of blockers) share = Math.min(share, entryShare(target, eye, blocker));
  return Math.max(share, SHORTEST_M / wishedM);
}

/**
 * Returns the share of the distance from a to b at which it enters the box, enlarged by the clearance; 1 when it does not, or
 * when it starts inside.
 */
function entryShare(a: Vec3, b: Vec3, { pose, size }: Obstacle): number {
  const from = intoBox(a, pose);
  const to = intoBox(b, pose);
  let enter = 0;
  let leave = 1;
  for (const axis of [0, 1, 2] as const) {
    const half = size[axis] / 2 + CLEARANCE_M;
    const way = to[axis] - from[axis];
    if (Math.abs(way) < 1e-9) {
      if (Math.abs(from[axis]) > half) return 1;
      continue;
    }
    const first = (-Math.sign(way) * half - from[axis]) / way;
    const second = (Math.sign(way) * half - from[axis]) / way;
    enter = Math.max(enter, first);
    leave = Math.min(leave, second);
  }
  return enter > 0 && enter < leave ? enter : 1;
}

/** Returns a world point in the frame of a box's centre. */
function intoBox(point: Vec3, { position, yaw_deg = 0 }: Obstacle['pose']): Vec3 {
  const [x, y, z] = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
  const yawRad = degToRad(yaw_deg);
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return [cos * x + sin * y, cos * y - sin * x, z];
}
