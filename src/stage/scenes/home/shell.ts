import { BufferAttribute, type BufferGeometry, CircleGeometry, Color, PlaneGeometry } from 'three';
import { isOfKind, type ScenePlace } from '../../../protocol/wire/place.ts';
import { type Part, part } from '../../geometry/paint.ts';
import { frontQuad } from '../../geometry/placed.ts';
import { PALETTE as P } from '../../look/palette.ts';
import { wallSides } from '../../props/shell.ts';
import type { SceneLook } from '../scene-look.ts';
import { type Inks, inksFor, shaded } from './inks.ts';
import { wallPieces } from './on-walls.ts';

const SKIRTING_M = 0.09;
const LAMP_RADIUS_M = 0.26;

/** A room where people live: painted walls with a skirting, what the scene hangs on them, and a round lamp under the ceiling. */
export const homeLook: SceneLook = {
  shellParts(place, _tone, audience) {
    const inks = inksFor(audience);
    const hasWalls = place.obstacles.some(({ obstacle_id }) => isOfKind(place, obstacle_id, 'wall'));
    return [...(hasWalls ? [...walls(place, inks), ...wallPieces(place, inks)] : []), ...ceiling(place, inks)];
  },
};

function walls({ bounds, dressing }: ScenePlace, inks: Inks): Part[] {
  const paint = inks.paint(dressing?.paint ?? 'white');
  const heightM = bounds.max[2];
  return wallSides(bounds).flatMap(({ length, matrix }) => {
    const parts = [
      part('wall', paint, gradient(length, heightM, paint)),
      part('wall', inks.of('trim'), frontQuad(length, SKIRTING_M, [0, -0.004, SKIRTING_M / 2])),
      part('wall', inks.of('grout'), frontQuad(length, 0.008, [0, -0.005, SKIRTING_M])),
      part('wall', inks.of('trim'), frontQuad(length, 0.06, [0, -0.004, heightM - 0.03])),
    ];
    for (const { geometry } of parts) geometry.applyMatrix4(matrix);
    return parts;
  });
}

/** Returns the face of a wall, a little darker towards floor and ceiling, where less light comes. */
function gradient(length: number, heightM: number, paint: number): BufferGeometry {
  const stops = [
    [0, 0.86],
    [0.4, 0.97],
    [heightM * 0.6, 1],
    [heightM, 0.93],
  ] as const;
  const plane = new PlaneGeometry(length, 1, 1, stops.length - 1);
  const position = plane.getAttribute('position');
  const colours = new Float32Array(position.count * 3);
  for (let k = 0; k < position.count; k++) {
    // Rows of a plane run downwards, two corners each.
    const [z, share] = stops[stops.length - 1 - Math.floor(k / 2)] ?? stops[0];
    position.setY(k, z);
    const { r, g, b } = new Color(paint).multiplyScalar(share);
    colours.set([r, g, b], k * 3);
  }
  plane.setAttribute('color', new BufferAttribute(colours, 3));
  return plane.rotateX(Math.PI / 2);
}

function ceiling({ bounds: { min, max } }: ScenePlace, inks: Inks): Part[] {
  const [midX, midY, z] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, max[2]];
  const facingDown = (geometry: BufferGeometry, below: number) => geometry.rotateX(Math.PI).translate(midX, midY, z - below);
  return [
    // Lit from below by the room itself: the light rig would leave it dark.
    part('glow', shaded(inks.of('ceiling'), 0.74), facingDown(new PlaneGeometry(max[0] - min[0], max[1] - min[1]), 0)),
    part('wall', inks.of('grout'), facingDown(new CircleGeometry(LAMP_RADIUS_M + 0.03, 32), 0.01)),
    part('glow', P.lamp, facingDown(new CircleGeometry(LAMP_RADIUS_M, 32), 0.02)),
  ];
}
