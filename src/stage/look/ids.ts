import { type Color, LinearSRGBColorSpace } from 'three';

const ids: string[] = [];
const serials = new Map<string, number>();

/**
 * Sets a colour whose linear channels, in eight bits, are an entity's serial number: what id pictures are drawn with. Read them back with
 * `entityOfPixel`. Numbers hold for as long as this thread lives.
 */
export function setIdColour(colour: Color, entityId: string): Color {
  let serial = serials.get(entityId);
  if (serial === undefined) {
    ids.push(entityId);
    serial = ids.length;
    serials.set(entityId, serial);
  }
  return colour.setRGB((serial & 0xff) / 255, ((serial >> 8) & 0xff) / 255, ((serial >> 16) & 0xff) / 255, LinearSRGBColorSpace);
}

/** The entity that a pixel of an id picture shows; null for what is none. Channels 0…255 as read from the render target. */
export function entityOfPixel(red: number, green: number, blue: number): string | null {
  return ids[red + 256 * green + 65536 * blue - 1] ?? null;
}
