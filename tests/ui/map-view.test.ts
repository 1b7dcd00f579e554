/** "From above" is a map: the whole warehouse fits the free part of the picture at any window shape, with legible names. */
import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { VERTICAL_FOV_DEG } from '../../src/viewer/ui/world/picture/eye.ts';
import { areaAbove, isFree, labelCorners } from '../../src/viewer/ui/world/things/label-places.ts';
import type { Area } from '../../src/viewer/ui/world/view/free-areas.ts';
import { type Bounds, HIGHEST_MAP_M, mapBoundsM, mapHeightM, mapPlace } from '../../src/viewer/ui/world/view/map-fit.ts';
import { createTopControl } from '../../src/viewer/ui/world/view/top-control.ts';
import { applyPose, fromAbove, newPose } from '../../src/viewer/ui/world/view/view-pose.ts';
import { SAMPLE_LAYOUT } from '../stage/helpers/sample-world.ts';

const FOV_RAD = (VERTICAL_FOV_DEG * Math.PI) / 180;
const WHOLE = mapBoundsM(SAMPLE_LAYOUT);
const corners = ({ min, max }: Bounds): Vector3[] =>
  [min[0], max[0]].flatMap((x) => [min[1], max[1]].flatMap((y) => [min[2], max[2]].map((z) => new Vector3(x, y, z))));

/** The corners of the box in a picture of this size, from a height above its middle, in pixels from the picture’s middle. */
function cornersPx(bounds: Bounds, heightM: number, yawRad: number, sizePx: { width: number; height: number }): Vector3[] {
  const eye = new PerspectiveCamera(VERTICAL_FOV_DEG, sizePx.width / sizePx.height, 0.05, 60);
  const middle = new Vector3((bounds.min[0] + bounds.max[0]) / 2, (bounds.min[1] + bounds.max[1]) / 2, 0);
  applyPose(eye, fromAbove(middle, heightM, yawRad, VERTICAL_FOV_DEG, newPose()), sizePx);
  eye.updateMatrixWorld(true);
  return corners(bounds).map((corner) => corner.project(eye).multiply(new Vector3(sizePx.width / 2, sizePx.height / 2, 1)));
}

describe('the height of a map', () => {
  const SIZES = [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
    { width: 2000, height: 1100 },
    { width: 700, height: 174 },
    { width: 300, height: 300 },
  ];
  test.each(SIZES)(
    'the height of a map shows every corner in the free part of $width × $height, and one of them at its edge',
    (size) => {
      for (const share of [1, 0.5])
        for (const yawRad of [0, Math.PI / 2, 0.4, -2]) {
          const free = { width: size.width * share, height: size.height };
          const heightM = mapHeightM(WHOLE, yawRad, FOV_RAD, free, size.height);
          const reach = cornersPx(WHOLE, heightM, yawRad, size).map(({ x, y }) =>
            Math.max(Math.abs(x) / (free.width / 2), Math.abs(y) / (free.height / 2)),
          );
          // At the greatest height, the map may show less than everything.
          if (heightM === HIGHEST_MAP_M) continue;
          expect(Math.max(...reach)).toBeCloseTo(1, 9);
        }
    },
  );

  test('the height of a map is limited to a useful distance, however small the window', () => {
    expect(mapHeightM(WHOLE, 0, FOV_RAD, { width: 40, height: 800 }, 800)).toBe(HIGHEST_MAP_M);
  });
});

