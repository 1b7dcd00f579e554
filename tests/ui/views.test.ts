import { PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { cameraView } from '../../src/protocol/wire/capture-frame.ts';
import { HEAD_CAMERA_FOV_DEG } from '../../src/protocol/wire/captures.ts';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import { placeOpticalCamera } from '../../src/stage/optical-camera.ts';
import { createUiStore } from '../../src/viewer/ui/common/ui-store.ts';
import { personMarkers, sameMarkers } from '../../src/viewer/ui/world/picture/person-markers.ts';
import { statusLightOf } from '../../src/viewer/ui/world/picture/status-light.ts';
import { createAnchors, type OnScreen } from '../../src/viewer/ui/world/things/anchors.ts';
import { labelOpacity } from '../../src/viewer/ui/world/things/Labels.tsx';
import { mapCardPlace } from '../../src/viewer/ui/world/things/map-card-place.ts';
import { cardPlace, freeCardPlace } from '../../src/viewer/ui/world/view/card-place.ts';
import { viewKeyCommand } from '../../src/viewer/ui/world/view/view-keys.ts';
import {
  applyPose,
  between,
  changeShare,
  fromAbove,
  headPose,
  lookingAt,
  newPose,
  topYawRad,
} from '../../src/viewer/ui/world/view/view-pose.ts';
import { sampleState } from '../stage/helpers/sample-world.ts';
import { actionView, runtimeState } from './examples.ts';

const seen = (camera: PerspectiveCamera, x: number, y: number, z: number) => {
  camera.updateMatrixWorld(true);
  return new Vector3(x, y, z).project(camera);
};

describe('views', () => {
  test('the view from the head shows what the head camera sees, point by point', () => {
    const state = sampleState({ yawRad: 0.7, headPitchRad: 0.35 });
    const person = new PerspectiveCamera(36, 16 / 9, 0.05, 60);
    applyPose(person, headPose(state, newPose()), { width: 1280, height: 720 });
    const robot = new PerspectiveCamera();
    placeOpticalCamera(robot, state.cameras.pov, 1280, 720);
    const points: readonly [number, number, number][] = [
      [2, -0.5, 0.4],
      [1.4, -1, 0.65],
      [3, 1, 1.2],
    ];
    for (const point of points) {
      const [mine, its] = [seen(person, ...point), seen(robot, ...point)];
      expect(mine.x).toBeCloseTo(its.x, 6);
      expect(mine.y).toBeCloseTo(its.y, 6);
    }
    expect(person.fov).toBe(HEAD_CAMERA_FOV_DEG);
  });

  test('the view from above shows the warehouse as the ceiling camera does', () => {
    const state = sampleState();
    const person = new PerspectiveCamera(36, 1, 0.05, 60);
    applyPose(person, fromAbove(new Vector3(1, -2, 0), 10, topYawRad(state), 36, newPose()), { width: 720, height: 720 });
    const robot = new PerspectiveCamera();
    placeOpticalCamera(robot, cameraView(state, 'topdown'), 720, 720);
    const [mine, its] = [new Vector3(), new Vector3()];
    mine.subVectors(seen(person, 2, -2, 0), seen(person, 1, -2, 0));
    its.subVectors(seen(robot, 2, -2, 0), seen(robot, 1, -2, 0));
    expect(mine.normalize().angleTo(its.normalize())).toBeLessThan(0.05);
    expect(seen(person, 1, -2, 0).length()).toBeLessThan(1.01);
  });

  test('a change of view starts at the old view, ends at the new one, and is immediate when motion is unwanted', () => {
    expect(changeShare(-0.1, 0.45)).toBe(0);
    expect(changeShare(0.225, 0.45)).toBeCloseTo(0.5);
    expect(changeShare(9, 0.45)).toBe(1);
    expect(changeShare(0, 0)).toBe(1);
    const a = lookingAt(new Vector3(3, 0, 1), new Vector3(0, 0, 1), 36, newPose());
    const b = lookingAt(new Vector3(0, 3, 1), new Vector3(0, 0, 1), 70, newPose());
    const half = between(a, b, 0.5, newPose());
    expect(half.position.toArray()).toEqual([1.5, 1.5, 1]);
    expect(half.verticalFovDeg).toBe(53);
    b.asidePx.set(-40, 8);
    expect(between(a, b, 0.25, newPose()).asidePx.toArray()).toEqual([-10, 2]);
    expect(half.orientation.angleTo(a.orientation)).toBeCloseTo(half.orientation.angleTo(b.orientation));
  });

  test('keys choose, follow and reset views, and leave combinations to the browser', () => {
    const press = (key: string, held = {}) => viewKeyCommand({ key, ctrlKey: false, altKey: false, metaKey: false, ...held });
    expect(press('2')).toEqual({ kind: 'view', view: 'top' });
    expect(press('F')).toEqual({ kind: 'follow' });
    expect(press('Home')).toEqual({ kind: 'reset' });
    expect(press('r', { ctrlKey: true })).toBeNull();
    expect(press('4')).toBeNull();
  });
});

describe('a view that follows an object', () => {
  test('a view that follows an object moves with each picture, and at once when the object appears later', () => {
    const anchors = createAnchors();
    const camera = new PerspectiveCamera(90, 2, 0.1, 50);
    camera.position.set(0, 0, 10);
    camera.updateMatrixWorld(true);
    const draw = (hidden: boolean) => {
      const view = { camera, widthPx: 200, heightPx: 100, isHidden: () => hidden };
      anchors.prepare(view)(view);
    };
    draw(false);
    const placed: (OnScreen | null | undefined)[] = [];
    const remove = anchors.add({ points: () => [[0, 5, 0]], place: ([at]) => placed.push(at) });
    expect(placed).toEqual([{ x: 100, y: expect.closeTo(25, 6), distanceM: Math.hypot(5, 10), hidden: false }]);
    camera.position.set(0, 0, -10);
    camera.updateMatrixWorld(true);
    draw(true);
    expect(placed[1]).toBeNull();
    remove();
    draw(true);
    expect(placed).toHaveLength(2);
  });

  test('a following view matches the displayed picture until the next one, and uses the point of that picture', () => {
    const anchors = createAnchors();
    const camera = new PerspectiveCamera(90, 2, 0.1, 50);
    camera.position.set(0, 0, 10);
    camera.updateMatrixWorld(true);
    const view = { camera, widthPx: 200, heightPx: 100, isHidden: () => false };
    const placedY: (number | undefined)[] = [];
    let pointY = 0;
    anchors.add({ points: () => [[0, pointY, 0]], place: ([at]) => placedY.push(at?.y) });
    const show = anchors.prepare(view);
    pointY = 5;
    const lateY: (number | undefined)[] = [];
    anchors.add({ points: () => [[0, pointY, 0]], place: ([at]) => lateY.push(at?.y) });
    expect(placedY).toEqual([]);
    show(view);
    expect(placedY).toEqual([50]);
    // The object was not in the requested picture, so its current position is used.
    expect(lateY).toEqual([expect.closeTo(25, 6)]);
  });

  test('a card is beside its object, and whole within the picture', () => {
    const area = { left: 12, top: 64, right: 1000, bottom: 800 };
    const card = { width: 272, height: 300 };
    expect(cardPlace({ x: 300, y: 400 }, card, area)).toEqual({ x: 372, y: 250 });
    expect(cardPlace({ x: 900, y: 400 }, card, area)).toEqual({ x: 556, y: 250 });
    for (const thing of [null, { x: -500, y: -90 }, { x: 3_000, y: 3_000 }]) {
      const { x, y } = cardPlace(thing, card, area);
      expect(x).toBeGreaterThanOrEqual(area.left);
      expect(x + card.width).toBeLessThanOrEqual(area.right);
      expect(y).toBeGreaterThanOrEqual(area.top);
      expect(y + card.height).toBeLessThanOrEqual(area.bottom);
    }
  });

  test('a card beside its object is under no panel, and moves away no further than necessary', () => {
    const area = { left: 12, top: 64, right: 896, bottom: 736 };
    const cameras = { left: 12, top: 64, right: 252, bottom: 480 };
    const card = { width: 272, height: 200 };
    const place = (x: number, y: number) => freeCardPlace({ x, y }, card, area, [cameras]);
    // There is room at the right and at the left below the panel, but none at the left beside it.
    expect(place(500, 300)).toEqual({ x: 572, y: 200 });
    expect(place(560, 700)).toEqual({ x: 216, y: 536 });
    for (const [x, y] of [
      [-400, 100],
      [100, 300],
      [200, 450],
      [560, 300],
      [560, 560],
      [640, 100],
    ] as const) {
      const to = place(x, y);
      expect(to.x >= cameras.right || to.y >= cameras.bottom, `${x}, ${y}`).toBe(true);
      expect(to.x + card.width).toBeLessThanOrEqual(area.right);
      expect(to.y + card.height).toBeLessThanOrEqual(area.bottom);
    }
    // A picture without such a place shows the card in its default place.
    expect(freeCardPlace({ x: 100, y: 300 }, card, area, [area])).toEqual(cardPlace({ x: 100, y: 300 }, card, area));
  });

  test('a card on a map covers no pad if there is room, and is under no panel', () => {
    // 1280 × 800 with the panel and the robot’s cameras open, a pad at the upper right.
    const area = { left: 12, top: 64, right: 896, bottom: 736 };
    const covers = [
      { left: 12, top: 64, right: 252, bottom: 372 },
      { left: 12, top: 746, right: 259, bottom: 788 },
    ];
    const [thing, ...others] = [
      [737, 245],
      [645, 200],
      [420, 250],
      [497, 615],
      [737, 615],
      [591, 407],
    ].map(([x = 0, y = 0]) => ({ x, y }));
    const card = { width: 272, height: 268 };
    const to = mapCardPlace(thing ?? null, others, card, area, covers);
    for (const { x, y } of [thing ?? { x: 0, y: 0 }, ...others])
      expect(x > to.x && x < to.x + card.width && y > to.y && y < to.y + card.height, `${x}, ${y}`).toBe(false);
    expect(to).toEqual({ x: 12, y: 384 });
    // If every place hides something, the card is still whole in the picture.
    const crowded = Array.from({ length: 400 }, (_, index) => ({ x: (index % 20) * 50, y: Math.floor(index / 20) * 50 }));
    const somewhere = mapCardPlace(null, crowded, card, area, covers);
    expect(somewhere.x).toBeGreaterThanOrEqual(area.left);
    expect(somewhere.y + card.height).toBeLessThanOrEqual(area.bottom);
  });

  test('a label fades with distance and behind racks, and disappears before it becomes illegible', () => {
    expect(labelOpacity(2, false)).toBe(1);
    expect(labelOpacity(9, false)).toBeLessThan(1);
    expect(labelOpacity(9, true)).toBe(0);
    expect(labelOpacity(40, false)).toBe(0);
  });
});

test('the head camera’s view is not drawn over itself, and equal choices request no new picture', () => {
  const ui = createUiStore({ overlays: { path: true, reach: true, frustum: true, labels: true } });
  const orbit = personMarkers(ui.getState(), false);
  expect(orbit.frustum).toBe(true);
  ui.setState({ tab: 'scene', panelOpen: false });
  expect(sameMarkers(orbit, personMarkers(ui.getState(), false))).toBe(true);
  expect(sameMarkers(orbit, personMarkers(ui.getState(), true))).toBe(false);
  ui.setState({ view: 'head' });
  expect(personMarkers(ui.getState(), false).frustum).toBe(false);
  expect(sameMarkers(orbit, personMarkers(ui.getState(), false))).toBe(false);
});

test('the robot’s lights show work, a recent failure, and rest again', () => {
  const failed = actionView({ error: runtimeError('GRASP_MISSED', 'It slipped.', { attempted: true }), finishedAtMs: 10_000 });
  const refused = actionView({ error: runtimeError('OUT_OF_REACH', 'Too far.'), finishedAtMs: 11_000 });
  const still = { phase: 'live', runtime: runtimeState() } as const;
  expect(statusLightOf({ ...still, actions: [] }, 0)).toBe('idle');
  expect(statusLightOf({ ...still, actions: [actionView({ status: 'running', finishedAtMs: null })] }, 0)).toBe('working');
  expect(statusLightOf({ ...still, actions: [failed] }, 12_000)).toBe('failed');
  expect(statusLightOf({ ...still, actions: [refused, failed] }, 12_000)).toBe('idle');
  expect(statusLightOf({ ...still, actions: [failed] }, 60_000)).toBe('idle');
  expect(statusLightOf({ ...still, actions: [actionView({ finishedAtMs: 11_000 }), failed] }, 12_000)).toBe('idle');
  expect(statusLightOf({ ...still, phase: 'loading', actions: [failed] }, 12_000)).toBe('idle');
});
