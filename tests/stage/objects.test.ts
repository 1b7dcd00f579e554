import { Box3, type InstancedMesh, Matrix4, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { cubeOutlinePx } from '../../src/cameras/boxes.ts';
import type { ThingRender } from '../../src/protocol/wire/render-state.ts';
import type { ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import { entityBox } from '../../src/stage/entity-box.ts';
import { createStage } from '../../src/stage/stage.ts';
import type { Pass } from '../../src/stage/types.ts';
import { SAMPLE_CUBES, SAMPLE_LAYOUT, sampleState } from './helpers/sample-world.ts';

const QUARTER = Math.SQRT1_2;

const object = (entityId: string, shape: ThingShape, more: Partial<ThingRender> = {}): ThingRender => ({
  entityId,
  colour: 'red',
  held: false,
  position: [1, 2, 0.5],
  orientation: [0, 0, 0, 1],
  object: { shape, category: shape.kind, massKg: 1 },
  ...more,
});
const BOX = object('box', { kind: 'box', size: [0.3, 0.2, 0.1] });
const CAN = object('can', { kind: 'cylinder', radiusM: 0.05, heightM: 0.3 });
const BIN = object('bin', { kind: 'container', size: [0.4, 0.3, 0.2], wallM: 0.02 });

function draw(things: readonly ThingRender[], pass: Pass = { kind: 'picture' }) {
  const stage = createStage({ layout: SAMPLE_LAYOUT, audience: 'camera', quality: 'low' });
  const state = { ...sampleState(), things };
  stage.draw({ latest: () => state, pass: () => pass }, 0);
  stage.root.updateMatrixWorld(true);
  const mesh = (name: string) => stage.root.getObjectByName(name) as InstancedMesh | undefined;
  /** Returns the upright boxes around the instances of a mesh. */
  const extents = (name: string): Box3[] => {
    const found = mesh(name);
    if (!found) return [];
    found.geometry.computeBoundingBox();
    return Array.from({ length: found.count }, (_, k) => {
      const matrix = new Matrix4();
      found.getMatrixAt(k, matrix);
      return (found.geometry.boundingBox ?? new Box3()).clone().applyMatrix4(matrix);
    });
  };
  return { stage, mesh, extents };
}

const sizeOf = (boxes: readonly Box3[]): number[] =>
  boxes
    .reduce((all, one) => all.union(one), new Box3())
    .getSize(new Vector3())
    .toArray();
const near = (numbers: readonly number[]) => numbers.map((value) => expect.closeTo(value, 5));

describe('things other than cubes', () => {
  it('things are drawn with their size, position and orientation', () => {
    expect(sizeOf(draw([BOX]).extents('objects of flat sides'))).toEqual(near([0.3, 0.2, 0.1]));
    expect(sizeOf(draw([CAN]).extents('round objects'))).toEqual(near([0.1, 0.1, 0.3]));
    const lying = { ...CAN, orientation: [QUARTER, 0, 0, QUARTER] as const };
    expect(sizeOf(draw([lying]).extents('round objects'))).toEqual(near([0.1, 0.3, 0.1]));
    const [one] = draw([BOX]).extents('objects of flat sides');
    expect(one?.getCenter(new Vector3()).toArray()).toEqual(near([1, 2, 0.5]));
  });

  it('containers are open: a floor and four walls', () => {
    const parts = draw([BIN]).extents('objects of flat sides');
    expect(parts.length).toBe(5);
    expect(sizeOf(parts)).toEqual(near([0.4, 0.3, 0.2]));
    const inside = new Vector3(1, 2, 0.5);
    expect(parts.some((part) => part.containsPoint(inside))).toBe(false);
    expect(parts.filter((part) => part.max.z < 0.45).length).toBe(1);
  });

  it('things do not change how cubes are drawn, and cost nothing if there are none', () => {
    const none = draw(SAMPLE_CUBES);
    expect(none.mesh('round objects')).toBeUndefined();
    const mixed = draw([BOX, ...SAMPLE_CUBES, CAN]);
    expect(mixed.stage.thingIds).toEqual(SAMPLE_CUBES.map(({ entityId }) => entityId));
    expect(mixed.mesh('cubes')?.count).toBe(SAMPLE_CUBES.length);
  });

  it('dozens of things are drawn beyond the first capacity, each in its own colour', () => {
    const many = Array.from({ length: 50 }, (_, k) =>
      object(`box_${k}`, { kind: 'box', size: [0.1, 0.1, 0.1] }, { position: [k, 0, 0.05], colour: k % 2 ? 'red' : 'blue' }),
    );
    const { mesh, extents } = draw(many);
    expect(mesh('objects of flat sides')?.count).toBe(50);
    expect(extents('objects of flat sides').map((one) => Math.round(one.getCenter(new Vector3()).x))).toEqual(
      many.map((_, k) => k),
    );
    const colours = mesh('objects of flat sides')?.instanceColor?.array ?? [];
    expect([...colours.slice(0, 3)]).not.toEqual([...colours.slice(3, 6)]);
    expect([...colours.slice(0, 3)]).toEqual([...colours.slice(6, 9)]);
  });

  it('a thing is drawn alone in a picture of a single entity', () => {
    const { mesh } = draw([BOX, CAN, BIN], { kind: 'ids', only: 'can' });
    expect([mesh('round objects')?.count, mesh('objects of flat sides')?.count]).toEqual([1, 0]);
  });

  it('things have outlines of their own size, and are projected by their own corners', () => {
    const state = { ...sampleState(), things: [BOX, CAN, BIN] };
    expect(entityBox('box', state, SAMPLE_LAYOUT)?.size).toEqual([0.3, 0.2, 0.1]);
    expect(entityBox('can', state, SAMPLE_LAYOUT)?.size).toEqual([0.1, 0.1, 0.3]);
    const eye = { position: [1, 2, 3] as const, orientation: [1, 0, 0, 0] as const, verticalFovDeg: 60 };
    const order = { camera: 'pov', widthPx: 400, heightPx: 400, renderState: { ...state, cameras: { pov: eye } } };
    // Seen from directly above, 2.45 m over its top face: 400 px are 2 tan 30° times as wide.
    const pixelsPerM = 400 / (2 * Math.tan(Math.PI / 6) * 2.45);
    expect(cubeOutlinePx(BOX, order as never)).toBeCloseTo(0.3 * 0.2 * pixelsPerM ** 2, 0);
    expect(cubeOutlinePx(CAN, order as never)).toBeNull();
  });
});
