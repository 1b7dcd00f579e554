import { useEffect, useState } from 'react';
import type { Area } from './free-areas.ts';

/**
 * Elements that stay over the picture. The strip of running actions appears and disappears. A map that jumped with it would be
 * worse than one partly covered by it.
 */
const COVERING = '.head, .embed-bar, .side-panel, .cameras-panel, .view-bar, .drive, .cockpit';

const NONE: readonly Area[] = [];

/**
 * Returns the parts of a picture that the page's bars and panels cover, pixels from its upper left corner. @param canvas null
 * until it exists
 */
export function useCovers(canvas: HTMLElement | null): readonly Area[] {
  const [covers, setCovers] = useState(NONE);
  useEffect(() => {
    const page = canvas?.closest('.interface');
    if (!canvas || !page) return;
    const look = () => {
      const found = [...page.querySelectorAll(COVERING)];
      for (const element of found) sizes.observe(element);
      const next = found.map((element) => within(element.getBoundingClientRect(), canvas.getBoundingClientRect()));
      setCovers((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    // An element that opens or closes is a child of the page or marks the page. An element that it pushes aside changes size, or
    // comes to rest after a moment.
    const sizes = new ResizeObserver(look);
    const children = new MutationObserver(look);
    sizes.observe(canvas);
    children.observe(page, { childList: true, attributes: true });
    page.addEventListener('animationend', look);
    look();
    return () => {
      sizes.disconnect();
      children.disconnect();
      page.removeEventListener('animationend', look);
    };
  }, [canvas]);
  return covers;
}

const within = (rect: DOMRect, picture: DOMRect): Area => ({
  left: Math.round(rect.left - picture.left),
  top: Math.round(rect.top - picture.top),
  right: Math.round(rect.right - picture.left),
  bottom: Math.round(rect.bottom - picture.top),
});
