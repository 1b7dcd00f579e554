import { cardPlace } from '../view/card-place.ts';
import type { Area } from '../view/free-areas.ts';

interface Point {
  x: number;
  y: number;
}

/** Free space around each object of a map, so that it stays visible with its label, pixels. */
const ROUND_PX = 44;
const GAP_PX = 12;

/**
 * Returns a card's upper left corner on a map: where it covers the fewest relevant objects and nothing covers it; among such
 * places, the nearest to its object. A map shows a whole scene, so the place beside an object is often in front of another one.
 * @param thing position of the object, pixels; null when it is out of view
 * @param others the other objects that the map must show
 * @param area where the card may be
 * @param covers elements over the picture
 */
export function mapCardPlace(
  thing: Point | null,
  others: readonly Point[],
  card: { width: number; height: number },
  area: Area,
  covers: readonly Area[],
): Point {
  const beside = cardPlace(thing, card, area);
  const right = area.right - card.width;
  const bottom = area.bottom - card.height;
  const places: Point[] = [
    beside,
    ...[area.left, right].flatMap((x) => [area.top, bottom].map((y) => ({ x, y }))),
    ...covers.map((cover) => ({ x: Math.max(area.left, cover.left), y: cover.bottom + GAP_PX })),
    ...covers.map((cover) => ({ x: cover.right + GAP_PX, y: Math.max(area.top, cover.top) })),
  ].filter(({ x, y }) => x >= area.left && x <= right && y >= area.top && y <= bottom);
  const shown = thing ? [thing, ...others] : others;
  const cost = (place: Point): number => {
    const over = areaAt(place, card, 0);
    const isUnder = covers.some((cover) => !apart(over, cover));
    const wide = areaAt(place, card, ROUND_PX);
    const hidden = shown.filter(({ x, y }) => x > wide.left && x < wide.right && y > wide.top && y < wide.bottom).length;
    return (isUnder ? shown.length + 1 : 0) + hidden;
  };
  const farness = ({ x, y }: Point): number =>
    thing ? Math.hypot(x + card.width / 2 - thing.x, y + card.height / 2 - thing.y) : 0;
  const [best = beside] = places
    .map((place) => ({ place, cost: cost(place), farness: farness(place) }))
    .sort((one, other) => one.cost - other.cost || one.farness - other.farness)
    .map(({ place }) => place);
  return best;
}

const areaAt = ({ x, y }: Point, { width, height }: { width: number; height: number }, roundPx: number): Area => ({
  left: x - roundPx,
  top: y - roundPx,
  right: x + width + roundPx,
  bottom: y + height + roundPx,
});

const apart = (one: Area, other: Area): boolean =>
  one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;
