import { PlaneGeometry } from 'three';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { frontQuad } from '../../geometry/placed.ts';
import { PALETTE as P } from '../../look/palette.ts';
import { plainWallParts, type WallSide, wallSides } from '../../props/shell.ts';
import type { SceneLook } from '../scene-look.ts';

/** A band of windows under the ceiling, from this height. */
const WINDOW_Z_M = 2.2;
const WINDOW_HEIGHT_M = 0.7;
const WINDOW_PITCH_M = 1.7;
const FRAME_M = 0.06;
/** The lower part of the walls is darker, up to a rail. */
const WAINSCOT_M = 1;
const LAMP_ROWS = 3;

/** A low, bright hall: plain walls with a band of windows, and strips of light across the ceiling. */
export const hallLook: SceneLook = {
  shellParts: (place) => [...plainWallParts(place), ...wallSides(place.bounds).flatMap(trim), ...ceiling(place)],
};

function trim({ length, matrix }: WallSide): Part[] {
  const count = Math.max(1, Math.floor(length / WINDOW_PITCH_M));
  const pitch = length / count;
  const middleZ = WINDOW_Z_M + WINDOW_HEIGHT_M / 2;
  const parts: Part[] = [
    part('wall', P.wallLow, frontQuad(length, WAINSCOT_M, [0, -0.002, WAINSCOT_M / 2])),
    part('wall', P.wallJoint, frontQuad(length, 0.014, [0, -0.003, WAINSCOT_M])),
  ];
  for (let k = 0; k < count; k++) {
    const x = -length / 2 + (k + 0.5) * pitch;
    const width = pitch - 0.4;
    parts.push(part('wall', P.windowFrame, frontQuad(width, WINDOW_HEIGHT_M, [x, -0.006, middleZ])));
    for (const side of [-1, 1]) {
      const paneWidth = (width - 3 * FRAME_M) / 2;
      const paneX = x + side * (paneWidth + FRAME_M) * 0.5;
      parts.push(part('glow', P.windowPane, frontQuad(paneWidth, WINDOW_HEIGHT_M - 2 * FRAME_M, [paneX, -0.012, middleZ])));
    }
  }
  for (const { geometry } of parts) geometry.applyMatrix4(matrix);
  return parts;
}

function ceiling({ bounds: { min, max } }: ScenePlace): Part[] {
  const [width, depth, z] = [max[0] - min[0], max[1] - min[1], max[2]];
  const [midX, midY] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  const facingDown = (sizeX: number, sizeY: number, y: number, at: number) =>
    new PlaneGeometry(sizeX, sizeY).rotateX(Math.PI).translate(midX, y, at);
  const rows = Array.from({ length: LAMP_ROWS }, (_, k) => min[1] + ((k + 0.5) * depth) / LAMP_ROWS);
  return [
    part('wall', P.ceiling, facingDown(width, depth, midY, z)),
    ...rows.map((y) => part('glow', P.lamp, facingDown(width * 0.7, 0.14, y, z - 0.02))),
  ];
}
