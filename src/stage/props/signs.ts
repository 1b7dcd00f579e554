import { roundedBox } from '../geometry/boxes.ts';
import { type Part, part } from '../geometry/paint.ts';
import { disc } from '../geometry/shapes.ts';
import { PALETTE as P } from '../look/palette.ts';
import { letterGeometry } from './lettering.ts';

const SIGN_PLATE = { widthM: 0.3, heightM: 0.36, thicknessM: 0.018 } as const;
const LETTER_M = 0.2;

/**
 * Returns a letter sign on a post of this height, its foot at the local origin, facing -y and +y. The plate stands above the
 * post, over the heads of robots, because only the post is an obstacle.
 * @param barColour colour of the bar below the letter, sRGB hex
 */
export function signParts(letter: string, postHeightM: number, barColour: number): Part[] {
  const plateZ = postHeightM + SIGN_PLATE.heightM / 2 - 0.04;
  const front = SIGN_PLATE.thicknessM / 2 + 0.0015;
  const glyph = (): Part['geometry'] => letterGeometry(letter, LETTER_M).translate(0, -front, plateZ + 0.02);
  const bar = (): Part['geometry'] => roundedBox([0.14, 0.002, 0.012], 0.001, [0, -front, plateZ - 0.125]);
  return [
    part('metal', P.signPost, roundedBox([0.034, 0.034, postHeightM - 0.01], 0.008, [0, 0, postHeightM / 2])),
    part('metal', P.rackFoot, disc('z', 0.075, 0.016, [0, 0, 0.008])),
    part(
      'shell',
      P.signPlate,
      roundedBox([SIGN_PLATE.widthM, SIGN_PLATE.thicknessM, SIGN_PLATE.heightM], 0.02, [0, 0, plateZ], 3),
    ),
    ...[0, Math.PI].flatMap((turn) => [
      part('shell', P.signInk, glyph().rotateZ(turn)),
      part('shell', barColour, bar().rotateZ(turn)),
    ]),
  ];
}
