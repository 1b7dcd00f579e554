import { PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import { type AnchorView, createAnchors, type OnScreen } from '../../src/viewer/ui/world/things/anchors.ts';

function viewOf(widthPx: number): AnchorView {
  const camera = new PerspectiveCamera(36, 1, 0.1, 60);
  camera.position.set(0, 0, 5);
  camera.updateMatrixWorld();
  return { camera, widthPx, heightPx: widthPx, isHidden: () => false };
}

function setUp() {
  const anchors = createAnchors();
  const log: (readonly (OnScreen | null)[] | 'outdated')[] = [];
  const anchor = {
    points: () => [[0, 0, 0] as const],
    place: (at: readonly (OnScreen | null)[]) => void log.push(at),
    outdated: () => void log.push('outdated'),
  };
  return { anchors, anchor, log };
}

it('a name is drawn where its object is in the displayed picture', () => {
  const { anchors, anchor, log } = setUp();
  anchors.add(anchor);
  anchors.prepare(viewOf(200))(viewOf(200));
  expect(log).toEqual([[expect.objectContaining({ x: 100, y: 100, hidden: false })]]);
});

it('a name is hidden as soon as the picture changes its size, and a new name waits for the next picture', () => {
  const { anchors, anchor, log } = setUp();
  anchors.add(anchor);
  anchors.prepare(viewOf(200))(viewOf(200));
  anchors.outdate();
  expect(log.at(-1)).toBe('outdated');
  anchors.add({ ...anchor });
  expect(log.at(-1)).toBe('outdated');
  anchors.prepare(viewOf(100))(viewOf(100));
  expect(log.at(-1)).toEqual([expect.objectContaining({ x: 50, y: 50 })]);
});
