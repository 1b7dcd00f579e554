import * as portable from '../common/portable-math.ts';
import type { Obstacle } from '../protocol/wire/scene.ts';
import { turnOf } from './turned-box.ts';

/** For each box in a row: middle, cosine and sine of its turn, half its sides, lower and upper face. World frame, metres. */
const NUMBERS = 8;

const boxesOf = new WeakMap<readonly Obstacle[], Float64Array>();

function boxNumbers(obstacles: readonly Obstacle[]): Float64Array {
  const known = boxesOf.get(obstacles);
  if (known) return known;
  const boxes = Float64Array.from(
    obstacles.flatMap((obstacle) => {
      const { position } = obstacle.pose;
      const [halfX, halfY, halfZ] = [obstacle.size[0] / 2, obstacle.size[1] / 2, obstacle.size[2] / 2];
      const turn = turnOf(obstacle);
      return [position[0], position[1], turn?.cos ?? 1, turn?.sin ?? 0, halfX, halfY, position[2] - halfZ, position[2] + halfZ];
    }),
  );
  boxesOf.set(obstacles, boxes);
  return boxes;
}

/** How far the last measured point is outside of its box along the two sides of the box, metres; negative inside. */
const _outside = { x: 0, y: 0 };

/** Measures a point of the floor plane from a box, into {@link _outside}. */
function measureOutside(boxes: Float64Array, box: number, x: number, y: number): void {
  const dx = x - (boxes[box] as number);
  const dy = y - (boxes[box + 1] as number);
  const c = boxes[box + 2] as number;
  const s = boxes[box + 3] as number;
  _outside.x = Math.abs(c * dx + s * dy) - (boxes[box + 4] as number);
  _outside.y = Math.abs(c * dy - s * dx) - (boxes[box + 5] as number);
}

/**
 * Computes the distance on the floor plane from a point to the nearest box that is between two heights, metres; 0 inside of a box.
 * @param mostM what is farther off does not count
 * @returns at most `mostM`
 */
export function roomBesideM(
  obstacles: readonly Obstacle[],
  x: number,
  y: number,
  lowM: number,
  highM: number,
  mostM: number,
): number {
  const boxes = boxNumbers(obstacles);
  let nearestM = mostM;
  for (let box = 0; box < boxes.length; box += NUMBERS) {
    if ((boxes[box + 7] as number) < lowM || (boxes[box + 6] as number) > highM) continue;
    measureOutside(boxes, box, x, y);
    const { x: outX, y: outY } = _outside;
    if (outX >= nearestM || outY >= nearestM) continue;
    const distanceM = outX > 0 && outY > 0 ? portable.hypot(outX, outY) : Math.max(outX, outY, 0);
    if (distanceM < nearestM) nearestM = distanceM;
  }
  return nearestM;
}

/** Boxes of a scene near a robot, for many questions about them. */
export interface NearBoxes {
  numbers: Float64Array;
  /** Where the near ones begin in the numbers. */
  readonly at: number[];
}

/** Returns room for the boxes near a robot, none in it. */
export const createNearBoxes = (): NearBoxes => ({ numbers: new Float64Array(0), at: [] });

/** Finds the boxes whose outlines are nearer than this to a point of the floor plane, metres. */
export function findNearBoxes(near: NearBoxes, obstacles: readonly Obstacle[], x: number, y: number, withinM: number): void {
  const boxes = boxNumbers(obstacles);
  near.numbers = boxes;
  near.at.length = 0;
  for (let box = 0; box < boxes.length; box += NUMBERS) {
    measureOutside(boxes, box, x, y);
    if (_outside.x < withinM && _outside.y < withinM) near.at.push(box);
  }
}

/** Returns how deep a point is inside of the box that it is deepest in, metres; negative outside of all, by the distance to the nearest. World frame. */
export function depthInBoxesM({ numbers: boxes, at }: NearBoxes, x: number, y: number, z: number): number {
  let deepestM = Number.NEGATIVE_INFINITY;
  for (const box of at) {
    measureOutside(boxes, box, x, y);
    const { x: outX, y: outY } = _outside;
    const outZ = Math.max((boxes[box + 6] as number) - z, z - (boxes[box + 7] as number));
    const most = Math.max(outX, outY, outZ);
    const depthM = most <= 0 ? -most : -portable.hypot(Math.max(outX, 0), Math.max(outY, 0), Math.max(outZ, 0));
    if (depthM > deepestM) deepestM = depthM;
  }
  return deepestM;
}
