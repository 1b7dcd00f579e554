import {
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  RedFormat,
  RepeatWrapping,
  RGBAFormat,
  SRGBColorSpace,
} from 'three';
import { seededRandom } from '../look/random.ts';

/** Metres of floor that one repetition of the concrete covers; its joints are at the edges. */
export const CONCRETE_TILE_M = 3;
const CONCRETE_PX = 512;

/**
 * The form in which a texture is read. Materials that compute light at each pixel take colours, in linear light or encoded as
 * sRGB. Those of corner-light.ts take one channel of sRGB as it is, which software rendering reads eight times as fast.
 */
export type Reading = 'colour' | 'channel';

/** Makes a texture with mipmaps from grey pixels (0–255). @param encoding of the greys; a `channel` is always sRGB */
export function greyTexture(
  width: number,
  height: number,
  greys: Uint8Array<ArrayBuffer>,
  { repeat, reading, encoding }: { repeat: boolean; reading: Reading; encoding: 'srgb' | 'linear' },
): DataTexture {
  const texture =
    reading === 'channel'
      ? new DataTexture(greys, width, height, RedFormat)
      : new DataTexture(rgbaOf(greys), width, height, RGBAFormat);
  texture.colorSpace = reading === 'colour' && encoding === 'srgb' ? SRGBColorSpace : LinearSRGBColorSpace;
  if (repeat) {
    texture.wrapS = RepeatWrapping;
    texture.wrapT = RepeatWrapping;
  }
  texture.generateMipmaps = true;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function rgbaOf(greys: Uint8Array): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(greys.length * 4);
  for (let k = 0; k < greys.length; k++) {
    const grey = greys[k] ?? 0;
    rgba[4 * k] = grey;
    rgba[4 * k + 1] = grey;
    rgba[4 * k + 2] = grey;
    rgba[4 * k + 3] = 255;
  }
  return rgba;
}

/** Returns periodic value noise in [-1, 1] on a square grid of `cells`, smooth between; sampled at (i, j) / px. */
function periodicNoise(cells: number, random: () => number, px: number): (i: number, j: number) => number {
  const lattice = Float32Array.from({ length: cells * cells }, () => random() * 2 - 1);
  // The position of a sample is the same in every row and column: the cell before it, the one after, the fraction between.
  const before = new Uint16Array(px);
  const after = new Uint16Array(px);
  const between = new Float64Array(px);
  for (let i = 0; i < px; i++) {
    const cell = Math.floor((i / px) * cells);
    const t = (i / px) * cells - cell;
    before[i] = cell % cells;
    after[i] = (cell + 1) % cells;
    between[i] = t * t * (3 - 2 * t);
  }
  return (i, j) => {
    const left = before[i] ?? 0;
    const right = after[i] ?? 0;
    const tx = between[i] ?? 0;
    const upper = (before[j] ?? 0) * cells;
    const lower = (after[j] ?? 0) * cells;
    const a = lattice[upper + left] ?? 0;
    const c = lattice[lower + left] ?? 0;
    const low = a + ((lattice[upper + right] ?? 0) - a) * tx;
    const high = c + ((lattice[lower + right] ?? 0) - c) * tx;
    return low + (high - low) * (between[j] ?? 0);
  };
}

/**
 * Makes power-floated concrete: clouds, fine grain, faint scuffs and a sawn joint round each bay. Mean near 1, to be multiplied
 * by a colour.
 */
export function concreteTexture(reading: Reading): DataTexture {
  const random = seededRandom('concrete');
  const clouds = periodicNoise(4, random, CONCRETE_PX);
  const patches = periodicNoise(11, random, CONCRETE_PX);
  const mottle = periodicNoise(47, random, CONCRETE_PX);
  const greys = new Uint8Array(CONCRETE_PX * CONCRETE_PX);
  for (let j = 0; j < CONCRETE_PX; j++) {
    for (let i = 0; i < CONCRETE_PX; i++) {
      const tone = 0.955 + 0.016 * clouds(i, j) + 0.014 * patches(i, j) + 0.01 * mottle(i, j) + 0.012 * (random() - 0.5);
      const edge = Math.min(i, j, CONCRETE_PX - 1 - i, CONCRETE_PX - 1 - j);
      const joint = edge === 0 ? 0.8 : edge === 1 ? 0.95 : 1;
      greys[j * CONCRETE_PX + i] = Math.round(255 * Math.min(1, tone * joint));
    }
  }
  const texture = greyTexture(CONCRETE_PX, CONCRETE_PX, greys, { repeat: true, reading, encoding: 'srgb' });
  texture.anisotropy = 4;
  return texture;
}

/**
 * Makes dark rubber with a fine weave across, a splice and some wear, so that its motion can be seen. Along v: one repeat of the
 * belt.
 */
export function rubberTexture(reading: Reading): DataTexture {
  const width = 64;
  const height = 256;
  const random = seededRandom('rubber');
  const wear = periodicNoise(9, random, height);
  const greys = new Uint8Array(width * height);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const rib = j % 16 < 2 ? 1.22 : j % 16 < 4 ? 0.9 : 1;
      const splice = Math.abs(j - 40 - i * 0.35) < 1.6 ? 1.28 : 1;
      const trace = 1 + 0.08 * wear((i * height) / width, j) + 0.1 * Math.exp(-(((i - width / 2) / 16) ** 2));
      greys[j * width + i] = Math.round(Math.min(255, 165 * rib * splice * trace + 6 * (random() - 0.5)));
    }
  }
  const texture = greyTexture(width, height, greys, { repeat: true, reading, encoding: 'srgb' });
  texture.anisotropy = 4;
  return texture;
}

/** Returns full light everywhere, for a surface without a shade of its own. */
export function noShadeTexture(): DataTexture {
  const texture = new DataTexture(new Uint8Array([255]), 1, 1, RedFormat);
  texture.needsUpdate = true;
  return texture;
}

/** Makes a soft round shadow: alpha falls from the middle to nothing at the edge of the square. */
export function shadowTexture(): DataTexture {
  const size = 64;
  const rgba = new Uint8Array(size * size * 4);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      // A rounded square rather than a disc, because most things here have corners.
      const x = Math.abs((i + 0.5) / size - 0.5) * 2;
      const y = Math.abs((j + 0.5) / size - 0.5) * 2;
      const radius = (x ** 3 + y ** 3) ** (1 / 3);
      const fade = Math.max(0, 1 - radius);
      rgba[(j * size + i) * 4 + 3] = Math.round(255 * fade * fade * (3 - 2 * fade));
    }
  }
  const texture = new DataTexture(rgba, size, size, RGBAFormat);
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
