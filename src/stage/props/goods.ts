import type { BufferGeometry } from 'three';
import { box } from '../geometry/boxes.ts';
import { mergePainted, type Part, part } from '../geometry/paint.ts';
import { frontQuad, topQuad } from '../geometry/placed.ts';
import { PALETTE as P } from '../look/palette.ts';
import type { Tone } from '../look/people-palette.ts';
import type { Stored } from './racks.ts';

/** Height of print and tape above the board, in units of the shape. */
const LIFT = 0.004;

/** The shapes of goods on shelves, each made on first use. */
export interface Goods {
  /** A shape in the unit cube, for instances. */
  shape(kind: Stored['kind']): BufferGeometry;
  /** One good at its place, painted in its tone, ready to be merged with others. */
  part(good: Stored): Part;
  dispose(): void;
}

export function createGoods(tone: Tone): Goods {
  const shapes = new Map<Stored['kind'], BufferGeometry>();
  const shape = (kind: Stored['kind']): BufferGeometry => {
    const made = shapes.get(kind) ?? { carton: unitCarton, tote: unitTote }[kind](tone);
    shapes.set(kind, made);
    return made;
  };
  return {
    shape,
    part(good) {
      const geometry = shape(good.kind).clone().applyMatrix4(good.matrix);
      const colours = geometry.getAttribute('color').array;
      for (let k = 0; k < colours.length; k++) colours[k] = (colours[k] ?? 0) * good.tone;
      return part('board', P.carton, geometry);
    },
    dispose() {
      for (const geometry of shapes.values()) geometry.dispose();
    },
  };
}

/** Returns a closed carton in the unit cube about the origin: tape over the lid, a label on both faces towards an aisle. */
function unitCarton(tone: Tone): BufferGeometry {
  const half = 0.5 + LIFT;
  const parts: Part[] = [part('board', P.carton, box([1, 1, 1])), part('board', P.cartonTape, topQuad(0.16, 1, [0, 0, half]))];
  for (const turn of [0, Math.PI]) {
    const face = (width: number, height: number, x: number, z: number, lift: number): BufferGeometry =>
      frontQuad(width, height, [x, -0.5 - lift, z]).rotateZ(turn);
    parts.push(
      part('board', P.cartonTape, face(0.16, 0.22, 0, 0.39, LIFT)),
      part('board', P.cartonLabel, face(0.34, 0.3, 0.26, -0.22, LIFT)),
      part('board', P.cartonInk, face(0.24, 0.05, 0.25, -0.14, 2 * LIFT)),
      part('board', P.cartonInk, face(0.16, 0.03, 0.21, -0.22, 2 * LIFT)),
      part('board', P.cartonInk, face(0.2, 0.07, 0.23, -0.3, 2 * LIFT)),
    );
  }
  return mergePainted(parts, tone);
}

/** Returns an open plastic tote in the unit cube about the origin, walls and a rim. */
function unitTote(tone: Tone): BufferGeometry {
  const parts: Part[] = [part('shell', P.tote, box([0.92, 0.92, 0.05], [0, 0, -0.475]))];
  for (const side of [-1, 1]) {
    parts.push(
      part('shell', P.tote, box([0.94, 0.04, 0.95], [0, side * 0.45, 0])),
      part('shell', P.tote, box([0.04, 0.94, 0.95], [side * 0.45, 0, 0])),
      part('shell', P.toteRim, box([1, 0.07, 0.13], [0, side * 0.465, 0.435])),
      part('shell', P.toteRim, box([0.07, 1, 0.13], [side * 0.465, 0, 0.435])),
      part('board', P.cartonLabel, frontQuad(0.3, 0.3, [0, -0.475, 0.02]).rotateZ(side > 0 ? Math.PI : 0)),
      part('board', P.cartonInk, frontQuad(0.22, 0.08, [0, -0.479, 0.06]).rotateZ(side > 0 ? Math.PI : 0)),
    );
  }
  return mergePainted(parts, tone);
}
