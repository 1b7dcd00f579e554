import { roundedBox } from '../../geometry/boxes.ts';
import { domeSections, inlay, type LoftSection, loft } from '../../geometry/loft.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { disc, lathe, ring } from '../../geometry/shapes.ts';
import { PALETTE as P } from '../../look/palette.ts';

const PELVIS: readonly LoftSection[] = [
  { z: -0.07, rx: 0.034, ry: 0.02, power: 2.6 },
  { z: -0.035, rx: 0.064, ry: 0.034, power: 2.8 },
  { z: 0.008, rx: 0.08, ry: 0.074, power: 2.8 },
  { z: 0.05, rx: 0.078, ry: 0.098, power: 2.8 },
];
const ABDOMEN: readonly LoftSection[] = [
  { z: 0.014, rx: 0.066, ry: 0.082, power: 2.9 },
  { z: 0.05, rx: 0.069, ry: 0.088, power: 2.9 },
  { z: 0.082, rx: 0.07, ry: 0.092, power: 2.9 },
];
/** Narrow and round in front: when the hands hold a cube, the upper arms move in before the chest. */
const CHEST: readonly LoftSection[] = [
  { z: 0.112, rx: 0.072, ry: 0.092, power: 2.8 },
  { z: 0.16, rx: 0.081, ry: 0.103, cx: -0.003, power: 2.4 },
  { z: 0.23, rx: 0.086, ry: 0.113, cx: -0.006, power: 2.2 },
  { z: 0.285, rx: 0.082, ry: 0.112, cx: -0.006, power: 2.2 },
  { z: 0.31, rx: 0.076, ry: 0.103, cx: -0.006, power: 2.2 },
];
const SKULL = domeSections([0.004, 0, 0.052], [0.091, 0.08, 0.09], [-62, 87], 2.5);

/**
 * Returns the pelvis: a narrow keel between the thighs that widens to the hips' upper edge, so that thighs may swing past it.
 * Pelvis frame.
 */
export function pelvisParts(): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.034, 0.2, [0, 0, -0.02])),
    part('frame', P.frameDark, lathe('z', bellows(0.044, 0.1, 0.06, 3))),
    part('shell', P.shellWhite, loft(PELVIS, { fillet: [0.018, 0.012], around: 36 })),
    part('shell', P.accent, inlay(PELVIS, { halfThetaRad: 0.34, z: [0.031, 0.037], liftM: 0.0012, power: 5 })),
  ];
}

/** Returns chest, abdomen, battery pack and collar. Torso frame: at the waist joint. */
export function torsoParts(): Part[] {
  return [
    part('shell', P.shellGrey, loft(ABDOMEN, { fillet: 0.012, around: 36 })),
    part(
      'frame',
      P.frameDark,
      loft([
        { z: 0.08, rx: 0.064, ry: 0.084, power: 3 },
        { z: 0.12, rx: 0.064, ry: 0.084, power: 3 },
      ]),
    ),
    part('shell', P.shellWhite, loft(CHEST, { fillet: [0.014, 0.034], around: 44 })),
    // The instrument panel in the chest, and the line of light that shows that the robot is on.
    part('visor', P.visor, inlay(CHEST, { halfThetaRad: 0.56, z: [0.212, 0.256], liftM: 0.0022, power: 5 })),
    part('status', P.accentGlow, inlay(CHEST, { halfThetaRad: 0.3, z: [0.2305, 0.2375], liftM: 0.0036, power: 4 })),
    part('shell', P.shellSeam, inlay(CHEST, { halfThetaRad: 0.24, z: [0.142, 0.1445], liftM: 0.0007, power: 5 })),
    // Battery pack with a grip, because people carry and swap it.
    part('shell', P.shellGrey, roundedBox([0.06, 0.17, 0.16], 0.024, [-0.092, 0, 0.222], 4)),
    part('frame', P.frameDark, roundedBox([0.012, 0.1, 0.016], 0.006, [-0.121, 0, 0.272])),
    ...[0, 1, 2].map((row) =>
      part('frame', P.frameMid, roundedBox([0.008, 0.08, 0.005], 0.002, [-0.1205, 0, 0.176 + row * 0.014])),
    ),
    part('shell', P.accent, roundedBox([0.008, 0.022, 0.007], 0.003, [-0.121, 0, 0.236])),
    part('frame', P.frameDark, disc('y', 0.036, 0.32, [0, 0, 0.28])),
    part(
      'frame',
      P.frameMid,
      lathe('z', [
        [0, 0.335],
        [0.047, 0.335],
        [0.048, 0.345],
        [0.044, 0.356],
        [0, 0.356],
      ]),
    ),
  ];
}

/** Returns the neck's turning column. Neck frame. */
export function neckParts(): Part[] {
  return [
    part('frame', P.frameDark, lathe('z', bellows(-0.008, 0.05, 0.036, 3))),
    part('frame', P.frameMid, disc('y', 0.022, 0.08, [0, 0, 0.05])),
  ];
}

/** Returns head shell, wrap-around visor with lens and two status lights, ear discs. Head frame: at the pitch joint. */
export function headParts(): Part[] {
  const sides = [-1, 1] as const;
  const front = 0.0995;
  return [
    part('shell', P.shellWhite, loft(SKULL, { fillet: [0.008, 0.001], around: 56, between: 3 })),
    part('visor', P.visor, inlay(SKULL, { halfThetaRad: 1.17, z: [0.014, 0.092], liftM: 0.0042, power: 4 })),
    part('frame', P.frameMid, ring('x', 0.0092, 0.0016, [front - 0.0015, 0, 0.074])),
    part('visor', P.lens, disc('x', 0.0085, 0.004, [front - 0.002, 0, 0.074])),
    ...sides.map((side) =>
      part(
        'status',
        P.accentGlow,
        inlay(SKULL, { thetaRad: side * 0.36, halfThetaRad: 0.075, z: [0.034, 0.062], liftM: 0.0058, power: 2.4 }),
      ),
    ),
    ...sides.flatMap((side) => [
      part('frame', P.frameDark, disc('y', 0.025, 0.016, [0.0, side * 0.079, 0.044])),
      part('shell', P.accent, ring('y', 0.0165, 0.0022, [0.0, side * 0.0868, 0.044])),
    ]),
  ];
}

/** Returns the profile of a folded sleeve about z between two heights: [radius, z] pairs. */
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
