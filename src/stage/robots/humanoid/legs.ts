import { ANKLE_HEIGHT_M, FOOT_LENGTH_M, FOOT_WIDTH_M, SHANK_M, THIGH_M } from '../../../protocol/robots/humanoid.ts';
import { roundedBox } from '../../geometry/boxes.ts';
import { inlay, type LoftSection, loft } from '../../geometry/loft.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { disc, ring } from '../../geometry/shapes.ts';
import { PALETTE as P } from '../../look/palette.ts';
import type { Side } from './arms.ts';

const SOLE_M = 0.018;
/** The foot reaches farther before the ankle than behind it. */
const FOOT_CENTRE_X_M = 0.03;

const THIGH: readonly LoftSection[] = [
  { z: -0.23, rx: 0.05, ry: 0.045, cx: 0.004, power: 2.8 },
  { z: -0.17, rx: 0.062, ry: 0.053, cx: 0.008, power: 2.7 },
  { z: -0.1, rx: 0.072, ry: 0.058, cx: 0.007, power: 2.6 },
  { z: -0.05, rx: 0.068, ry: 0.055, cx: 0.003, power: 2.5 },
];
const SHANK: readonly LoftSection[] = [
  { z: -0.232, rx: 0.036, ry: 0.034, cx: 0.002, power: 2.8 },
  { z: -0.17, rx: 0.047, ry: 0.042, cx: -0.005, power: 2.7 },
  { z: -0.1, rx: 0.057, ry: 0.049, cx: -0.009, power: 2.6 },
  { z: -0.054, rx: 0.05, ry: 0.046, cx: -0.004, power: 2.6 },
];

/** Returns the hip's drive, a disc on the outside. */
export function hipPitchParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.046, 0.03, [0, side * 0.043, 0])),
    part('shell', P.shellWhite, disc('y', 0.036, 0.03, [0, side * 0.049, 0])),
    part('shell', P.accent, ring('y', 0.0395, 0.002, [0, side * 0.0582, 0])),
  ];
}

/** Returns the joint between hip and thigh. */
export function hipRollParts(): Part[] {
  return [part('frame', P.frameDark, roundedBox([0.076, 0.078, 0.08], 0.026, [0, 0, -0.006]))];
}

/** Returns the thigh: a dark core inside a long shell. */
export function thighParts(): Part[] {
  return [
    part(
      'frame',
      P.frameDark,
      loft([
        { z: -THIGH_M + 0.01, rx: 0.034, ry: 0.034 },
        { z: -0.03, rx: 0.044, ry: 0.04 },
      ]),
    ),
    part('shell', P.shellWhite, loft(THIGH, { fillet: [0.01, 0.028], around: 32 })),
    part('shell', P.shellGrey, inlay(THIGH, { halfThetaRad: 0.62, z: [-0.212, -0.15], liftM: 0.0016, power: 3.4 })),
  ];
}

/** Returns knee drive and shank, with the calf behind. */
export function shankParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.043, 0.082)),
    part('shell', P.shellWhite, disc('y', 0.031, 0.09)),
    part('shell', P.accent, ring('y', 0.02, 0.002, [0, side * 0.0448, 0])),
    part(
      'frame',
      P.frameDark,
      loft([
        { z: -SHANK_M + 0.006, rx: 0.026, ry: 0.026 },
        { z: -0.02, rx: 0.036, ry: 0.034 },
      ]),
    ),
    part('shell', P.shellWhite, loft(SHANK, { fillet: 0.012, around: 32 })),
    part('shell', P.shellGrey, inlay(SHANK, { halfThetaRad: 0.5, z: [-0.2, -0.075], liftM: 0.0014, power: 3 })),
  ];
}

/** Returns the ankle: a disc across, covered outside. */
export function anklePitchParts(): Part[] {
  return [part('frame', P.frameDark, disc('y', 0.029, 0.06)), part('shell', P.shellGrey, disc('y', 0.018, 0.066))];
}

/** Returns the foot: rubber sole of the model's size, a shell like a shoe. Its lowest point is the model's sole. */
export function footParts(): Part[] {
  const soleTop = -ANKLE_HEIGHT_M + SOLE_M;
  return [
    part(
      'rubber',
      P.frameDark,
      roundedBox([FOOT_LENGTH_M, FOOT_WIDTH_M, SOLE_M], 0.008, [FOOT_CENTRE_X_M, 0, -ANKLE_HEIGHT_M + SOLE_M / 2], 3),
    ),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: soleTop + 0.004, rx: 0.096, ry: 0.042, cx: FOOT_CENTRE_X_M, power: 2.9 },
          { z: soleTop + 0.018, rx: 0.086, ry: 0.041, cx: 0.024, power: 2.8 },
          { z: soleTop + 0.034, rx: 0.058, ry: 0.038, cx: 0.004, power: 2.6 },
          { z: soleTop + 0.046, rx: 0.046, ry: 0.036, cx: -0.006, power: 2.6 },
        ],
        { fillet: 0.008 },
      ),
    ),
  ];
}
