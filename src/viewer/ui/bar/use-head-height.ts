import { type RefObject, useEffect } from 'react';

/** Between the head and what floats below it, pixels. */
const GAP_PX = 12;

/** Keeps what floats over the world below the head: the lines about link, lease and stop are of any number and length. */
export function useHeadHeight(head: RefObject<HTMLElement | null>, phase: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the gate there is no head to measure.
  useEffect(() => {
    const element = head.current;
    const page = element?.closest<HTMLElement>('.interface');
    if (!element || !page) return;
    const root = document.documentElement.style;
    const observer = new ResizeObserver(() => {
      const below = `${element.offsetHeight + GAP_PX}px`;
      page.style.setProperty('--top', below);
      // Toasts are no part of the interface, and would cover why the robot is stopped.
      root.setProperty('--toasts-top', below);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.removeProperty('--toasts-top');
    };
  }, [head, phase]);
}
