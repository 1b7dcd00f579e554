/** The parts of a pointer event that distinguish a click from a drag. */
export type PressEvent = Pick<PointerEvent, 'pointerId' | 'clientX' | 'clientY' | 'button'>;

/** Movement allowed within a click, because a hand is not perfectly still; pixels. */
export const STILL_PX = 6;

/**
 * Distinguishes a click or a tap from a drag and from a gesture of several fingers. Its duration does not matter, because a slow
 * page makes slow clicks.
 */
export interface Press {
  down(event: PressEvent): void;
  move(event: PressEvent): void;
  /** Notes a released pointer. @returns true when this ends a click */
  up(event: PressEvent): boolean;
  cancel(event: PressEvent): void;
}

export function createPress(): Press {
  const down = new Set<number>();
  let began: PressEvent | null = null;

  return {
    down(event) {
      down.add(event.pointerId);
      // A second finger turns the press into a gesture.
      began = down.size === 1 && event.button === 0 ? event : null;
    },
    move(event) {
      if (began?.pointerId !== event.pointerId) return;
      if (Math.hypot(event.clientX - began.clientX, event.clientY - began.clientY) > STILL_PX) began = null;
    },
    up(event) {
      down.delete(event.pointerId);
      const isClick = began?.pointerId === event.pointerId;
      began = null;
      return isClick;
    },
    cancel(event) {
      down.delete(event.pointerId);
      began = null;
    },
  };
}
