import { BufferAttribute, BufferGeometry, Color } from 'three';
import { asPainted, type Tone } from '../look/people-palette.ts';
import type { Finish } from './finish.ts';

/** A piece of geometry with one colour (sRGB hex) and one finish. */
export interface Part {
  geometry: BufferGeometry;
  colour: number;
  finish: Finish;
}

/** Returns a part of a finish and a colour, sRGB hex. */
export const part = (finish: Finish, colour: number, geometry: BufferGeometry): Part => ({ geometry, colour, finish });

/**
 * Merges parts into one geometry per finish, the colours as vertex colours in linear space. The parts' own geometries are used
 * up.
 * Attributes of the result: position, normal, color; indexed.
 */
export function mergeByFinish(parts: readonly Part[], tone: Tone = asPainted): ReadonlyMap<Finish, BufferGeometry> {
  const groups = new Map<Finish, Part[]>();
  for (const piece of parts) {
    const list = groups.get(piece.finish) ?? [];
    list.push(piece);
    groups.set(piece.finish, list);
  }
  return new Map([...groups].map(([finish, pieces]) => [finish, mergePainted(pieces, tone)]));
}

/** Merges all parts into one geometry, whatever their finish. @param tone converts their colours */
export function mergePainted(parts: readonly Part[], tone: Tone = asPainted): BufferGeometry {
  let vertices = 0;
  let corners = 0;
  for (const { geometry } of parts) {
    const { count } = geometry.getAttribute('position');
    vertices += count;
    corners += geometry.getIndex()?.count ?? count;
  }
  const positions = new Float32Array(vertices * 3);
  const normals = new Float32Array(vertices * 3);
  const colours = new Float32Array(vertices * 3);
  const indices = vertices > 65_535 ? new Uint32Array(corners) : new Uint16Array(corners);
  let vertex = 0;
  let corner = 0;
  for (const { geometry, colour, finish } of parts) {
    const position = geometry.getAttribute('position');
    positions.set(position.array, vertex * 3);
    normals.set(geometry.getAttribute('normal').array, vertex * 3);
    const given = geometry.hasAttribute('color') ? geometry.getAttribute('color') : null;
    if (given) colours.set(given.array, vertex * 3);
    else fill(colours, vertex * 3, position.count * 3, tone(finish, colour));
    const index = geometry.getIndex()?.array;
    const count = index?.length ?? position.count;
    for (let k = 0; k < count; k++) indices[corner + k] = vertex + (index ? (index[k] ?? 0) : k);
    vertex += position.count;
    corner += count;
    geometry.dispose();
  }
  const merged = new BufferGeometry();
  merged.setAttribute('position', new BufferAttribute(positions, 3));
  merged.setAttribute('normal', new BufferAttribute(normals, 3));
  merged.setAttribute('color', new BufferAttribute(colours, 3));
  merged.setIndex(new BufferAttribute(indices, 1));
  return merged;
}

/** Writes a colour (sRGB hex) as linear red, green, blue over a range of numbers. */
function fill(into: Float32Array, start: number, length: number, colour: number): void {
  const { r, g, b } = _fill_colour.setHex(colour);
  for (let k = start; k < start + length; k += 3) {
    into[k] = r;
    into[k + 1] = g;
    into[k + 2] = b;
  }
}

const _fill_colour = new Color();
