import { clamp } from '../../../../protocol/clamp.ts';

/** A rectangle in pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Gap between a thing and its card, pixels. */
const GAP_PX = 72;

/**
 * Returns a card's upper left corner: right of its thing or, if there is no room, left of it, and always completely within the
 * area. A thing out of view has its card in the lower left corner.
 * @param thing position of the thing, pixels; null when it is out of view
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
