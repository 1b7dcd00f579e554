import { type Color, LinearSRGBColorSpace } from 'three';

/** Entity ids by serial number. Null marks a number that is free again. */
const ids: (string | null)[] = [];
const free: number[] = [];
const serials = new Map<string, number>();

/**
 * Sets the colour of an entity for id pictures: its linear channels, in eight bits, are the entity's serial number. Read it back
 * with `entityOfPixel`. A number stays valid until it is released.
 */
export function setIdColour(colour: Color, entityId: string): Color {
  let serial = serials.get(entityId);
  if (serial === undefined) {
    serial = free.pop() ?? ids.length + 1;
    ids[serial - 1] = entityId;
    serials.set(entityId, serial);
  }
  return colour.setRGB((serial & 0xff) / 255, ((serial >> 8) & 0xff) / 255, ((serial >> 16) & 0xff) / 255, LinearSRGBColorSpace);
}

/** Releases the number of an entity that has left the picture, because new things keep appearing. */
export function forgetIdColour(entityId: string): void {
  const serial = serials.get(entityId);
  if (serial === undefined) return;
  serials.delete(entityId);
  ids[serial - 1] = null;
  free.push(serial);
}

/** Returns the entity that a pixel of an id picture shows, or null for none. Channels 0…255 as read from the render target. */
export function entityOfPixel(red: number, green: number, blue: number): string | null {
  return ids[red + 256 * green + 65536 * blue - 1] ?? null;
}
