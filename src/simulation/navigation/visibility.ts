import {
  EPSILON_M,
  type FloorMap,
  type Footprint,
  isStandable,
  type Point,
  pointDistance,
  segmentDistance,
} from './footprints.ts';

/**
 * The places between which a shortest way for a disc runs straight: round each rectangle's corner the disc's centre must
 * keep outside an arc, and the arc is enclosed by a polygon with `VERTICES_PER_CORNER` vertices. Two rings of them: one at
 * the wanted clearance, one at the disc's radius itself for where there is no room.
 */
const VERTICES_PER_CORNER = 2;

/** The candidate turning points of a map at which the disc can stand. */
export function turningPoints(map: FloorMap, clearanceM: number): Point[] {
  const rings = clearanceM > 0 ? [map.radiusM + clearanceM, map.radiusM] : [map.radiusM];
  return map.footprints
    .flatMap((footprint) => rings.flatMap((ringM) => cornerPolygon(footprint, ringM)))
    .filter((point) => isStandable(map, point));
}

function cornerPolygon({ minX, maxX, minY, maxY }: Footprint, ringM: number): Point[] {
  const stepRad = Math.PI / 2 / VERTICES_PER_CORNER;
  // Circumscribed: the polygon's sides touch the arc, its vertices are a little outside.
  const distance = (ringM + EPSILON_M) / Math.cos(stepRad / 2);
  const points: Point[] = [];
  for (let i = 0; i < VERTICES_PER_CORNER; i++) {
    const angle = (i + 0.5) * stepRad;
    const [alongX, alongY] = [distance * Math.cos(angle), distance * Math.sin(angle)];
    points.push(
      { x: maxX + alongX, y: maxY + alongY },
      { x: minX - alongX, y: maxY + alongY },
      { x: maxX + alongX, y: minY - alongY },
      { x: minX - alongX, y: minY - alongY },
    );
  }
  return points;
}

/** How free a straight way is: not at all, with the disc's radius, or with the wanted clearance beyond it. */
export type Freedom = 'blocked' | 'tight' | 'free';

/**
 * Whether the disc can go straight from one point to another.
 * A start that is already too near to something may be left, but not towards that thing.
 */
export function straightWay(map: FloorMap, from: Point, to: Point, clearanceM: number): Freedom {
  const wantedM = map.radiusM + clearanceM - EPSILON_M;
  const [minX, maxX] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [minY, maxY] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  let freedom: Freedom = 'free';
  for (const box of map.footprints) {
    if (box.minX > maxX + wantedM || box.maxX < minX - wantedM || box.minY > maxY + wantedM || box.maxY < minY - wantedM)
      continue;
    const distance = segmentDistance(from, to, box);
    if (distance >= wantedM) continue;
    const neededM = Math.min(map.radiusM, pointDistance(from, box)) - EPSILON_M;
    if (distance < neededM || distance === 0) return 'blocked';
    freedom = 'tight';
  }
  return freedom;
}
