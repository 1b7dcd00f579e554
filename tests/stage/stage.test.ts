import { Box3, InstancedMesh, type Material, Matrix4, Mesh, type Object3D, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { JOINTS, ROOT_LINK } from '../../src/protocol/robots/humanoid.ts';
import type { RenderState } from '../../src/protocol/wire/render-state.ts';
import { createStage } from '../../src/stage/stage.ts';
import type { FrameSource, Pass } from '../../src/stage/types.ts';
import { SAMPLE_CUBES, SAMPLE_LAYOUT, sampleState } from './helpers/sample-world.ts';

const LINKS = new Set([ROOT_LINK, ...JOINTS.map(({ link }) => link)]);

function build(audience: 'people' | 'camera', quality: 'low' | 'high' = 'low') {
  const stage = createStage({ layout: SAMPLE_LAYOUT, audience, quality });
  let state: RenderState = sampleState();
  let pass: Pass = { kind: 'picture' };
  let eye: 'pov' | null = null;
  const source: FrameSource = { latest: () => state, pass: () => pass, eye: () => eye };
  const cubes = (): InstancedMesh => {
    const mesh = stage.root.getObjectByName('cubes');
    if (!(mesh instanceof InstancedMesh)) throw new Error('no cubes');
    return mesh;
  };
  return {
    stage,
    cubes,
    draw(changes: Partial<RenderState> = {}, options: { pass?: Pass; eye?: 'pov' } = {}) {
      state = { ...state, ...changes };
      pass = options.pass ?? { kind: 'picture' };
      eye = options.eye ?? null;
      stage.draw(source, 0);
      stage.root.updateMatrixWorld(true);
    },
    visibleMeshes() {
      const found: Mesh[] = [];
      stage.root.traverseVisible((object) => {
        if (object instanceof Mesh) found.push(object);
      });
      return found;
    },
  };
}

describe('stage', () => {
  it.each([
    ['people', 'high'],
    ['people', 'low'],
    ['camera', 'low'],
  ] as const)('draws everything for %s (%s) in fewer than 150 calls', (audience, quality) => {
    const { draw, visibleMeshes } = build(audience, quality);
    draw();
    expect(visibleMeshes().length).toBeLessThan(150);
  });

  it('adds and removes cubes by id, beyond its first capacity', () => {
    const { draw, cubes, stage } = build('camera');
    draw();
    expect(stage.thingIds).toEqual(SAMPLE_CUBES.map((thing) => thing.entityId));
    const many = Array.from({ length: 70 }, (_, k) => ({
      ...(SAMPLE_CUBES[0] as (typeof SAMPLE_CUBES)[0]),
      entityId: `cube_${k}`,
    }));
    draw({ things: many });
    expect(cubes().count).toBe(70);
    draw({ things: SAMPLE_CUBES.slice(3, 5) });
    expect(stage.thingIds).toEqual(['cube_3', 'cube_4']);
    const matrix = new Matrix4();
    cubes().getMatrixAt(0, matrix);
    expect(new Vector3().setFromMatrixPosition(matrix).toArray()).toEqual(
      (SAMPLE_CUBES[3]?.position ?? []).map((n) => expect.closeTo(n, 6)),
    );
  });

  it('draws nothing of the robot before there is a state', () => {
    const stage = createStage({ layout: SAMPLE_LAYOUT, audience: 'camera', quality: 'low' });
    stage.draw({ latest: () => null }, 0);
    expect(stage.root.getObjectByName('pelvis')?.visible).toBe(false);
  });

  it.each([
    ['camera', 'low'],
    ['people', 'high'],
  ] as const)('omits head and trunk only for the eye inside the head, and keeps the limbs (%s)', (audience, quality) => {
    const { draw, stage, visibleMeshes } = build(audience, quality);
    const ofLink = (object: Object3D | null): string | null => {
      if (object === null) return null;
      return LINKS.has(object.name) ? object.name : ofLink(object.parent);
    };
    const linksSeen = () => new Set(visibleMeshes().flatMap((mesh) => ofLink(mesh) ?? []));
    const isLimb = (link: string) => /^(right|left)_/.test(link);
    draw();
    const all = linksSeen();
    for (const link of ['head', 'neck', 'torso', 'pelvis']) expect(all).toContain(link);
    for (const look of ['natural', 'plain', 'segmentation'] as const) {
      draw({ colourMode: look }, { eye: 'pov' });
      expect(linksSeen()).toEqual(new Set([...all].filter(isLimb)));
    }
    for (const only of [null, 'robot', 'cube_0']) {
      draw({}, { eye: 'pov', pass: { kind: 'ids', only } });
      expect([...linksSeen()].filter((link) => !isLimb(link))).toEqual([]);
    }
    draw({ colourMode: 'natural' });
    expect(linksSeen()).toEqual(all);
    expect(stage.root.getObjectByName('pelvis')?.visible).toBe(true);
  });

  it('fills exactly the pallets and the racks of the layout', () => {
    const { draw, stage } = build('camera');
    draw();
    const inside = new Box3().setFromObject(stage.root);
    const { min, max } = SAMPLE_LAYOUT.bounds;
    expect(inside.min.x).toBeGreaterThanOrEqual(min[0] - 0.21);
    expect(inside.max.x).toBeLessThanOrEqual(max[0] + 0.21);
    expect(inside.min.y).toBeGreaterThanOrEqual(min[1] - 0.21);
    expect(inside.max.y).toBeLessThanOrEqual(max[1] + 0.21);
  });

  it('has no light in segmentation, and returns to natural pictures with the same materials', () => {
    const { draw, visibleMeshes } = build('camera');
    draw();
    const before = visibleMeshes().map((mesh) => mesh.material);
    draw({ colourMode: 'segmentation' });
    for (const mesh of visibleMeshes()) expect((mesh.material as Material).type).toBe('MeshBasicMaterial');
    draw({ colourMode: 'natural' });
    expect(visibleMeshes().map((mesh) => mesh.material)).toEqual(before);
  });

  it('shows a single entity in an id pass', () => {
    const { draw, cubes, visibleMeshes } = build('camera');
    draw({}, { pass: { kind: 'ids', only: 'cube_5' } });
    expect(cubes().count).toBe(1);
    expect(visibleMeshes()).toEqual([cubes()]);
    draw({}, { pass: { kind: 'ids', only: 'pad_C' } });
    expect(cubes().count).toBe(0);
    expect(visibleMeshes().length).toBeGreaterThan(1);
    draw();
    expect(cubes().count).toBe(SAMPLE_CUBES.length);
  });

  it('never shows markers for people in a robot camera', () => {
    const { stage } = build('camera');
    const overlay = { path: [[0, 0] as const, [1, 1] as const], goal: { x: 1, y: 1, yawRad: 0 }, targetEntityId: 'cube_1' };
    const before = count(stage.root);
    stage.draw({ latest: () => sampleState(), overlay: () => overlay }, 0);
    expect(count(stage.root)).toBe(before);
    expect(count(createStage({ layout: SAMPLE_LAYOUT, audience: 'people', quality: 'low' }).root)).toBeGreaterThan(before);
  });
});

function count(root: { traverse(visit: () => void): void }): number {
  let objects = 0;
  root.traverse(() => {
    objects += 1;
  });
  return objects;
}