describe('the place of a map', () => {
  const size = { width: 1280, height: 800 };
  const head: Area = { left: 0, top: 0, right: 1280, bottom: 52 };
  const panel: Area = { left: 908, top: 64, right: 1268, bottom: 788 };
  const cameras: Area = { left: 12, top: 64, right: 252, bottom: 372 };
  const buttons: Area = { left: 12, top: 746, right: 259, bottom: 788 };
  const place = (covers: readonly Area[]) => mapPlace(WHOLE, 0, FOV_RAD, size, covers);

  test('the place of a map is clear of everything that covers the picture', () => {
    const { area } = place([head, panel, cameras, buttons]);
    expect(area.left).toBeGreaterThan(259);
    expect(area.right).toBeLessThan(908);
    expect(area.top).toBeGreaterThan(52);
    expect(area.bottom).toBeLessThan(800);
  });

  test('the place of a map is the largest free one: a panel in a corner costs the less important side', () => {
    const alone = place([head]);
    expect(place([head, buttons]).heightM).toBe(alone.heightM);
    expect(place([head, panel, buttons]).heightM).toBe(alone.heightM);
    expect(place([]).heightM).toBeLessThan(alone.heightM);
  });

  test('the place of a map is the whole picture if no free part is large enough', () => {
    expect(place([{ left: 20, top: 20, right: 1260, bottom: 780 }]).area).toEqual({ left: 0, top: 0, right: 1280, bottom: 800 });
  });
});

test('the map shows the whole floor and everything on it, but not necessarily the tops of the walls', () => {
  const { bounds, obstacles } = SAMPLE_LAYOUT;
  expect([WHOLE.min[0], WHOLE.min[1], WHOLE.max[0], WHOLE.max[1]]).toEqual([
    bounds.min[0],
    bounds.min[1],
    bounds.max[0],
    bounds.max[1],
  ]);
  const rack = obstacles.find(({ obstacle_id }) => obstacle_id.startsWith('rack'));
  expect(WHOLE.max[2]).toBe((rack?.pose.position[2] ?? 0) + (rack?.size[2] ?? 0) / 2);
  expect(WHOLE.max[2]).toBeLessThan(bounds.max[2]);
});

describe('a view from above', () => {
  const fit = { x: 0.25, y: -1.85, heightM: 22 };
  /** Creates the element that the control listens to: a picture that is 900 pixels high. */
  function made() {
    const moved: string[] = [];
    const control = createTopControl((by) => moved.push(by));
    control.setMap(fit);
    const element = Object.assign(new EventTarget(), { style: {}, clientHeight: 900, setPointerCapture: () => undefined });
    control.connect(element as unknown as HTMLElement, VERTICAL_FOV_DEG);
    const pointer = (type: string, clientX: number, clientY: number, pointerId = 1) =>
      element.dispatchEvent(Object.assign(new Event(type), { pointerId, clientX, clientY }));
    const wheel = (deltaY: number) => element.dispatchEvent(Object.assign(new Event('wheel'), { deltaY, deltaMode: 0 }));
    return { control, moved, pointer, wheel };
  }

  test('a view from above is on the map and stays there when the window changes', () => {
    const { control } = made();
    expect(control.centre.toArray()).toEqual([0.25, -1.85, 0]);
    control.setMap({ ...fit, heightM: 30 });
    expect(control.heightM()).toBe(30);
    expect(control.isOnMap()).toBe(true);
  });

  test('a view from above leaves the map when it comes nearer, and returns to it once everything is in view again', () => {
    const { control, wheel } = made();
    wheel(-300);
    expect(control.isOnMap()).toBe(false);
    const nearM = control.heightM();
    expect(nearM).toBeLessThan(16);
    control.centre.set(3, 1, 0);
    control.setMap({ ...fit, heightM: 30 });
    expect(control.heightM()).toBe(nearM);
    expect(control.centre.x).toBe(3);
    wheel(2_000);
    expect(control.isOnMap()).toBe(true);
    expect(control.heightM()).toBe(30);
    expect(control.centre.toArray()).toEqual([0.25, -1.85, 0]);
  });

  test('a view from above leaves the map when the floor is dragged, but not for a click with a slight movement', () => {
    const { control, moved, pointer } = made();
    pointer('pointerdown', 400, 400);
    pointer('pointermove', 403, 402);
    pointer('pointerup', 403, 402);
    expect(moved).toEqual([]);
    expect(control.isOnMap()).toBe(true);
    pointer('pointerdown', 400, 400);
    pointer('pointermove', 300, 400);
    expect(moved).toEqual(['pull']);
    expect(control.isOnMap()).toBe(false);
    // The floor stays under the finger: 900 pixels are 2 · 22 m · tan 18° of it.
    expect(control.centre.x).toBeCloseTo(0.25 + (100 * 2 * 22 * Math.tan(FOV_RAD / 2)) / 900);
    control.showMap();
    expect(control.centre.x).toBe(0.25);
  });

  test('two fingers that close return to the map and stay there', () => {
    const { control, pointer } = made();
    control.setHeight(12);
    pointer('pointerdown', 300, 400, 1);
    pointer('pointerdown', 500, 400, 2);
    pointer('pointermove', 400, 400, 2);
    expect(control.isOnMap()).toBe(true);
    pointer('pointermove', 350, 400, 2);
    expect(control.isOnMap()).toBe(true);
  });
});

