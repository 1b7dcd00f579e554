import { ANKLE_HEIGHT_M, FOOT_LENGTH_M, FOOT_WIDTH_M, SHANK_M, THIGH_M } from '../../protocol/robot-model.ts';
import { loft } from '../geometry/loft.ts';
import { type Part, part } from '../geometry/paint.ts';
import { disc, ring, roundedBox } from '../geometry/shapes.ts';
import { PALETTE as P } from '../look/palette.ts';
import type { Side } from './arms.ts';

const SOLE_M = 0.018;
/** The foot reaches farther before the ankle than behind it. */
const FOOT_CENTRE_X_M = 0.03;

/** The hip's drive, a disc on the outside. */
export function hipPitchParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.05, 0.026, [0, side * 0.05, 0])),
    part('shell', P.shellWhite, disc('y', 0.039, 0.03, [0, side * 0.053, 0])),
    part('shell', P.accent, ring('y', 0.043, 0.0022, [0, side * 0.0625, 0])),
  ];
}

export function hipRollParts(): Part[] {
  return [part('frame', P.frameDark, roundedBox([0.066, 0.07, 0.07], 0.02))];
}

/** The thigh: a dark core inside a long shell. */
export function thighParts(side: Side): Part[] {
  return [
    part(
      'frame',
      P.frameDark,
      loft([
        { z: -THIGH_M + 0.01, rx: 0.034, ry: 0.034 },
        { z: -0.03, rx: 0.042, ry: 0.038 },
      ]),
    ),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.226, rx: 0.047, ry: 0.043, cx: 0.004, power: 2.8 },
          { z: -0.17, rx: 0.056, ry: 0.048, cx: 0.006, power: 2.7 },
          { z: -0.1, rx: 0.064, ry: 0.05, cx: 0.004, cy: side * -0.002, power: 2.6 },
          { z: -0.062, rx: 0.06, ry: 0.046, cy: side * -0.004, power: 2.5 },
        ],
        { fillet: [0.01, 0.022] },
      ),
    ),
    part('shell', P.shellGrey, roundedBox([0.008, 0.05, 0.05], 0.004, [0.0565, 0, -0.176], 3)),
  ];
}

/** Knee drive and shank, the calf behind. */
export function shankParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.043, 0.078)),
    part('shell', P.shellWhite, disc('y', 0.031, 0.086)),
    part('shell', P.accent, ring('y', 0.02, 0.002, [0, side * 0.0425, 0])),
    part(
      'frame',
      P.frameDark,
      loft([
        { z: -SHANK_M + 0.006, rx: 0.026, ry: 0.026 },
        { z: -0.02, rx: 0.034, ry: 0.032 },
      ]),
    ),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.232, rx: 0.034, ry: 0.033, cx: 0.002, power: 2.8 },
          { z: -0.17, rx: 0.043, ry: 0.039, cx: -0.004, power: 2.7 },
          { z: -0.1, rx: 0.051, ry: 0.044, cx: -0.008, power: 2.6 },
          { z: -0.056, rx: 0.046, ry: 0.042, cx: -0.003, power: 2.6 },
        ],
        { fillet: 0.01 },
      ),
    ),
    part('shell', P.shellSeam, roundedBox([0.004, 0.0025, 0.1], 0.001, [0.0405, 0, -0.14])),
  ];
}

export function anklePitchParts(): Part[] {
  return [part('frame', P.frameDark, disc('y', 0.029, 0.06)), part('shell', P.shellGrey, disc('y', 0.018, 0.066))];
}

/** The foot: rubber sole of the model's size, a shell like a shoe. Its lowest point is the model's sole. */
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
    part('shell', P.accent, roundedBox([0.012, 0.05, 0.004], 0.002, [FOOT_CENTRE_X_M + 0.097, 0, soleTop + 0.008])),
  ];
}
