import { CUBE_EDGE_M } from '../../src/protocol/wire/scene.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';

type Vector = readonly [number, number, number];

/** A cube between the palms, from the bodies of both in physics: the same step has brought all three to their places. */
export interface Grip {
  /** Free play along the line through both palms: 0 or less means contact on both sides. */
  readonly playM: number;
  /**
   * From the middle between the palms to the cube's centre, in a frame that moves with them: ahead, towards the left palm, up.
   */
  readonly place: Vector;
  /** The place in which a joint was first seen to hold it. */
  readonly taken: Vector;
  /**
   * The distance of a palm's body from the palm in the robot's body: what the arms move in a step, because the bodies follow in
   * the next.
   */
  readonly strayM: number;
}

const PALM_HALF_THICKNESS_M = 0.01;

/**
 * The pose of a held cube between the palms' bodies. Null while these are not in physics, because nothing is between them then.
 * @param before of the previous step, if it was held then
 */
export function gripOf(
  { body: { palmCentres }, grasp: { palms } }: RuntimeCore['world'],
  p: { x: number; y: number; z: number },
  { x, y, z, w }: { x: number; y: number; z: number; w: number },
  before: Grip | null,
): Grip | null {
  const bodies = [palms.right.rigidBody, palms.left.rigidBody];
  if (!bodies.every((body) => body.isEnabled())) return null;
  const [right, left] = bodies.map((body) => body.translation()) as [typeof p, typeof p];
  const spanM = Math.hypot(left.x - right.x, left.y - right.y, left.z - right.z);
  const [nx, ny, nz] = [(left.x - right.x) / spanM, (left.y - right.y) / spanM, (left.z - right.z) / spanM];
  // The cube's width along that line: its edge times the sum of the line's components along its axes.
  const along = [
    nx * (1 - 2 * (y * y + z * z)) + ny * 2 * (x * y + w * z) + nz * 2 * (x * z - w * y),
    nx * 2 * (x * y - w * z) + ny * (1 - 2 * (x * x + z * z)) + nz * 2 * (y * z + w * x),
    nx * 2 * (x * z + w * y) + ny * 2 * (y * z - w * x) + nz * (1 - 2 * (x * x + y * y)),
  ];
  const widthM = CUBE_EDGE_M * along.reduce((sum, part) => sum + Math.abs(part), 0);
  const [dx, dy, dz] = [p.x - (right.x + left.x) / 2, p.y - (right.y + left.y) / 2, p.z - (right.z + left.z) / 2];
  const level = Math.hypot(nx, ny) || 1;
  const place: Vector = [(dx * ny - dy * nx) / level, dx * nx + dy * ny + dz * nz, dz];
  const strays = [right, left].map((at, side) => {
    const centre = side === 0 ? palmCentres.right : palmCentres.left;
    return Math.hypot(at.x - centre.x, at.y - centre.y, at.z - centre.z);
  });
  return {
    playM: spanM - 2 * PALM_HALF_THICKNESS_M - widthM,
    place,
    taken: before?.taken ?? place,
    strayM: Math.max(...strays),
  };
}
