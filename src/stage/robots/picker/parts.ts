import {
  BOOM_IN_M,
  CAMERA_IN_TILT,
  DECK_HEIGHT_M,
  FINGER_HALF_M,
  HAND_DROP_M,
  MAST_X_M,
  PAN_ABOVE_DECK_M,
  PICKER_RADIUS_M,
} from '../../../protocol/robots/picker.ts';
import { roundedBox } from '../../geometry/boxes.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { disc, lathe, ring } from '../../geometry/shapes.ts';
import { PALETTE as P } from '../../look/palette.ts';

/** The rails of the two fingers lie beside each other. */
const RAIL_X_M = 0.014;
const RAIL_M = 0.12;
/** The rails above the fingers' middle: over the cube between them. */
const RAIL_ABOVE_M = 0.115;

/** Returns the round base with its wheels under a skirt, and the mast. Base frame, on the deck. */
export function baseParts(): Part[] {
  const floor = -DECK_HEIGHT_M;
  const r = PICKER_RADIUS_M - 0.012;
  const top = PAN_ABOVE_DECK_M - 0.015;
  return [
    ...[0, 1, 2].map((wheel) => {
      const angle = Math.PI / 3 + (wheel * 2 * Math.PI) / 3;
      return part(
        'rubber',
        P.frameDark,
        disc('x', 0.045, 0.035, [0.12 * Math.cos(angle), 0.12 * Math.sin(angle), floor + 0.045]),
      );
    }),
    part('frame', P.frameDark, disc('z', r - 0.02, 0.05, [0, 0, floor + 0.055])),
    part(
      'shell',
      P.shellWhite,
      lathe(
        'z',
        [
          [0, floor + 0.05],
          [r - 0.008, floor + 0.05],
          [r, floor + 0.06],
          [r, floor + 0.165],
          [r - 0.014, floor + 0.205],
          [r - 0.05, floor + 0.226],
          [0, floor + 0.228],
        ],
        undefined,
        48,
      ),
    ),
    part('rubber', P.palmPad, ring('z', r, 0.012, [0, 0, floor + 0.075], 48)),
    part('status', P.accentGlow, ring('z', r - 0.002, 0.0045, [0, 0, floor + 0.14], 48)),
    part('shell', P.shellGrey, disc('z', 0.125, 0.03, [0, 0, floor + 0.236], 40)),
    // The slanted panel with the button at the robot.
    part('visor', P.visor, roundedBox([0.05, 0.11, 0.02], 0.008, [0.1, 0, floor + 0.25])),
    part('shell', P.accent, disc('z', 0.012, 0.014, [0.1, 0, floor + 0.262])),
    part('frame', P.frameDark, roundedBox([0.1, 0.12, 0.06], 0.02, [MAST_X_M, 0, 0.02])),
    part('shell', P.shellWhite, roundedBox([0.05, 0.062, top], 0.014, [MAST_X_M, 0, top / 2])),
    ...[-1, 1].map((side) =>
      part('frame', P.frameMid, roundedBox([0.018, 0.008, top - 0.1], 0.003, [MAST_X_M, side * 0.0325, top / 2 + 0.03])),
    ),
    part('frame', P.frameDark, disc('z', 0.038, 0.03, [MAST_X_M, 0, top])),
  ];
}

/** Returns the carriage that rides on the mast. */
export function carriageParts(): Part[] {
  return [
    part('shell', P.shellGrey, roundedBox([0.088, 0.1, 0.13], 0.022, [0, 0, -0.01], 3)),
    part('frame', P.frameDark, disc('z', 0.055, 0.022, [0, 0, 0.052])),
    part('frame', P.frameDark, disc('z', 0.055, 0.022, [0, 0, -0.05])),
    part('shell', P.accent, ring('z', 0.0555, 0.0025, [0, 0, 0.052])),
  ];
}

