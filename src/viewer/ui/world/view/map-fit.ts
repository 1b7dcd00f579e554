import type { Vec3 } from '../../../../protocol/wire/geometry.ts';
import { isOfKind, type ScenePlace } from '../../../../protocol/wire/place.ts';
import { type Area, freeAreas, heightOf, widthOf } from './free-areas.ts';

/** A box of the world, metres. */
export interface Bounds {
  min: Vec3;
  max: Vec3;
}

/** Highest map. From higher up, objects cannot be distinguished, metres. */
export const HIGHEST_MAP_M = 45;
/** Free space between the scene and the elements around it, pixels. */
const MARGIN_PX = 12;

/**
 * Returns the bounds that a map of a scene shows completely: its floor and everything on it. Walls lean outwards, and may be cut
 * off.
 */
export function mapBoundsM(place: Pick<ScenePlace, 'bounds' | 'obstacles' | 'furniture'>): Bounds {
  const { bounds, obstacles } = place;
  const tops = obstacles
    .filter(({ obstacle_id }) => !isOfKind(place, obstacle_id, 'wall'))
    .map(({ pose, size }) => pose.position[2] + size[2] / 2);
  const [minX, minY, floorZ] = bounds.min;
  return { min: [minX, minY, floorZ], max: [bounds.max[0], bounds.max[1], Math.max(floorZ, ...tops)] };
}

/**
 * Returns the height of an eye above the middle of a box that looks straight down and sees the whole box within a part of its
 * picture. The eye looks at the middle of that part.
 * @param yawRad direction that is up in the picture, from the world's +y
 * @param fovRad vertical field of view of the whole picture
 * @param freePx the part
 * @param heightPx height of the whole picture
 * @returns metres above the world's zero, at most `HIGHEST_MAP_M`
 */
export function mapHeightM(
  { min, max }: Bounds,
  yawRad: number,
  fovRad: number,
  freePx: { width: number; height: number },
  heightPx: number,
): number {
  // Half of the length across that just fits the part, as a share of the depth.
  const perPx = Math.tan(fovRad / 2) / (heightPx / 2);
  const [roomX, roomY] = [(perPx * freePx.width) / 2, (perPx * freePx.height) / 2];
  const [halfX, halfY] = [(max[0] - min[0]) / 2, (max[1] - min[1]) / 2];
  const [cos, sin] = [Math.abs(Math.cos(yawRad)), Math.abs(Math.sin(yawRad))];
  // Objects nearer to the eye take more of the picture, so the upper corners decide.
  const across = Math.max((cos * halfX + sin * halfY) / roomX, (sin * halfX + cos * halfY) / roomY);
  return Math.min(HIGHEST_MAP_M, max[2] + across);
}

/** The place of a map in a picture. */
export interface MapPlace {
  heightM: number;
  /** The part of the picture that it occupies, pixels. */
  area: Area;
}

/**
 * Returns the largest map for which a picture has room beside its covers.
 * @param covers covered parts of the picture, pixels
 */
export function mapPlace(
  bounds: Bounds,
  yawRad: number,
  fovRad: number,
  sizePx: { width: number; height: number },
  covers: readonly Area[],
): MapPlace {
  const whole: Area = { left: 0, top: 0, right: sizePx.width, bottom: sizePx.height };
  const heightIn = (area: Area): number =>
    mapHeightM(bounds, yawRad, fovRad, { width: widthOf(area), height: heightOf(area) }, sizePx.height);
  let best: MapPlace | null = null;
  for (const free of freeAreas(whole, covers)) {
    const area = inner(free);
    const heightM = heightIn(area);
    if (!best || heightM < best.heightM) best = { heightM, area };
  }
  return best ?? { heightM: heightIn(whole), area: whole };
}

const inner = ({ left, top, right, bottom }: Area): Area => ({
  left: left + MARGIN_PX,
  top: top + MARGIN_PX,
  right: right - MARGIN_PX,
  bottom: bottom - MARGIN_PX,
});
