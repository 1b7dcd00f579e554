import type { BufferGeometry } from 'three';
import { loft } from '../geometry/loft.ts';
import { type Part, part } from '../geometry/paint.ts';
import { capsule, disc, lathe, ring, roundedBox } from '../geometry/shapes.ts';
import { PALETTE as P } from '../look/palette.ts';

/** The pelvis: a narrow keel between the thighs that widens to the hips' upper edge, so that thighs may swing past it. Pelvis frame. */
export function pelvisParts(): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.032, 0.2, [0, 0, -0.02])),
    part('frame', P.frameDark, roundedBox([0.1, 0.13, 0.07], 0.02, [0, 0, 0.015])),
    part('frame', P.frameDark, lathe('z', bellows(0.036, 0.1, 0.056, 4))),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.062, rx: 0.04, ry: 0.022, power: 3 },
          { z: -0.03, rx: 0.062, ry: 0.03, power: 3 },
          { z: 0.012, rx: 0.074, ry: 0.066, power: 2.8 },
          { z: 0.044, rx: 0.076, ry: 0.094, power: 2.8 },
        ],
        { fillet: [0.02, 0.01] },
      ),
    ),
    part('shell', P.accent, roundedBox([0.006, 0.05, 0.007], 0.003, [0.0755, 0, 0.036])),
  ];
}

/** Chest, abdomen, battery pack, collar. Torso frame: at the waist joint. */
export function torsoParts(): Part[] {
  return [
    part(
      'shell',
      P.shellGrey,
      loft(
        [
          { z: 0.032, rx: 0.062, ry: 0.078, power: 3 },
          { z: 0.078, rx: 0.068, ry: 0.088, power: 3 },
        ],
        { fillet: 0.012 },
      ),
    ),
    part('frame', P.frameDark, roundedBox([0.11, 0.15, 0.03], 0.012, [0, 0, 0.092])),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: 0.112, rx: 0.072, ry: 0.09, cx: 0, power: 3 },
          { z: 0.16, rx: 0.085, ry: 0.11, cx: 0.002, power: 3 },
          { z: 0.23, rx: 0.094, ry: 0.126, cx: 0.003, power: 3.1 },
          { z: 0.29, rx: 0.088, ry: 0.124, cx: 0, power: 3 },
          { z: 0.318, rx: 0.072, ry: 0.104, cx: -0.002, power: 2.8 },
        ],
        { fillet: [0.014, 0.026], around: 40 },
      ),
    ),
    // The instrument panel in the chest, and the line of light that says the robot is on.
    part('visor', P.visor, roundedBox([0.03, 0.104, 0.05], 0.014, [0.0855, 0, 0.236], 4)),
    part('glow', P.accentGlow, capsule('y', 0.0042, 0.056, [0.0995, 0, 0.236])),
    part('shell', P.shellSeam, roundedBox([0.01, 0.002, 0.07], 0.001, [0.0845, 0, 0.163])),
    // Battery pack with a grip, as something that people carry and swap.
    part('shell', P.shellGrey, roundedBox([0.06, 0.17, 0.16], 0.024, [-0.092, 0, 0.222], 4)),
    part('frame', P.frameDark, roundedBox([0.012, 0.1, 0.016], 0.006, [-0.121, 0, 0.272])),
    ...[0, 1, 2].map((row) =>
      part('frame', P.frameMid, roundedBox([0.008, 0.08, 0.005], 0.002, [-0.1205, 0, 0.176 + row * 0.014])),
    ),
    part('shell', P.accent, roundedBox([0.008, 0.022, 0.007], 0.003, [-0.121, 0, 0.236])),
    part('frame', P.frameDark, disc('y', 0.038, 0.31, [0, 0, 0.28])),
    part(
      'frame',
      P.frameMid,
      lathe('z', [
        [0, 0.33],
        [0.058, 0.33],
        [0.06, 0.337],
        [0.054, 0.349],
        [0.044, 0.352],
        [0, 0.352],
      ]),
    ),
  ];
}

/** The neck's turning column. Neck frame. */
export function neckParts(): Part[] {
  return [
    part('frame', P.frameDark, lathe('z', bellows(-0.008, 0.05, 0.036, 3))),
    part('frame', P.frameMid, disc('y', 0.024, 0.084, [0, 0, 0.05])),
  ];
}

/** Head shell, wrap-around visor with lens and two status lights, ear discs. Head frame: at the pitch joint. */
export function headParts(): Part[] {
  const sides = [-1, 1] as const;
  return [
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.026, rx: 0.062, ry: 0.056, cx: 0.002, power: 2.5 },
          { z: 0.006, rx: 0.083, ry: 0.073, cx: 0.006, power: 2.5 },
          { z: 0.05, rx: 0.089, ry: 0.08, cx: 0.006, power: 2.5 },
          { z: 0.09, rx: 0.084, ry: 0.076, cx: 0.004, power: 2.5 },
          { z: 0.114, rx: 0.068, ry: 0.062, cx: 0, power: 2.4 },
        ],
        { fillet: [0.016, 0.028], around: 40 },
      ),
    ),
    part('visor', P.visor, visorShell()),
    part('visor', P.lens, disc('x', 0.0105, 0.008, [0.1085, 0, 0.066])),
    part('frame', P.frameMid, ring('x', 0.0115, 0.0018, [0.112, 0, 0.066])),
    ...sides.map((side) => part('glow', P.accentGlow, statusLight(side))),
    ...sides.flatMap((side) => [
      part('frame', P.frameDark, disc('y', 0.027, 0.016, [0.002, side * 0.0795, 0.046])),
      part('shell', P.accent, ring('y', 0.0185, 0.0022, [0.002, side * 0.0875, 0.046])),
    ]),
    part('shell', P.shellGrey, roundedBox([0.05, 0.006, 0.006], 0.003, [-0.02, 0, 0.1405])),
  ];
}

function visorShell(): BufferGeometry {
  return loft(
    [
      { z: 0.024, rx: 0.068, ry: 0.068, cx: 0.032, power: 2.7 },
      { z: 0.05, rx: 0.078, ry: 0.078, cx: 0.032, power: 2.7 },
      { z: 0.08, rx: 0.072, ry: 0.072, cx: 0.03, power: 2.7 },
    ],
    { fillet: 0.014, around: 48 },
  );
}

function statusLight(side: -1 | 1): BufferGeometry {
  return capsule('z', 0.0066, 0.014)
    .scale(0.5, 1, 1)
    .translate(0.1052, side * 0.033, 0.05);
}

/** Profile of a folded sleeve about z between two heights: [radius, z] pairs. */
function bellows(fromZ: number, toZ: number, radius: number, folds: number): [number, number][] {
  const profile: [number, number][] = [[0, fromZ]];
  const pitch = (toZ - fromZ) / folds;
  for (let fold = 0; fold < folds; fold++) {
    const z = fromZ + fold * pitch;
    profile.push([radius * 0.88, z], [radius, z + pitch * 0.3], [radius, z + pitch * 0.7], [radius * 0.88, z + pitch]);
  }
  profile.push([0, toZ]);
  return profile;
}
