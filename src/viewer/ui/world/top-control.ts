import { Vector3 } from 'three';

/** Heights above the floor from which the hall is looked down on, metres. */
export const TOP_HEIGHT_M = 11;
export const LOWEST_TOP_M = 3;
export const HIGHEST_TOP_M = 24;
/** A wheel's notch is 100 of its units. */
const HEIGHT_PER_WHEEL = 0.0012;

/** A view from above, moved by pulling the floor and by coming nearer. */
export interface TopControl {
  /** The point straight below, world frame. */
  readonly centre: Vector3;
  heightM(): number;
  setHeight(heightM: number): void;
  /** Which way is up in the picture, radians from the world's +y. */
  setYaw(yawRad: number): void;
  /** Listens to pointers and the wheel over an element. */
  connect(element: HTMLElement, verticalFovDeg: number): void;
  disconnect(): void;
}

/** @param changed called when the view has moved */
export function createTopControl(changed: (by: 'pull' | 'height') => void): TopControl {
  const centre = new Vector3();
  const pointers = new Map<number, { x: number; y: number }>();
  let heightM = TOP_HEIGHT_M;
  let yawRad = 0;
  let element: HTMLElement | null = null;
  let fovDeg = 36;

  const setHeight = (next: number) => {
    heightM = Math.min(HIGHEST_TOP_M, Math.max(LOWEST_TOP_M, next));
  };
  const metresPerPx = () =>
    element ? (2 * heightM * Math.tan((fovDeg * Math.PI) / 360)) / Math.max(1, element.clientHeight) : 0;

  function pull(dxPx: number, dyPx: number): void {
    const scale = metresPerPx();
    const [right, up] = [-dxPx * scale, dyPx * scale];
    centre.x += Math.cos(yawRad) * right - Math.sin(yawRad) * up;
    centre.y += Math.sin(yawRad) * right + Math.cos(yawRad) * up;
    changed('pull');
  }

  function spreadPx(): number {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  const onDown = (event: PointerEvent) => {
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element?.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const spreadBefore = spreadPx();
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size > 1 && spreadBefore > 0) {
      setHeight((heightM * spreadBefore) / Math.max(1, spreadPx()));
      changed('height');
    }
    // With two fingers each moves the middle by half.
    pull(dx / pointers.size, dy / pointers.size);
  };
  const onUp = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    setHeight(heightM * Math.exp(event.deltaY * (event.deltaMode === 1 ? 20 : 1) * HEIGHT_PER_WHEEL));
    changed('height');
  };

  return {
    centre,
    heightM: () => heightM,
    setHeight,
    setYaw(next) {
      yawRad = next;
    },
    connect(next, verticalFovDeg) {
      element = next;
      fovDeg = verticalFovDeg;
      next.style.touchAction = 'none';
      next.addEventListener('pointerdown', onDown);
      next.addEventListener('pointermove', onMove);
      next.addEventListener('pointerup', onUp);
      next.addEventListener('pointercancel', onUp);
      next.addEventListener('wheel', onWheel, { passive: false });
    },
    disconnect() {
      element?.removeEventListener('pointerdown', onDown);
      element?.removeEventListener('pointermove', onMove);
      element?.removeEventListener('pointerup', onUp);
      element?.removeEventListener('pointercancel', onUp);
      element?.removeEventListener('wheel', onWheel);
      pointers.clear();
      element = null;
    },
  };
}
