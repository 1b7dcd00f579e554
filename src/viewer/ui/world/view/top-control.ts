import { Vector3 } from 'three';
import { STILL_PX } from './press.ts';

/** Lowest height of the view from above, metres. A closer view of the floor is not useful. */
const LOWEST_TOP_M = 3;
/** A wheel's notch is 100 of its units. */
const HEIGHT_PER_WHEEL = 0.0012;

/** The eye from which the whole scene is visible, world frame, metres. */
export interface MapEye {
  x: number;
  y: number;
  heightM: number;
}

/**
 * A view from above. It is a map of the whole scene until the person drags the floor or moves closer. It becomes the map again
 * when the person moves up to the map's height.
 */
export interface TopControl {
  /** The point straight below, world frame. */
  readonly centre: Vector3;
  heightM(): number;
  /** Sets the height. A lower height leaves the map; the map's height, or a higher one, returns to it. */
  setHeight(heightM: number): void;
  isOnMap(): boolean;
  /** Sets the map's current eye. A view on the map follows it. */
  setMap(map: MapEye): void;
  /** Returns to the whole scene. */
  showMap(): void;
  /** Sets the direction that is up in the picture, radians from the world's +y. */
  setYaw(yawRad: number): void;
  /** Listens to pointers and the wheel over an element. */
  connect(element: HTMLElement, verticalFovDeg: number): void;
  disconnect(): void;
}

/** Creates the control. @param changed called when the view has moved */
export function createTopControl(changed: (by: 'pull' | 'height') => void): TopControl {
  const centre = new Vector3();
  const pointers = new Map<number, { x: number; y: number }>();
  let map: MapEye = { x: 0, y: 0, heightM: LOWEST_TOP_M };
  let onMap = true;
  let { heightM } = map;
  /** A click does not count as a drag, although the hand moves slightly. */
  let isPull = false;
  let downAt = { x: 0, y: 0 };
  let yawRad = 0;
  let element: HTMLElement | null = null;
  let fovDeg = 36;

  const showMap = () => {
    onMap = true;
    heightM = map.heightM;
    centre.set(map.x, map.y, 0);
  };
  const setHeight = (next: number) => {
    if (next >= map.heightM) return showMap();
    onMap = false;
    heightM = Math.max(LOWEST_TOP_M, next);
  };
  const metresPerPx = () =>
    element ? (2 * heightM * Math.tan((fovDeg * Math.PI) / 360)) / Math.max(1, element.clientHeight) : 0;

  function pull(dxPx: number, dyPx: number): void {
    const scale = metresPerPx();
    onMap = false;
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
    downAt = { x: event.clientX, y: event.clientY };
    isPull = pointers.size > 0;
    pointers.set(event.pointerId, downAt);
    element?.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    isPull ||= Math.hypot(event.clientX - downAt.x, event.clientY - downAt.y) > STILL_PX;
    if (!isPull) return;
    const spreadBefore = spreadPx();
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size > 1 && spreadBefore > 0) {
      setHeight((heightM * spreadBefore) / Math.max(1, spreadPx()));
      changed('height');
      if (onMap) return;
    }
    // With two fingers, each moves the middle by half.
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
    isOnMap: () => onMap,
    setMap(next) {
      map = next;
      if (onMap) showMap();
    },
    showMap,
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
