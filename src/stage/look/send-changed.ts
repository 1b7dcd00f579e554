import type { BufferAttribute, TypedArray } from 'three';

/** The values of each attribute after its last `sendChanged`. */
const sent = new WeakMap<BufferAttribute, TypedArray>();

/**
 * Sends the first `count` elements of an attribute to the GPU with the next frame if they differ from those sent before. At rest
 * it sends nothing.
 */
export function sendChanged(attribute: BufferAttribute, count: number): void {
  const { array, itemSize } = attribute;
  const length = count * itemSize;
  const before = sent.get(attribute);
  if (!before) {
    // The first time, three sends all of it.
    sent.set(attribute, array.slice());
    attribute.needsUpdate = true;
    return;
  }
  let first = 0;
  while (first < length && array[first] === before[first]) first += 1;
  if (first === length) return;
  let last = length - 1;
  while (array[last] === before[last]) last -= 1;
  for (let k = first; k <= last; k += 1) before[k] = array[k] ?? 0;
  // Ranges wait until the mesh is drawn. Those of a hidden mesh must not pile up.
  const waits = attribute.updateRanges.length > 0;
  attribute.clearUpdateRanges();
  if (waits) attribute.addUpdateRange(0, array.length);
  else attribute.addUpdateRange(first, last + 1 - first);
  attribute.needsUpdate = true;
}
