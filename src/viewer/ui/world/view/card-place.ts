import { clamp } from '../../../../common/clamp.ts';
import { type Area, freeAreas, heightOf, widthOf } from './free-areas.ts';

/** Gap between a thing and its card, pixels. */
const GAP_PX = 72;
/** Gap between a card and the elements over the picture, pixels. */
const COVER_GAP_PX = 12;

/**
 * Returns a card's upper left corner: right of its object or, if there is no room, left of it, and always completely within the
 * area. The card of an object out of view is in the lower left corner.
 * @param thing position of the object, pixels; null when it is out of view
 */
export function cardPlace(
  thing: { x: number; y: number } | null,
  card: { width: number; height: number },
  area: Area,
): { x: number; y: number } {
  const lowest = Math.max(area.top, area.bottom - card.height);
  const rightmost = Math.max(area.left, area.right - card.width);
  if (!thing) return { x: area.left, y: lowest };
  const right = thing.x + GAP_PX;
  const left = thing.x - GAP_PX - card.width;
  const x = right <= rightmost || left < area.left ? right : left;
  const y = thing.y - card.height / 2;
  return {
    x: Math.round(clamp(x, area.left, rightmost)),
    y: Math.round(clamp(y, area.top, lowest)),
  };
}

/**
 * Returns a card's upper left corner like `cardPlace`, but at the nearest position where nothing covers the card. If there is no
 * such position, returns that of `cardPlace`.
 * @param covers elements over the picture
 */
export function freeCardPlace(
  thing: { x: number; y: number } | null,
  card: { width: number; height: number },
  area: Area,
  covers: readonly Area[],
): { x: number; y: number } {
  const usual = cardPlace(thing, card, area);
  const grown = covers.map(({ left, top, right, bottom }) => ({
    left: left - COVER_GAP_PX,
    top: top - COVER_GAP_PX,
    right: right + COVER_GAP_PX,
    bottom: bottom + COVER_GAP_PX,
  }));
  const farness = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - usual.x, y - usual.y);
  const [nearest = usual] = freeAreas(area, grown)
    .filter((free) => widthOf(free) >= card.width && heightOf(free) >= card.height)
    .map((free) => cardPlace(thing, card, free))
    .sort((one, other) => farness(one) - farness(other));
  return nearest;
}
