import { BufferAttribute, BufferGeometry, Color, type Matrix4 } from 'three';
import { degToRad, type Vec3 } from '../../../protocol/wire/geometry.ts';
import type { Decor, ScenePlace } from '../../../protocol/wire/place.ts';
import type { Obstacle } from '../../../protocol/wire/scene.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { moved, standing } from '../../geometry/placed.ts';
import { shadeFrom } from '../../props/floor.ts';
import type { Audience } from '../../types.ts';
import type { DressedLook } from '../scene-look.ts';
import { floorGrain } from './floors.ts';
import { DRAWN } from './furniture.ts';
import { inksFor, shaded } from './inks.ts';
import { piecesIn } from './solids.ts';

/** Height of rugs above the floor; the lines on the floor lie over them. */
const RUG_M = 0.001;
/** A rug is painted in squares of about this width, so that the shade of what stands on it is seen. */
const STITCH_M = 0.1;
const MOST_STITCHES = 48;
const BORDER_M = 0.1;

/** Returns the look of floor and boxes that the file of a place defines; undefined if it defines none. */
export function dress(place: ScenePlace, audience: Audience): DressedLook | undefined {
  const { dressing } = place;
  if (!dressing) return undefined;
  const inks = inksFor(audience);
  const { floor = 'concrete', boxes } = dressing;
  return {
    boxParts(obstacle) {
      const as = Object.hasOwn(boxes, obstacle.obstacle_id) ? boxes[obstacle.obstacle_id] : undefined;
      if (!as) return null;
      const { matrix, size } = facingRoom(obstacle, place.bounds);
      const paint = inks.paint(as.paint ?? 'linen');
      return moved(DRAWN[as.look]({ size, paint, inks, seedText: obstacle.obstacle_id }), matrix);
    },
    rugParts: () =>
      (dressing.decor ?? []).flatMap((piece) =>
        piece.kind === 'rug' || piece.kind === 'mat' ? [rug(piece, place, inks.paint(piece.paint ?? 'sand'))] : [],
      ),
    floor:
      floor === 'concrete' ? null : { colour: inks.of(floor === 'wood' ? 'floorWood' : 'floorTiles'), grain: floorGrain[floor] },
  };
}

/** Difference below which sides count as equally long, so that the front may be at any of them. */
const ALIKE_M = 0.15;

/**
 * Returns the frame of a box in which its front is towards -y and its length along x. The front faces away from the nearest wall,
 * and is a long side if the sides differ.
 */
function facingRoom({ pose, size: [sx, sy, sz] }: Obstacle, { min, max }: ScenePlace['bounds']): { matrix: Matrix4; size: Vec3 } {
  const [x, y] = pose.position;
  const yawRad = degToRad(pose.yaw_deg ?? 0);
  const inwards = (
    [
      [x - sx / 2 - min[0], 0],
      [y - sy / 2 - min[1], Math.PI / 2],
      [max[0] - x - sx / 2, Math.PI],
      [max[1] - y - sy / 2, -Math.PI / 2],
    ] as const
  ).reduce((one, other) => (other[0] < one[0] ? other : one))[1];
  const sides = [0, 1, 2, 3]
    .filter((side) => Math.abs(sx - sy) < ALIKE_M || (side % 2 === 0) === sx < sy)
    .map((side) => ({ side, turnRad: yawRad + (side * Math.PI) / 2 }));
  const front = sides.reduce((one, other) =>
    Math.cos(other.turnRad - inwards) > Math.cos(one.turnRad - inwards) + 1e-9 ? other : one,
  );
  return {
    matrix: standing(pose.position, front.turnRad + Math.PI / 2),
    size: front.side % 2 === 0 ? [sy, sx, sz] : [sx, sy, sz],
  };
}

type Rug = Extract<Decor, { kind: 'rug' | 'mat' }>;

/** Returns a rug, shaded by what stands on it; a rug has a border, a mat is of squares of two tones. */
function rug({ kind, position: [cx, cy], size: [sx, sy] }: Rug, place: ScenePlace, paint: number): Part {
  const shades = place.obstacles.flatMap((obstacle) => {
    const shade = shadeFrom(obstacle, place);
    const [x, y] = obstacle.pose.position;
    return Math.abs(x - cx) < sx / 2 + shade.reachX && Math.abs(y - cy) < sy / 2 + shade.reachY ? [shade] : [];
  });
  const [columns, rows] = [piecesIn(sx, STITCH_M, MOST_STITCHES), piecesIn(sy, STITCH_M, MOST_STITCHES)];
  const [wide, deep] = [sx / columns, sy / rows];
  const positions: number[] = [];
  const colours: number[] = [];
  const corners: number[] = [];
  const colour = new Color();
  const toneAt = (x: number, y: number): number => {
    if (kind === 'mat') return (Math.floor((x / sx) * 4) + Math.floor((y / sy) * 4)) % 2 === 0 ? 1 : 0.84;
    const edge = Math.min(x, y, sx - x, sy - y);
    return edge < BORDER_M ? 0.8 : edge < 2 * BORDER_M ? 1.06 : edge < 2.5 * BORDER_M ? 0.86 : 1;
  };
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const first = positions.length / 3;
      colour.set(shaded(paint, toneAt((i + 0.5) * wide, (j + 0.5) * deep)));
      for (const [dx, dy] of [
        [0, 1],
        [1, 1],
        [0, 0],
        [1, 0],
      ] as const) {
        const [x, y] = [cx - sx / 2 + (i + dx) * wide, cy - sy / 2 + (j + dy) * deep];
        const light = shades.reduce((left, { lightAt }) => left * lightAt(x, y), 1);
        positions.push(x, y, RUG_M);
        colours.push(colour.r * light, colour.g * light, colour.b * light);
      }
      corners.push(first, first + 2, first + 1, first + 2, first + 3, first + 1);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setAttribute(
    'normal',
    new BufferAttribute(
      Float32Array.from(positions, (_, k) => (k % 3 === 2 ? 1 : 0)),
      3,
    ),
  );
  geometry.setAttribute('color', new BufferAttribute(Float32Array.from(colours), 3));
  geometry.setIndex(corners);
  return part('board', paint, geometry);
}
