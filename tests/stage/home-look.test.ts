import { Box3, InstancedMesh, Mesh } from 'three';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { BOX_LOOKS } from '../../src/protocol/wire/look-ids.ts';
import type { Decor, ScenePlace } from '../../src/protocol/wire/place.ts';
import type { Obstacle } from '../../src/protocol/wire/scene.ts';
import { builtInScene, placeOf } from '../../src/simulation/scene.ts';
import { dress } from '../../src/stage/scenes/home/dress.ts';
import { loadLook, lookOf } from '../../src/stage/scenes/looks.ts';
import { createStage } from '../../src/stage/stage.ts';
import type { Audience } from '../../src/stage/types.ts';
import { SAMPLE_LAYOUT } from './helpers/sample-world.ts';

const HOMES = ['kitchen', 'living_room'] as const;

function place(sceneId: string): ScenePlace {
  const scene = builtInScene(sceneId);
  if (!scene) throw new Error(`There is no scene ${sceneId}.`);
  return placeOf(scene, 'humanoid');
}

beforeAll(() => loadLook(place('kitchen')));

/** Counts visible meshes (all instances as one), and the triangles of all of them. */
function cost(layout: ScenePlace, audience: Audience): { calls: number; triangles: number } {
  const stage = createStage({ layout, audience, quality: audience === 'people' ? 'high' : 'low' });
  let [calls, triangles] = [0, 0];
  stage.root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    calls += 1;
    const corners = object.geometry.getIndex()?.count ?? object.geometry.getAttribute('position').count;
    triangles += (corners / 3) * (object instanceof InstancedMesh ? object.count : 1);
  });
  stage.dispose();
  return { calls, triangles };
}

describe('a home', () => {
  it.each(HOMES)('%s is drawn with fewer calls and triangles than the warehouse', (id) => {
    for (const audience of ['camera', 'people'] as const) {
      const [home, warehouse] = [cost(place(id), audience), cost(place('warehouse'), audience)];
      expect(home.calls).toBeLessThanOrEqual(warehouse.calls);
      expect(home.triangles).toBeLessThan(warehouse.triangles);
    }
  });

  it.each(HOMES)('%s has plain boxes if its file defines no look', (id) => {
    expect(dress({ ...place(id), dressing: null }, 'people')).toBeUndefined();
  });
});