/** Returns the boom's outer sleeve, which turns round the mast. */
export function boomParts(): Part[] {
  const [from, to] = [0.045, BOOM_IN_M - 0.03];
  return [
    part('shell', P.shellWhite, roundedBox([to - from, 0.082, 0.076], 0.02, [(from + to) / 2, 0, 0], 3)),
    part('frame', P.frameDark, roundedBox([0.012, 0.086, 0.08], 0.006, [to, 0, 0])),
    part('shell', P.accent, roundedBox([0.09, 0.084, 0.006], 0.003, [(from + to) / 2, 0, 0.018])),
  ];
}

/** Returns the first stage, which slides out of the sleeve. */
export function innerStageParts(): Part[] {
  const [from, to] = [-0.04, BOOM_IN_M - 0.018];
  return [
    part('shell', P.shellGrey, roundedBox([to - from, 0.06, 0.054], 0.012, [(from + to) / 2, 0, 0])),
    part('frame', P.frameDark, roundedBox([0.01, 0.064, 0.058], 0.004, [to - 0.003, 0, 0])),
  ];
}

/** Returns the second stage with the wrist's drive at its end. */
export function outerStageParts(): Part[] {
  const [from, to] = [-0.04, BOOM_IN_M - 0.01];
  return [
    part('frame', P.frameMid, roundedBox([to - from, 0.042, 0.036], 0.008, [(from + to) / 2, 0, 0])),
    part('frame', P.frameDark, disc('z', 0.034, 0.062, [BOOM_IN_M, 0, 0])),
    part('shell', P.shellWhite, disc('z', 0.026, 0.07, [BOOM_IN_M, 0, 0])),
  ];
}

/** Returns the hand: a post under the wrist and the housing in which the fingers' rails run. */
export function handParts(): Part[] {
  const railZ = RAIL_ABOVE_M - HAND_DROP_M;
  return [
    part('frame', P.frameDark, disc('z', 0.018, -railZ, [0, 0, railZ / 2])),
    part('shell', P.shellWhite, roundedBox([0.07, 0.11, 0.038], 0.014, [0, 0, railZ], 3)),
    part('shell', P.accent, ring('z', 0.0185, 0.003, [0, 0, railZ + 0.045])),
  ];
}

/** Returns a finger: a rubber plate exactly as the physics has it, its upright, and the rail that runs into the hand. */
export function fingerParts(side: -1 | 1): Part[] {
  const railX = side * RAIL_X_M;
  return [
    part('rubber', P.palmPad, roundedBox([0.08, 2 * FINGER_HALF_M, 0.1], 0.006, [0, 0, 0], 3)),
    part('shell', P.shellWhite, roundedBox([0.06, 0.01, 0.09], 0.004, [0, side * 0.011, 0.004])),
    part('frame', P.frameMid, roundedBox([0.05, 0.014, RAIL_ABOVE_M - 0.03], 0.005, [0, side * 0.006, RAIL_ABOVE_M / 2 + 0.02])),
    part('frame', P.frameMid, roundedBox([0.016, RAIL_M, 0.014], 0.004, [railX, side * (0.012 - RAIL_M / 2), RAIL_ABOVE_M])),
  ];
}

/** Returns the fork on which the camera pans. */
export const panParts = (): Part[] => [
  part('frame', P.frameMid, disc('z', 0.03, 0.022, [0, 0, 0.008])),
  part('frame', P.frameDark, roundedBox([0.03, 0.104, 0.02], 0.008, [0, 0, 0.022])),
  ...[-1, 1].map((side) => part('frame', P.frameDark, roundedBox([0.03, 0.012, 0.05], 0.006, [0, side * 0.046, 0.042]))),
];

/** Returns the camera's head. */
export const cameraParts = (): Part[] => [
  part('shell', P.shellWhite, roundedBox([0.075, 0.078, 0.062], 0.022, [0.005, 0, 0], 4)),
  part('visor', P.visor, roundedBox([0.012, 0.066, 0.044], 0.006, [0.04, 0, 0], 3)),
  part('frame', P.frameMid, ring('x', 0.012, 0.002, [0.046, 0, 0])),
  part('visor', P.lens, disc('x', 0.011, 0.006, [CAMERA_IN_TILT[0] - 0.006, 0, 0])),
  ...[-1, 1].map((side) => part('status', P.accentGlow, disc('x', 0.004, 0.003, [0.0465, side * 0.024, 0]))),
];
