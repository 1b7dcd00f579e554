import { BoxGeometry, BufferAttribute, BufferGeometry } from 'three';
import type { Vec3 } from '../../protocol/wire/geometry.ts';

/** A unit box whose vertices store their role in a rounded one: the corner they belong to, and their normal there. */
interface Template {
  /** Per vertex -1 or 1 along x, y and z. */
  corners: Int8Array;
  normals: Float32Array;
  indices: Uint16Array;
}

const ORIGIN: Vec3 = [0, 0, 0];
const templates = new Map<number, Template>();

/**
 * Returns a box with sharp edges, full extents in metres, its centre at `at`. It has only position, normal and index: hundreds
 * are built before the first picture, and three's own boxes take ten times as long.
 */
export const box = (size: Vec3, at: Vec3 = ORIGIN): BufferGeometry => fromTemplate(template(0), size, 0, at);

/** Returns a box with rounded edges, full extents in metres, its centre at `at`. @param segments steps along a quarter-round */
export function roundedBox(size: Vec3, radius: number, at: Vec3 = ORIGIN, segments = 2): BufferGeometry {
  const usable = Math.min(radius, size[0] * 0.49, size[1] * 0.49, size[2] * 0.49);
  return fromTemplate(template(segments), size, usable, at);
}

function fromTemplate({ corners, normals, indices }: Template, size: Vec3, radius: number, at: Vec3): BufferGeometry {
  const positions = new Float32Array(normals.length);
  for (let axis = 0; axis < 3; axis++) {
    const inner = (size[axis] ?? 0) / 2 - radius;
    const middle = at[axis] ?? 0;
    for (let k = axis; k < positions.length; k += 3)
      positions[k] = middle + inner * (corners[k] ?? 0) + radius * (normals[k] ?? 0);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(normals.slice(), 3));
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  return geometry;
}

/**
 * Builds a box as three's RoundedBoxGeometry does: 2 n + 1 cells along each edge, the outer cells bent round, the middle one
 * flat.
 */
function template(segments: number): Template {
  const known = templates.get(segments);
  if (known) return known;
  const cells = 2 * segments + 1;
  const unit = new BoxGeometry(1, 1, 1, cells, cells, cells);
  const positions = unit.getAttribute('position').array;
  const corners = Int8Array.from(positions, Math.sign);
  const normals = Float32Array.from(segments === 0 ? unit.getAttribute('normal').array : positions);
  if (segments > 0) bend(normals, corners, 0.5 / cells);
  const made = { corners, normals, indices: Uint16Array.from(unit.getIndex()?.array ?? []) };
  templates.set(segments, made);
  return made;
}

/** Turns positions on the unit box into normals that point away from the nearest corner of the middle cells. */
function bend(vectors: Float32Array, corners: Int8Array, halfCell: number): void {
  for (let k = 0; k < vectors.length; k += 3) {
    const x = (vectors[k] ?? 0) - (corners[k] ?? 0) * halfCell;
    const y = (vectors[k + 1] ?? 0) - (corners[k + 1] ?? 0) * halfCell;
    const z = (vectors[k + 2] ?? 0) - (corners[k + 2] ?? 0) * halfCell;
    const length = Math.hypot(x, y, z) || 1;
    vectors[k] = x / length;
    vectors[k + 1] = y / length;
    vectors[k + 2] = z / length;
  }
}
