import { BufferGeometry, Float32BufferAttribute } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';
import { box, roundedBox } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { disc } from '../geometry/shapes.ts';
import { PALETTE as P } from '../look/palette.ts';

/** Metres of belt that one repetition of its texture covers. */
export const BELT_REPEAT_M = 0.6;
const DRUM_RADIUS_M = 0.042;
const RAIL_M = 0.016;
const RAIL_ABOVE_M = 0.01;

/**
 * Returns the conveyor without its rubber: rails, drums, legs, drive. Local frame: x along the belt, z = 0 at the belt's surface.
 * @param surfaceHeightM height of the surface above the floor
 */
export function conveyorParts(length: number, width: number, surfaceHeightM: number): Part[] {
  const parts: Part[] = [];
  const railHeight = 0.11;
  const railZ = RAIL_ABOVE_M - railHeight / 2;
  for (const side of [-1, 1]) {
    const y = side * (width / 2 - RAIL_M / 2);
    parts.push(part('metal', P.beltMetal, roundedBox([length - 0.03, RAIL_M, railHeight], 0.004, [0, y, railZ])));
    parts.push(
      part('metal', P.beltMetalDark, box([length - 0.06, 0.006, 0.014], [0, side * (width / 2 - 0.001), railZ - 0.012])),
    );
  }
  for (const end of [-1, 1]) {
    const x = end * (length / 2 - DRUM_RADIUS_M - 0.006);
    parts.push(part('metal', P.beltMetalDark, disc('y', DRUM_RADIUS_M * 0.5, width + 0.012, [x, 0, -DRUM_RADIUS_M - 0.004])));
  }
  parts.push(part('metal', P.beltMetalDark, box([length - 0.2, width - 2 * RAIL_M - 0.01, 0.02], [0, 0, -0.03])));
  parts.push(...legs(length, width, surfaceHeightM));
  // The drive under the belt, a plain grey housing.
  parts.push(part('shell', P.hoodShell, roundedBox([0.36, width - 0.05, 0.17], 0.02, [length * 0.12, 0, -0.2], 3)));
  parts.push(part('frame', P.frameMid, disc('y', 0.05, width - 0.03, [length * 0.12 - 0.1, 0, -0.2])));
  return parts;
}

function legs(length: number, width: number, heightM: number): Part[] {
  const pairs = Math.max(2, Math.round(length / 1.25) + 1);
  const bottom = -heightM;
  const legHeight = heightM - 0.1;
  return Array.from({ length: pairs }, (_, k) => -length / 2 + 0.16 + (k * (length - 0.32)) / (pairs - 1)).flatMap((x) => [
    ...[-1, 1].flatMap((side) => {
      const y = side * (width / 2 - 0.04);
      return [
        part('metal', P.beltMetal, box([0.036, 0.036, legHeight], [x, y, bottom + legHeight / 2])),
        part('rubber', P.frameMid, disc('z', 0.032, 0.016, [x, y, bottom + 0.008], 16)),
      ];
    }),
    part('metal', P.beltMetal, box([0.03, width - 0.1, 0.03], [x, 0, bottom + 0.16])),
  ]);
}

/**
 * Returns the rubber as one strip: round one drum, along the top, round the other. Local frame as above; uv: u across, v along in
 * repeats of the texture, growing with x.
 */
export function rubberStrip(length: number, width: number): BufferGeometry {
  const half = length / 2 - DRUM_RADIUS_M - 0.006;
  const steps = 10;
  const path: { x: number; z: number; nx: number; nz: number }[] = [];
  const round = (centre: number, fromRad: number): void => {
    for (let k = 0; k <= steps; k++) {
      const angle = fromRad - (k / steps) * (Math.PI * 0.75);
      const nx = Math.cos(angle);
      const nz = Math.sin(angle);
      path.push({ x: centre + nx * DRUM_RADIUS_M, z: -DRUM_RADIUS_M + nz * DRUM_RADIUS_M, nx, nz });
    }
  };
  round(-half, Math.PI * 1.25);
  round(half, Math.PI * 0.5);
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const edge = width / 2 - RAIL_M - 0.004;
  let travelled = 0;
  path.forEach((point, k) => {
    const previous = path[k - 1] ?? point;
    travelled += Math.hypot(point.x - previous.x, point.z - previous.z);
    for (const side of [-1, 1]) {
      positions.push(point.x, side * edge, point.z);
      normals.push(point.nx, 0, point.nz);
      uvs.push(side > 0 ? 1 : 0, travelled / BELT_REPEAT_M);
    }
    if (k === 0) return;
    const a = 2 * k - 2;
    indices.push(a, a + 2, a + 1, a + 1, a + 2, a + 3);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2));
  geometry.setAttribute('uv1', new Float32BufferAttribute(new Float32Array(uvs.length), 2));
  geometry.setIndex(indices);
  return geometry;
}

/**
 * Returns the hood from which new cubes come unseen: panels, a dark inside, strips before the mouth. Local frame: in the middle
 * of the box in x and y, x points out of the mouth, z = 0 at the belt's surface.
 * @param size full extents of the box; @param bottomZ its lower face relative to the belt's surface
 */
export function infeedParts([length, width, height]: Vec3, bottomZ: number): Part[] {
  const topZ = bottomZ + height;
  const wall = 0.022;
  const mouth = Math.min(topZ - 0.06, 0.24);
  const parts: Part[] = [];
  for (const side of [-1, 1]) {
    parts.push(
      part(
        'shell',
        P.hoodShell,
        roundedBox([length, wall, height], 0.009, [0, side * (width / 2 - wall / 2), bottomZ + height / 2]),
      ),
    );
    parts.push(part('shell', P.doorRib, box([length * 0.7, 0.003, 0.008], [0, side * (width / 2 + 0.0005), topZ - 0.09])));
  }
  parts.push(
    part('shell', P.hoodShell, roundedBox([length, width, 0.03], 0.012, [0, 0, topZ - 0.015], 3)),
    part(
      'shell',
      P.hoodShell,
      roundedBox([wall, width - 0.01, height], 0.009, [-length / 2 + wall / 2, 0, bottomZ + height / 2]),
    ),
    part(
      'shell',
      P.hoodShell,
      roundedBox([wall, width - 0.01, topZ - mouth], 0.008, [length / 2 - wall / 2, 0, (topZ + mouth) / 2]),
    ),
    part('frame', P.hoodDark, box([0.004, width - 2 * wall, Math.max(0.02, mouth)], [-length / 2 + wall + 0.004, 0, mouth / 2])),
    part('glow', P.windowPane, roundedBox([0.004, 0.06, 0.008], 0.002, [length / 2 + 0.001, 0, (topZ + mouth) / 2])),
  );
  const strips = 6;
  const inner = width - 2 * wall - 0.01;
  for (let k = 0; k < strips; k++) {
    const y = -inner / 2 + ((k + 0.5) * inner) / strips;
    const drop = mouth - 0.012 - (k % 2) * 0.006;
    parts.push(
      part(
        'rubber',
        P.strip,
        box([0.004, (inner / strips) * 0.92, drop], [length / 2 - wall - 0.006 - (k % 2) * 0.006, y, mouth - drop / 2]),
      ),
    );
  }
  return parts;
}
