import { BufferGeometry, Float32BufferAttribute } from 'three';

/**
 * Letterforms as strokes in a box 0.7 wide and 1 high, origin at its lower left corner: polylines as [x, y, x, y, …].
 * A fixed technical alphabet instead of a font: it needs no font file and looks alike on every machine.
 */
const ARC = {
  b1: [0.02, 1, 0.4, 1, 0.54, 0.95, 0.62, 0.85, 0.62, 0.69, 0.54, 0.58, 0.4, 0.53, 0.02, 0.53],
  b2: [0.02, 0.53, 0.44, 0.53, 0.6, 0.47, 0.68, 0.36, 0.68, 0.18, 0.6, 0.06, 0.44, 0, 0.02, 0],
  o: [
    0.35, 1, 0.17, 0.95, 0.05, 0.8, 0, 0.6, 0, 0.4, 0.05, 0.2, 0.17, 0.05, 0.35, 0, 0.53, 0.05, 0.65, 0.2, 0.7, 0.4, 0.7, 0.6,
    0.65, 0.8, 0.53, 0.95, 0.35, 1,
  ],
} as const;

const STROKES: Record<string, readonly (readonly number[])[]> = {
  A: [
    [0, 0, 0.35, 1, 0.7, 0],
    [0.12, 0.34, 0.58, 0.34],
  ],
  B: [[0.02, 0, 0.02, 1], ARC.b1, ARC.b2],
  C: [
    [
      0.68, 0.82, 0.58, 0.95, 0.38, 1, 0.18, 0.95, 0.05, 0.8, 0, 0.6, 0, 0.4, 0.05, 0.2, 0.18, 0.05, 0.38, 0, 0.58, 0.05, 0.68,
      0.18,
    ],
  ],
  D: [
    [0.02, 0, 0.02, 1],
    [0.02, 1, 0.32, 1, 0.52, 0.93, 0.65, 0.77, 0.69, 0.5, 0.65, 0.23, 0.52, 0.07, 0.32, 0, 0.02, 0],
  ],
  E: [
    [0.64, 1, 0.02, 1, 0.02, 0, 0.64, 0],
    [0.02, 0.53, 0.55, 0.53],
  ],
  F: [
    [0.64, 1, 0.02, 1, 0.02, 0],
    [0.02, 0.52, 0.55, 0.52],
  ],
  G: [
    [
      0.68, 0.82, 0.56, 0.95, 0.38, 1, 0.18, 0.95, 0.05, 0.8, 0, 0.6, 0, 0.4, 0.05, 0.2, 0.18, 0.05, 0.38, 0, 0.68, 0.06, 0.68,
      0.46, 0.42, 0.46,
    ],
  ],
  H: [
    [0.02, 0, 0.02, 1],
    [0.68, 0, 0.68, 1],
    [0.02, 0.52, 0.68, 0.52],
  ],
};

/**
 * Returns a letter as flat strokes in the xz plane facing -y, its centre at the origin; a plain ring for one that the alphabet
 * lacks.
 * @param heightM height of the letter, metres
 * @param weight stroke width as a fraction of the height
 */
export function letterGeometry(letter: string, heightM: number, weight = 0.16): BufferGeometry {
  const positions: number[] = [];
  const indices: number[] = [];
  const half = (weight / 2) * heightM;
  const triangleFan = (points: [number, number][]): void => {
    const first = positions.length / 3;
    for (const [x, z] of points) positions.push(x, 0, z);
    for (let k = 1; k + 1 < points.length; k++) indices.push(first, first + k, first + k + 1);
  };
  for (const line of STROKES[letter] ?? [ARC.o]) {
    const points: [number, number][] = [];
    for (let k = 0; k + 1 < line.length; k += 2)
      points.push([((line[k] ?? 0) - 0.35) * heightM, ((line[k + 1] ?? 0) - 0.5) * heightM]);
    points.forEach(([x, z], k) => {
      triangleFan(
        Array.from({ length: 12 }, (_, n) => [x + half * Math.cos((n * Math.PI) / 6), z + half * Math.sin((n * Math.PI) / 6)]),
      );
      const next = points[k + 1];
      if (!next) return;
      const length = Math.hypot(next[0] - x, next[1] - z) || 1;
      const nx = (-(next[1] - z) / length) * half;
      const nz = ((next[0] - x) / length) * half;
      triangleFan([
        [x - nx, z - nz],
        [next[0] - nx, next[1] - nz],
        [next[0] + nx, next[1] + nz],
        [x + nx, z + nz],
      ]);
    });
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute(
    'normal',
    new Float32BufferAttribute(
      positions.map((_, k) => (k % 3 === 1 ? -1 : 0)),
      3,
    ),
  );
  geometry.setIndex(indices);
  return geometry;
}
