import type { BufferGeometry } from 'three';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import { roundedBox } from '../geometry/boxes.ts';

const BEVEL_M = 0.004;

/** Returns the bevelled box of a cube, for instances that bring their colours. */
export function cubeGeometry(): BufferGeometry {
  const geometry = roundedBox([CUBE_EDGE_M, CUBE_EDGE_M, CUBE_EDGE_M], BEVEL_M, [0, 0, 0], 2);
  // Instances bring the colour; a vertex colour of white keeps the shared material.
  const white = new Float32Array(geometry.getAttribute('position').count * 3).fill(1);
  geometry.setAttribute('color', geometry.getAttribute('position').clone().copyArray(white));
  return geometry;
}
