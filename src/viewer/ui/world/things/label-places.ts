import { clamp } from '../../../../common/clamp.ts';
import type { Area } from '../view/free-areas.ts';

/** A label and its object, pixels of the picture. */
export interface LabelWish {
  thing: Area;
  widthPx: number;
  heightPx: number;
}

/** Gap between an object's edge and its label, and between two labels. */
const GAP_PX = 3;

/** Greatest distance that a label may slide from its place beside the object, pixels, and the size of the steps. */
const SLIDE_PX = 72;
const SLIDE_STEP_PX = 6;

/**
 * Places labels so that no two overlap and all are in the picture: above the object, otherwise below, right or left of it,
 * otherwise as near as possible.
 * @param wishes the most important first
 * @returns the upper left corner of each, in the same order; null for one without room nearby
 */
export function labelCorners(
  wishes: readonly LabelWish[],
  picture: { widthPx: number; heightPx: number },
): ({ x: number; y: number } | null)[] {
  const placed: Area[] = [];
  return wishes.map((wish) => {
    const box = places(wish).find(
      ({ left, top, right, bottom }) =>
        left >= 0 &&
        top >= 0 &&
        right <= picture.widthPx &&
        bottom <= picture.heightPx &&
        placed.every(isApart({ left, top, right, bottom })),
    );
    if (!box) return null;
    placed.push(box);
    return { x: box.left, y: box.top };
  });
}

/** Returns the possible places of a label, the best first. */
function places({ thing, widthPx, heightPx }: LabelWish): Area[] {
  const centredX = (thing.left + thing.right - widthPx) / 2;
  const besideY = (thing.top + thing.bottom - heightPx) / 2;
  const aboveY = thing.top - GAP_PX - heightPx;
  const belowY = thing.bottom + GAP_PX;
  const at = (x: number, y: number): Area => ({ left: x, top: y, right: x + widthPx, bottom: y + heightPx });
  const sides = [thing.right + GAP_PX, thing.left - GAP_PX - widthPx];
  const slides = Array.from({ length: SLIDE_PX / SLIDE_STEP_PX + 1 }, (_, k) => k * SLIDE_STEP_PX);
  return slides.flatMap((slide) => [
    at(centredX, aboveY - slide),
    at(centredX, belowY + slide),
    ...sides.flatMap((x) => [at(x, besideY + slide), at(x, besideY - slide)]),
  ]);
}

/**
 * Returns the area of a label above a point, moved inward if it would pass the edge of the picture.
 * @returns null when the point is outside the picture, or the picture is narrower than the label
 */
export function areaAbove(
  { x, y }: { x: number; y: number },
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
  picture: { widthPx: number; heightPx: number },
): Area | null {
  if (x < 0 || y < 0 || x > picture.widthPx || y > picture.heightPx || widthPx > picture.widthPx) return null;
  const left = clamp(x - widthPx / 2, 0, picture.widthPx - widthPx);
  const bottom = Math.max(y, heightPx);
  return { left, top: bottom - heightPx, right: left + widthPx, bottom };
}

/** Returns whether an area touches none of these covers. */
export const isFree = (area: Area, covers: readonly Area[]): boolean => covers.every(isApart(area, 0));

const isApart =
  (one: Area, gapPx = GAP_PX) =>
  (other: Area): boolean =>
    one.right + gapPx <= other.left ||
    other.right + gapPx <= one.left ||
    one.bottom + gapPx <= other.top ||
    other.bottom + gapPx <= one.top;
