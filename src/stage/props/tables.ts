import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { roundedBox } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { PALETTE as P } from '../look/palette.ts';

const TOP_M = 0.04;
const LEG_M = 0.05;
/** From the table's edge to its legs. */
const INSET_M = 0.04;
/** Height of the shelf between the legs. */
const SHELF_Z_M = 0.14;

/** Returns a table that fills its box, frame in the middle: a wooden top on a steel frame, with a shelf below. */
export function tableParts([sx, sy, sz]: Vec3): Part[] {
  const top = sz / 2;
  const legX = sx / 2 - INSET_M - LEG_M / 2;
  const legY = sy / 2 - INSET_M - LEG_M / 2;
  const legHeight = sz - TOP_M;
  const railZ = top - TOP_M - LEG_M / 2;
  const steel = (size: Vec3, at: Vec3): Part => part('metal', P.beltMetal, roundedBox(size, 0.006, at, 1));
  const signs = [-1, 1] as const;
  return [
    part('wood', P.palletWood, roundedBox([sx, sy, TOP_M], 0.01, [0, 0, top - TOP_M / 2])),
    part('wood', P.palletWoodDark, roundedBox([2 * legX, 2 * legY, 0.02], 0.006, [0, 0, -top + SHELF_Z_M], 1)),
    ...signs.flatMap((x) => signs.map((y) => steel([LEG_M, LEG_M, legHeight], [x * legX, y * legY, -TOP_M / 2]))),
    ...signs.map((x) => steel([LEG_M, 2 * legY, LEG_M], [x * legX, 0, railZ])),
    ...signs.map((y) => steel([2 * legX, LEG_M, LEG_M], [0, y * legY, railZ])),
  ];
}
