import { type RefObject, useEffect } from 'react';

/** Distance between the head and the elements below it, pixels. */
const GAP_PX = 12;

/** Keeps the elements over the world below the head, because its lines about link, lease and stop vary in number and length. */
export function useHeadHeight(head: RefObject<HTMLElement | null>, phase: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the gate has no head to measure.
  useEffect(() => {
    const element = head.current;
    const page = element?.closest<HTMLElement>('.interface');
    if (!element || !page) return;
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      const below = `${element.offsetHeight + GAP_PX}px`;
      page.style.setProperty('--top', below);
      // Toasts are not part of the interface, and would cover the reason why the robot is stopped.
      root.setProperty('--toasts-top', below);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty('--toasts-top');
    };
  }, [head, phase]);
}
