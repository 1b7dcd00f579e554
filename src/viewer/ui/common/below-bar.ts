import { type RefObject, useRef, useState } from 'react';

/**
 * Places the list of a button in the top bar below the whole bar. A bar of two lines has the emergency stop in the second line,
 * and no list may cover it.
 */
export function useBelowBar(): {
  button: RefObject<HTMLButtonElement | null>;
  /** Distance from the lower edge of the button to the list, pixels. */
  sideOffset: number;
  /** Measures the bar when the list opens. */
  onOpenChange: () => void;
} {
  const button = useRef<HTMLButtonElement>(null);
  const [sideOffset, setSideOffset] = useState(0);
  const lowerEdge = (element: Element | null | undefined): number => element?.getBoundingClientRect().bottom ?? 0;
  const onOpenChange = () => setSideOffset(lowerEdge(button.current?.closest('.top-bar')) - lowerEdge(button.current));
  return { button, sideOffset, onOpenChange };
}
