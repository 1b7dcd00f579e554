import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { warmUpState } from '../../src/cameras/warm-up-state.ts';
import type { ScenePlace } from '../../src/protocol/wire/place.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene, placeOf } from '../../src/simulation/scene.ts';
import { type CoarseShape, type CoarseView, coarseShapes } from '../../src/viewer/ui/world/coarse/shapes.ts';
import { type CoarseBox, type CoarseSolid, movingSolids, placeSolids } from '../../src/viewer/ui/world/coarse/solids.ts';
import { DEFAULT_VIEW_OFFSET, robotFocus, VERTICAL_FOV_DEG } from '../../src/viewer/ui/world/picture/eye.ts';

const WIDTH_PX = 320;
const HEIGHT_PX = 200;
/** One pixel in this number is compared. */
const EVERY_PX = 5;
/** Pixels this close to an edge are skipped, because rounding decides what they show. */
const EDGE_PX = 1;

function placeIn(sceneId: (typeof SCENE_IDS)[number]): ScenePlace {
  const scene = builtInScene(sceneId);
  if (!scene) throw new Error(`there is no scene ${sceneId}`);
  return placeOf(scene, 'humanoid');
}

/** The view of a robot at its start, from one of four sides. */
function viewOf(layout: ScenePlace, [ahead, aside]: readonly [number, number] = [1, 1]): CoarseView {
  const target = robotFocus(warmUpState(layout, 'natural'));
  return {
    eye: [target[0] + ahead * DEFAULT_VIEW_OFFSET[0], target[1] + aside * DEFAULT_VIEW_OFFSET[1], DEFAULT_VIEW_OFFSET[2]],
    target,
    verticalFovDeg: VERTICAL_FOV_DEG,
    widthPx: WIDTH_PX,
    heightPx: HEIGHT_PX,
    asidePx: 0,
  };
}

/** The camera of the real picture in the same place, made with three.js, which the coarse picture does without. */
function cameraOf({ eye, target, verticalFovDeg }: CoarseView): PerspectiveCamera {
  const camera = new PerspectiveCamera(verticalFovDeg, WIDTH_PX / HEIGHT_PX, 0.05, 60);
  camera.up.set(0, 0, 1);
  camera.position.set(...eye);
  camera.lookAt(...target);
  camera.updateMatrixWorld();
  return camera;
}

/** A colour for each box, full of red, that no other has in any light. */
const ownHex = (k: number): number => 0xff0000 | ((4 + 25 * (k % 11)) << 8) | (4 + 25 * Math.floor(k / 11));
/** Whether a colour is this one in some light. */
function isShadeOf(css: string, hex: number): boolean {
  const [red = 0, green = 0, blue = 0] = (css.match(/\d+/g) ?? []).map(Number);
  const light = red / 255;
  return Math.abs(green - ((hex >> 8) & 255) * light) < 2 && Math.abs(blue - (hex & 255) * light) < 2;
}

/** Where a ray enters a box, as a share of its length; null if it misses the box or enters through a side that is not drawn. */
function entry(ray: { from: Vector3; to: Vector3 }, box: CoarseBox): number | null {
  const into = new Matrix4()
    .compose(new Vector3(...box.centre), new Quaternion(...box.orientation), new Vector3(1, 1, 1))
    .invert();
  const from = ray.from.clone().applyMatrix4(into);
  const way = ray.to.clone().applyMatrix4(into).sub(from);
  const inside = box.seenFrom && new Vector3(...box.seenFrom).applyMatrix4(into);
  let [enter, leave] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  let isDrawn = true;
  for (const axis of [0, 1, 2] as const) {
    const half = box.size[axis] / 2;
    const [start, speed] = [from.getComponent(axis), way.getComponent(axis)];
    const near = (-Math.sign(speed) * half - start) / speed;
    const far = (Math.sign(speed) * half - start) / speed;
    if (near > enter) {
      enter = near;
      isDrawn = !inside || -Math.sign(speed) * inside.getComponent(axis) > half;
    }
    leave = Math.min(leave, far);
  }
  return enter < leave && enter > 0 && isDrawn ? enter : null;
}

function contains(points: readonly (readonly [number, number])[], [x, y]: readonly [number, number]): boolean {
  let isIn = false;
  points.forEach(([ax, ay], k) => {
    const [bx, by] = points.at(k - 1) ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  });
  return isIn;
}

const topAt = (shapes: readonly CoarseShape[], at: readonly [number, number]): string | null =>
  shapes.findLast((shape) => shape.kind === 'polygon' && contains(shape.points, at))?.css ?? null;