describe('names', () => {
  const PICTURE = { widthPx: 500, heightPx: 400 };
  const wish = (x: number, y: number, edge = 40) => ({
    thing: { left: x, top: y, right: x + edge, bottom: y + edge },
    widthPx: 60,
    heightPx: 20,
  });

  test('names are above their objects, or below, right or left of them if others are in the way', () => {
    const [above, below, right, aside] = labelCorners([wish(200, 150), wish(220, 152), wish(250, 150), wish(400, 150)], PICTURE);
    expect(above).toMatchObject({ x: 190, y: 127 });
    expect(below).toMatchObject({ x: 210, y: 195 });
    expect(right?.x).toBe(293);
    expect(aside?.y).toBe(127);
  });

  test('names stay in the picture', () => {
    const [below, left] = labelCorners([wish(100, 4), wish(455, 200)], PICTURE);
    expect(below?.y).toBe(47);
    expect(left).toMatchObject({ x: 392 });
  });

  test('names never overlap, although their objects are close together', () => {
    const wishes = Array.from({ length: 8 }, (_, k) => wish(150 + 7 * k, 150 + 3 * k, 8));
    const placed = labelCorners(wishes, PICTURE);
    const overlapping = placed.filter((one, i) =>
      placed.some((other, j) => one && other && j < i && Math.abs(one.x - other.x) < 60 && Math.abs(one.y - other.y) < 20),
    );
    expect(overlapping).toEqual([]);
    expect(placed).not.toContain(null);
  });

  test('names are whole beside the edge of the picture, and disappear with the place that they name', () => {
    const name = { widthPx: 60, heightPx: 20 };
    expect(areaAbove({ x: 250, y: 200 }, name, PICTURE)).toEqual({ left: 220, top: 180, right: 280, bottom: 200 });
    expect(areaAbove({ x: 495, y: 8 }, name, PICTURE)).toEqual({ left: 440, top: 0, right: 500, bottom: 20 });
    expect(areaAbove({ x: 3, y: 200 }, name, PICTURE)).toMatchObject({ left: 0, right: 60 });
    expect([-1, 501].map((x) => areaAbove({ x, y: 200 }, name, PICTURE))).toEqual([null, null]);
  });

  test('names are hidden when a panel touches them, because they would shine through', () => {
    const panel = { left: 300, top: 0, right: 500, bottom: 400 };
    const nameAt = (left: number) => ({ left, top: 100, right: left + 60, bottom: 120 });
    expect([180, 260, 400].map((left) => isFree(nameAt(left), [panel]))).toEqual([true, false, false]);
    expect(isFree(nameAt(400), [])).toBe(true);
  });

  test('names without room are left out rather than drawn over one another', () => {
    const small = { widthPx: 130, heightPx: 45 };
    expect(
      labelCorners(
        Array.from({ length: 6 }, () => wish(60, 20, 4)),
        small,
      ),
    ).toContain(null);
  });
});
