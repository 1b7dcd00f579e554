/** A rectangle in pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A part of a picture smaller than this is useless, pixels. */
const SMALLEST_FREE_PX = 96;

export const widthOf = ({ left, right }: Area): number => right - left;
export const heightOf = ({ top, bottom }: Area): number => bottom - top;

/** Returns the parts of an area that no cover touches, each as large as possible, without those that are too small. */
export function freeAreas(area: Area, [cover, ...others]: readonly Area[]): Area[] {
  if (widthOf(area) < SMALLEST_FREE_PX || heightOf(area) < SMALLEST_FREE_PX) return [];
  if (!cover) return [area];
  const apart = cover.right <= area.left || cover.left >= area.right || cover.bottom <= area.top || cover.top >= area.bottom;
  if (apart) return freeAreas(area, others);
  return [
    { ...area, right: cover.left },
    { ...area, left: cover.right },
    { ...area, top: cover.bottom },
    { ...area, bottom: cover.top },
  ].flatMap((rest) => freeAreas(rest, others));
}
