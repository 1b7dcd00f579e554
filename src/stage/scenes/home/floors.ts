import type { DataTexture } from 'three';
import type { FloorKind } from '../../../protocol/wire/look-ids.ts';
import { seededRandom } from '../../look/random.ts';
import { greyTexture, type Reading } from '../../props/textures.ts';

const PX = 512;
/** Boards and tiles of one repetition of the floor, which is 3 m wide. */
const BOARDS = 24;
const TILES = 8;

/** Returns the grain of a floor: greys, to be multiplied by its colour. */
export const floorGrain: Readonly<Record<Exclude<FloorKind, 'concrete'>, (reading: Reading) => DataTexture>> = {
  wood: (reading) => grainOf(reading, boards()),
  tiles: (reading) => grainOf(reading, tiles()),
};

function grainOf(reading: Reading, tone: (i: number, j: number) => number): DataTexture {
  const greys = new Uint8Array(PX * PX);
  for (let j = 0; j < PX; j++)
    for (let i = 0; i < PX; i++) greys[j * PX + i] = Math.round(255 * Math.min(1, Math.max(0, tone(i, j))));
  const texture = greyTexture(PX, PX, greys, { repeat: true, reading, encoding: 'srgb' });
  texture.anisotropy = 4;
  return texture;
}

/** Returns boards along x, each of a tone of its own, two to a row, which meet at another place in each row. */
function boards(): (i: number, j: number) => number {
  const random = seededRandom('boards');
  const rows = Array.from({ length: BOARDS }, () => ({
    startPx: Math.floor(random() * PX),
    tones: [0.84 + random() * 0.14, 0.84 + random() * 0.14],
    bend: random() * 7,
    veins: 3 + random() * 4,
  }));
  const wide = PX / BOARDS;
  return (i, j) => {
    const row = rows[Math.floor(j / wide)];
    if (!row) return 1;
    const across = (j % wide) / wide;
    const along = (i + row.startPx) % PX;
    const half = along < PX / 2 ? 0 : 1;
    const within = along % (PX / 2);
    if (across < 1 / wide) return 0.66;
    if (within < 1) return 0.7;
    const wave = Math.sin((2 * Math.PI * 3 * i) / PX + row.bend) * 0.6 + Math.sin((2 * Math.PI * i) / PX + row.bend);
    const vein = Math.sin(2 * Math.PI * row.veins * (across + 0.07 * wave));
    return (row.tones[half] ?? 1) * (1 + 0.025 * vein) + 0.02 * (random() - 0.5);
  };
}

/** Returns square tiles with joints between them. */
function tiles(): (i: number, j: number) => number {
  const random = seededRandom('tiles');
  const tones = Array.from({ length: TILES * TILES }, () => 0.92 + random() * 0.06);
  const wide = PX / TILES;
  return (i, j) => {
    const edge = Math.min(i % wide, j % wide);
    if (edge < 2) return 0.76;
    const rim = edge < 3 || Math.max(i % wide, j % wide) > wide - 2 ? 0.97 : 1;
    return (tones[Math.floor(j / wide) * TILES + Math.floor(i / wide)] ?? 1) * rim + 0.012 * (random() - 0.5);
  };
}
