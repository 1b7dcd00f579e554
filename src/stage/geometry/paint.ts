import { BufferAttribute, BufferGeometry, Color } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/** How a surface takes light; which material that is, depends on who looks (look/materials.ts). */
export type Finish = 'shell' | 'frame' | 'visor' | 'glow' | 'metal' | 'rubber' | 'board' | 'wood' | 'wall';

/** A piece of geometry with one colour (sRGB hex) and one finish. */
export interface Part {
  geometry: BufferGeometry;
  colour: number;
  finish: Finish;
}

export const part = (finish: Finish, colour: number, geometry: BufferGeometry): Part => ({ geometry, colour, finish });

/**
 * Merges parts into one geometry per finish, the colours as vertex colours in linear space; the parts' own geometries are used up.
 * Attributes of the result: position, normal, color; indexed.
 */
export function mergeByFinish(parts: readonly Part[]): ReadonlyMap<Finish, BufferGeometry> {
  const groups = new Map<Finish, BufferGeometry[]>();
  for (const piece of parts) {
    const list = groups.get(piece.finish) ?? [];
    list.push(painted(piece));
    groups.set(piece.finish, list);
  }
  return new Map([...groups].map(([finish, geometries]) => [finish, mergeAll(geometries)]));
}

/** Merges all parts into one geometry, whatever their finish. */
export function mergePainted(parts: readonly Part[]): BufferGeometry {
  return mergeAll(parts.map(painted));
}

function mergeAll(geometries: BufferGeometry[]): BufferGeometry {
  const merged = mergeGeometries(geometries, false);
  if (!merged) throw new Error('These geometries have different attributes and do not merge.');
  for (const geometry of geometries) geometry.dispose();
  return merged;
}

function painted({ geometry, colour }: Part): BufferGeometry {
  const out = new BufferGeometry();
  const position = geometry.getAttribute('position');
  out.setAttribute('position', position);
  out.setAttribute('normal', geometry.getAttribute('normal'));
  const given = geometry.getAttribute('color');
  out.setAttribute('color', given ?? new BufferAttribute(flatColours(colour, position.count), 3));
  out.setIndex(geometry.getIndex() ?? Array.from({ length: position.count }, (_, k) => k));
  return out;
}

function flatColours(colour: number, count: number): Float32Array {
  const { r, g, b } = new Color(colour);
  const out = new Float32Array(count * 3);
  for (let k = 0; k < count; k++) out.set([r, g, b], k * 3);
  return out;
}
