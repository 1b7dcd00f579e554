import { BoxGeometry, type BufferGeometry } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

const ARM = 0.22;
const THICK = 0.028;

/** Returns the eight corners of the unit cube as brackets of three short bars each. */
export function bracketGeometry(): BufferGeometry {
  const bars: BufferGeometry[] = [];
  for (const sx of [-1, 1]) {
    for (const sy of [-1, 1]) {
      for (const sz of [-1, 1]) {
        const inward = ARM / 2;
        bars.push(
          new BoxGeometry(ARM, THICK, THICK).translate(sx * (0.5 - inward + THICK / 2), sy * 0.5, sz * 0.5),
          new BoxGeometry(THICK, ARM, THICK).translate(sx * 0.5, sy * (0.5 - inward + THICK / 2), sz * 0.5),
          new BoxGeometry(THICK, THICK, ARM).translate(sx * 0.5, sy * 0.5, sz * (0.5 - inward + THICK / 2)),
        );
      }
    }
  }
  const merged = mergeGeometries(bars, false);
  for (const bar of bars) bar.dispose();
  return merged;
}
