import { HAND_LENGTH_M, PALM_FROM_WRIST_M, UPPER_ARM_M } from '../../../protocol/robots/humanoid.ts';
import { roundedBox } from '../../geometry/boxes.ts';
import { domeSections, loft } from '../../geometry/loft.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { disc, ring } from '../../geometry/shapes.ts';
import { PALETTE as P } from '../../look/palette.ts';

/** +1 is the left side, where outward is +y. */
export type Side = -1 | 1;

/** Returns the drive in the shoulder, between chest and arm. */
export function shoulderPitchParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.041, 0.03, [0, side * -0.022, 0])),
    part('shell', P.accent, ring('y', 0.0405, 0.0022, [0, side * -0.0125, 0])),
  ];
}

/** Returns the shoulder's cap. */
export function shoulderRollParts(side: Side): Part[] {
  return [
    part(
      'shell',
      P.shellWhite,
      loft(domeSections([0, side * 0.013, -0.006], [0.054, 0.047, 0.06], [-40, 89], 2.4), {
        fillet: [0.006, 0.0003],
        between: 2,
      }),
    ),
    part('frame', P.frameDark, disc('x', 0.021, 0.109, [0, side * 0.012, 0])),
    part('shell', P.shellGrey, disc('x', 0.013, 0.113, [0, side * 0.012, 0])),
  ];
}

/** Returns the upper arm. */
export function upperArmParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('z', 0.031, 0.17, [0, side * 0.004, -0.115])),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.176, rx: 0.036, ry: 0.033, power: 2.7 },
          { z: -0.12, rx: 0.042, ry: 0.038, cy: side * 0.003, power: 2.7 },
          { z: -0.064, rx: 0.042, ry: 0.038, cy: side * 0.006, power: 2.5 },
        ],
        { fillet: 0.01 },
      ),
    ),
    // The fork that holds the elbow's axle.
    part('frame', P.frameDark, roundedBox([0.036, 0.044, 0.05], 0.016, [0, 0, -UPPER_ARM_M + 0.02])),
  ];
}

/** Returns elbow drive and forearm. */
export function forearmParts(): Part[] {
  return [
    part('frame', P.frameDark, disc('y', 0.035, 0.07)),
    part('shell', P.shellGrey, disc('y', 0.023, 0.076)),
    part('shell', P.accent, disc('y', 0.008, 0.079)),
    part('frame', P.frameDark, disc('z', 0.024, 0.19, [0, 0, -0.115])),
    part(
      'shell',
      P.shellWhite,
      loft(
        [
          { z: -0.172, rx: 0.029, ry: 0.028, power: 2.7 },
          { z: -0.12, rx: 0.036, ry: 0.034, power: 2.7 },
          { z: -0.07, rx: 0.04, ry: 0.037, cx: 0.001, power: 2.7 },
          { z: -0.046, rx: 0.038, ry: 0.035, power: 2.6 },
        ],
        { fillet: 0.01 },
      ),
    ),
    part('shell', P.accent, ring('z', 0.0245, 0.003, [0, 0, -0.188])),
  ];
}

/** Returns a mitten-like hand: a rubber palm exactly as the physics has it, a shell on its back. */
export function handParts(side: Side): Part[] {
  return [
    part('frame', P.frameDark, disc('z', 0.021, 0.024, [0, side * 0.006, 0.002])),
    part('rubber', P.palmPad, roundedBox([0.08, 0.02, HAND_LENGTH_M], 0.007, [0, 0, -PALM_FROM_WRIST_M], 3)),
    part(
      'shell',
      P.shellWhite,
      roundedBox([0.075, 0.026, HAND_LENGTH_M - 0.006], 0.012, [0, side * 0.016, -PALM_FROM_WRIST_M], 4),
    ),
    ...[-1, 0, 1].map((row) =>
      part('frame', P.frameMid, roundedBox([0.062, 0.003, 0.0025], 0.001, [0, side * -0.0092, -PALM_FROM_WRIST_M + row * 0.024])),
    ),
  ];
}
