/** Corners in the floor plane, in order; the last one is joined to the first. World frame, metres. */
export type Polygon = readonly (readonly [number, number])[];

/** Returns whether a point is in a polygon: a ray to +x crosses its sides an odd number of times (even-odd rule). */
export function isInPolygon(polygon: Polygon, x: number, y: number): boolean {
  let inside = false;
  for (const [index, [ax, ay]] of polygon.entries()) {
    const [bx, by] = polygon[(index + 1) % polygon.length] ?? [ax, ay];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