describe('a box with a look', () => {
  const box = (size: Obstacle['size'], yawDeg: number): Obstacle => ({
    kind: 'box',
    obstacle_id: 'box',
    pose: { position: [1.5, -2, size[2] / 2], yaw_deg: yawDeg },
    size,
  });
  const SIZES: readonly Obstacle['size'][] = [
    [1.8, 0.4, 1.9],
    [0.5, 0.5, 0.45],
    [0.5, 1.1, 0.6],
    [0.85, 0.85, 0.8],
    [0.4, 0.4, 1.2],
    [4, 0.6, 0.9],
  ];

  it.each(BOX_LOOKS)('%s stays in its box, and fills it up to the top', (look) => {
    for (const size of SIZES) {
      const at: ScenePlace = { ...SAMPLE_LAYOUT, dressing: { boxes: { box: { look } } } };
      const obstacle = box(size, 0);
      const parts = dress(at, 'camera')?.boxParts(obstacle) ?? [];
      const drawn = new Box3();
      for (const { geometry } of parts) {
        geometry.computeBoundingBox();
        if (geometry.boundingBox) drawn.union(geometry.boundingBox);
      }
      const least = [drawn.min.x, drawn.min.y, drawn.min.z];
      const most = [drawn.max.x, drawn.max.y, drawn.max.z];
      for (const [axis, middle] of obstacle.pose.position.entries()) {
        const half = (size[axis] ?? 0) / 2;
        // Markers on a top lie a few millimetres above it.
        expect(least[axis], `${look} ${size} ${axis}`).toBeGreaterThanOrEqual(middle - half - 1e-6);
        expect(most[axis], `${look} ${size} ${axis}`).toBeLessThanOrEqual(middle + half + 0.005);
      }
      if (look !== 'plant') expect(most[2]).toBeGreaterThan(size[2] - 0.002);
    }
  });

  it('a box of any permitted size is drawn with few parts', () => {
    const obstacles = BOX_LOOKS.map((look): Obstacle => ({ ...box([50, 50, 50], 0), obstacle_id: look }));
    const boxes = Object.fromEntries(BOX_LOOKS.map((look) => [look, { look }]));
    const rug: Decor = { kind: 'rug', position: [0, 0], size: [50, 50] };
    const tiles: Decor = { kind: 'tiles', wall: 'north', at_m: 0, z_m: 5, size: [50, 10] };
    const at: ScenePlace = {
      ...SAMPLE_LAYOUT,
      look: 'home',
      obstacles,
      furniture: [],
      dressing: { boxes, decor: [rug, tiles] },
    };
    expect(cost(at, 'camera').triangles).toBeLessThan(120_000);
  });

  it('a box turns its front away from the nearest wall', () => {
    const { min, max } = SAMPLE_LAYOUT.bounds;
    /** Returns the side of the handle, which is the fridge's foremost part. */
    const front = (x: number, y: number): number[] => {
      const at: ScenePlace = { ...SAMPLE_LAYOUT, dressing: { boxes: { box: { look: 'fridge' } } } };
      const parts = dress(at, 'camera')?.boxParts({ ...box([0.7, 0.7, 1.8], 0), pose: { position: [x, y, 0.9] } }) ?? [];
      const handle = new Box3();
      parts.at(-1)?.geometry.computeBoundingBox();
      handle.copy(parts.at(-1)?.geometry.boundingBox ?? handle);
      const beside = [(handle.min.x + handle.max.x) / 2 - x, (handle.min.y + handle.max.y) / 2 - y];
      return beside.map((value) => (Math.abs(value) > 0.32 ? Math.sign(value) : 0));
    };
    expect(front(min[0] + 0.4, -2)).toEqual([1, 0]);
    expect(front(max[0] - 0.4, -2)).toEqual([-1, 0]);
    expect(front(0, min[1] + 0.4)).toEqual([0, 1]);
    expect(front(0, max[1] - 0.4)).toEqual([0, -1]);
  });
});

describe('a scene whose look is not the first one', () => {
  it('a later scene gets its look even if its walls are plain', async () => {
    vi.resetModules();
    const alone = await import('../../src/stage/scenes/looks.ts');
    const yard = place('yard');
    expect(alone.lookOf(yard, 'camera').dressed).toBeUndefined();
    await alone.loadLook(yard);
    const crate = yard.obstacles.find(({ obstacle_id }) => obstacle_id === 'crate_1');
    expect(crate && alone.lookOf(yard, 'camera').dressed?.boxParts(crate)?.length).toBeGreaterThan(1);
    vi.resetModules();
  });

  it('a scene is drawn plain if its look cannot be loaded', async () => {
    vi.resetModules();
    vi.doMock('../../src/stage/scenes/more-looks.ts', () => {
      throw new Error('offline');
    });
    const alone = await import('../../src/stage/scenes/looks.ts');
    const at = place('kitchen');
    await alone.loadLook(at);
    const look = alone.lookOf(at, 'people');
    expect(look.dressed).toBeUndefined();
    expect(look.shellParts(at, (_, colour) => colour, 'people')).toHaveLength(8);
    vi.doUnmock('../../src/stage/scenes/more-looks.ts');
    vi.resetModules();
  });

  it('a scene has its look once it is loaded', () => {
    for (const id of ['hall', ...HOMES]) {
      const at = place(id);
      expect(
        lookOf(at, 'camera')
          .shellParts(at, (_, colour) => colour, 'camera')
          .some(({ finish }) => finish === 'glow'),
      ).toBe(true);
    }
  });
});
