import type { Part } from '../../geometry/paint.ts';
import { type Ink, type Inks, shaded } from './inks.ts';
import { type Span, solid } from './solids.ts';

const COVERS: readonly Ink[] = ['bookRed', 'bookBlue', 'bookMustard', 'bookGrey', 'bookCream', 'bookTeal'];

const MOST_IN_A_BAY = 28;

/** Returns what stands in a bay of a shelf: books, a pile of them, a box, or nothing. @param room metres */
export function books(room: { x: Span; y: Span; z: Span }, inks: Inks, random: () => number): Part[] {
  const { x, y, z } = room;
  const heightM = z[1] - z[0];
  const parts: Part[] = [];
  const cover = (): number => shaded(inks.of(COVERS[Math.floor(random() * COVERS.length)] ?? 'bookGrey'), 0.9 + random() * 0.2);
  if (heightM < 0.12) return parts;
  let at = x[0] + 0.02;
  while (at < x[1] - 0.1 && parts.length < MOST_IN_A_BAY) {
    const what = random();
    if (what < 0.18) {
      at += 0.08 + random() * 0.14;
    } else if (what < 0.32 && at < x[1] - 0.3) {
      let top = z[0];
      for (let k = 0; k < 4 && top < z[1] - 0.08; k++) {
        const thick = 0.025 + random() * 0.02;
        const offM = random() * 0.03;
        parts.push(solid('board', cover(), [at + offM, at + 0.2 + offM], [y[0] + 0.02, y[0] + 0.16], [top, top + thick]));
        top += thick;
      }
      at += 0.27;
    } else if (what < 0.42 && at < x[1] - 0.34) {
      const tall = Math.min(heightM, 0.2);
      parts.push(solid('board', inks.paint('linen'), [at, at + 0.26], [y[0] + 0.01, y[1]], [z[0], z[0] + tall], 0.012));
      at += 0.3;
    } else {
      const count = 3 + Math.floor(random() * 7);
      for (let k = 0; k < count && at < x[1] - 0.05 && parts.length < MOST_IN_A_BAY; k++) {
        const thick = 0.02 + random() * 0.03;
        const tall = Math.min(heightM, 0.17 + random() * 0.1);
        const deep = Math.min(y[1] - y[0], 0.13 + random() * 0.06);
        parts.push(solid('board', cover(), [at, at + thick - 0.002], [y[0] + 0.02, y[0] + 0.02 + deep], [z[0], z[0] + tall]));
        at += thick;
      }
    }
  }
  return parts;
}
