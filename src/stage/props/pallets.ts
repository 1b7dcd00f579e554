import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { box } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { PALETTE as P } from '../look/palette.ts';

const BOARD_M = 0.02;
const TOP_BOARDS = 7;

/** Returns a bleached pallet that fills its box, frame in the middle; deck boards along x. */
export function palletParts([sx, sy, sz]: Vec3, random: () => number): Part[] {
  const tone = (): number => (random() < 0.5 ? P.palletWood : shaded(P.palletWood, 0.93 + random() * 0.1));
  const parts: Part[] = [];
  const plank = (size: Vec3, at: Vec3, colour: number): void => {
    parts.push(part('wood', colour, box(size, at)));
  };
  const top = sz / 2;
  const pitch = sy / TOP_BOARDS;
  for (let k = 0; k < TOP_BOARDS; k++)
    plank([sx, pitch * 0.86, BOARD_M], [0, -sy / 2 + (k + 0.5) * pitch, top - BOARD_M / 2], tone());
  const rows = [-1, 0, 1];
  const blockHeight = sz - 3 * BOARD_M;
  for (const row of rows) {
    const x = row * (sx / 2 - 0.05);
    plank([0.1, sy, BOARD_M], [x, 0, top - BOARD_M * 1.5], P.palletWoodDark);
    plank([0.1, sy, BOARD_M], [x, 0, -top + BOARD_M / 2], P.palletWoodDark);
    for (const column of rows) {
      plank([0.098, 0.098, blockHeight], [x, column * (sy / 2 - 0.05), -top + BOARD_M + blockHeight / 2], P.palletWoodDark);
    }
  }
  return parts;
}

/** Returns an sRGB colour with its channels scaled and rounded alike, so that a grey stays a grey. */
function shaded(colour: number, factor: number): number {
  const channel = (shift: number): number => Math.min(255, Math.round(((colour >> shift) & 0xff) * factor)) << shift;
  return channel(16) | channel(8) | channel(0);
}