describe('the coarse picture of a scene', () => {
  const sides = [1, -1].flatMap((ahead) => [1, -1].map((aside) => [ahead, aside] as const));
  const cases = SCENE_IDS.flatMap((sceneId) => sides.map((side) => [sceneId, side] as const));
  it.each(cases)(
    'the coarse picture of the %s, seen from side %j, shows at each point what a ray of the real camera hits first',
    (sceneId, side) => {
      const layout = placeIn(sceneId);
      const view = viewOf(layout, side);
      const boxes = [...placeSolids(layout), ...movingSolids(warmUpState(layout, 'natural'), layout)]
        .filter((solid): solid is CoarseBox => solid.kind === 'box')
        .map((box, k) => ({ ...box, hex: ownHex(k) }));
      expect(boxes.length).toBeLessThan(11 * 11);
      const shapes = coarseShapes(boxes, view);
      const camera = cameraOf(view);
      let [looked, wrong] = [0, 0];
      for (let y = EVERY_PX; y < HEIGHT_PX; y += EVERY_PX)
        for (let x = EVERY_PX; x < WIDTH_PX; x += EVERY_PX) {
          const around = [-EDGE_PX, EDGE_PX].flatMap((dx) => [-EDGE_PX, EDGE_PX].map((dy) => topAt(shapes, [x + dx, y + dy])));
          const shown = topAt(shapes, [x, y]);
          if (around.some((css) => css !== shown)) continue;
          looked += 1;
          const to = new Vector3((x / WIDTH_PX) * 2 - 1, 1 - (y / HEIGHT_PX) * 2, 1).unproject(camera);
          const hits = boxes.flatMap((box) => {
            const share = entry({ from: camera.position, to }, box);
            return share === null ? [] : [{ box, share }];
          });
          // Where two boxes end in the same plane, either box is right.
          const nearest = Math.min(...hits.map(({ share }) => share)) + 1e-6;
          const right = hits.filter(({ share }) => share <= nearest);
          const isRight = shown === null ? hits.length === 0 : right.some(({ box }) => isShadeOf(shown, box.hex));
          if (!isRight) wrong += 1;
        }
      expect(looked).toBeGreaterThan(1_000);
      // Where walls of the maze overlap by 10 cm, no drawing order is right.
      expect(wrong / looked).toBeLessThan(0.02);
    },
  );

  it('the coarse picture shows the head of the robot where the real camera sees it', () => {
    const layout = placeIn('warehouse');
    const state = warmUpState(layout, 'natural');
    const view = viewOf(layout);
    const camera = cameraOf(view);
    const solids = movingSolids(state, layout).filter((solid) => solid.kind === 'rod');
    const head = new Vector3(...state.cameras.pov.position).project(camera);
    const drawnHead = coarseShapes(solids, view).findLast(({ kind }) => kind === 'line');
    const lines = coarseShapes(solids, view).flatMap(({ points }) => points);
    expect(solids.length).toBeGreaterThan(20);
    expect(drawnHead).toBeDefined();
    const nearestPx = Math.min(
      ...lines.map(([x, y]) => Math.hypot(x - ((head.x + 1) / 2) * WIDTH_PX, y - ((1 - head.y) / 2) * HEIGHT_PX)),
    );
    expect(nearestPx).toBeLessThan(0.01);
  });

  it('moves the whole picture from under a panel by the given amount', () => {
    const layout = placeIn('hall');
    const solids: readonly CoarseSolid[] = placeSolids(layout);
    const plain = coarseShapes(solids, viewOf(layout));
    const aside = coarseShapes(solids, { ...viewOf(layout), asidePx: -40 });
    expect(aside.map(({ points }) => points.map(([x]) => Math.round(x + 40)))).toEqual(
      plain.map(({ points }) => points.map(([x]) => Math.round(x))),
    );
  });

  it('draws nothing behind the eye, and clips what extends behind it', () => {
    const view: CoarseView = { ...viewOf(placeIn('yard')), eye: [0, 0, 1], target: [1, 0, 1] };
    const box = (x: number, sizeM: number): CoarseBox => ({
      kind: 'box',
      centre: [x, 0, 0],
      size: [sizeM, 1, 0.1],
      orientation: [0, 0, 0, 1],
      hex: 0xffffff,
      seenFrom: null,
    });
    expect(coarseShapes([box(-3, 1)], view)).toEqual([]);
    const shapes = coarseShapes([box(0, 20)], view);
    expect(shapes.length).toBeGreaterThan(0);
    for (const { points } of shapes) for (const value of points.flat()) expect(Number.isFinite(value)).toBe(true);
  });
});
