import { describe, expect, it } from 'vitest';
import type { Furniture, ScenePlace } from '../../src/protocol/wire/place.ts';
import { createContactShadows } from '../../src/stage/look/contact-shadows.ts';
import { floorShadeTexture, lineParts } from '../../src/stage/props/floor.ts';
import { createStage } from '../../src/stage/stage.ts';
import { entitySubject } from '../../src/viewer/ui/world/things/card-texts.ts';
import { fixedTargets } from '../../src/viewer/ui/world/things/picking.ts';
import { mapBoundsM } from '../../src/viewer/ui/world/view/map-fit.ts';
import { SAMPLE_LAYOUT } from './helpers/sample-world.ts';

/** The ids of a layout's boxes, in an order that assigns every id to a box of another kind. */
const IDS = SAMPLE_LAYOUT.obstacles.map(({ obstacle_id }) => obstacle_id);
const SHIFT = IDS.indexOf('belt');
const renamed = (id: string): string => IDS[(IDS.indexOf(id) + SHIFT) % IDS.length] ?? '';

/** The same place under ids that would suggest another kind for each box. */
const MISNAMED: ScenePlace = {
  ...SAMPLE_LAYOUT,
  obstacles: SAMPLE_LAYOUT.obstacles.map((box) => ({ ...box, obstacle_id: renamed(box.obstacle_id) })),
  furniture: SAMPLE_LAYOUT.furniture.map(
    (piece): Furniture =>
      piece.kind === 'infeed'
        ? { ...piece, id: renamed(piece.id), beltId: renamed(piece.beltId) }
        : { ...piece, id: renamed(piece.id) },
  ),
};

describe('the kind of a box comes from its own field, not from its id', () => {
  it('draws a place by the kinds of its boxes, not by their ids', () => {
    const drawn = (layout: ScenePlace): unknown[] => {
      const stage = createStage({ layout, audience: 'people', quality: 'high' });
      const meshes: unknown[] = [];
      stage.root.traverse(
        (object) => void meshes.push([object.type, 'count' in object ? 'instances' : 'one', object.castShadow]),
      );
      stage.dispose();
      return meshes;
    };
    expect(drawn(MISNAMED)).toEqual(drawn(SAMPLE_LAYOUT));
  });

  it('shades and paints the floor by the kinds of its boxes, not by their ids', () => {
    const shade = (layout: ScenePlace) => floorShadeTexture(layout, 'channel').image.data;
    expect(shade(MISNAMED)).toEqual(shade(SAMPLE_LAYOUT));
    expect(lineParts(MISNAMED, false).length).toBe(lineParts(SAMPLE_LAYOUT, false).length);
  });

  it('casts a shadow on what carries a pad by its kind, not by its id', () => {
    const heightOfShadow = (layout: ScenePlace): number | undefined => {
      const shadows = createContactShadows(layout, 1);
      shadows.add(1.4, 0, 0.575, 0, 0.15, 0.15, 1);
      shadows.flush();
      const height = shadows.mesh.instanceMatrix.array[14];
      shadows.dispose();
      return height;
    };
    expect(heightOfShadow(SAMPLE_LAYOUT)).toBeGreaterThan(0.5);
    expect(heightOfShadow(MISNAMED)).toBe(heightOfShadow(SAMPLE_LAYOUT));
  });

  it('shows the kind of a box under the pointer and on the map, not its id', () => {
    const boxes = (layout: ScenePlace) => fixedTargets(layout).map(({ box }) => box);
    expect(boxes(MISNAMED)).toEqual(boxes(SAMPLE_LAYOUT));
    const named = (layout: ScenePlace) => fixedTargets(layout).filter(({ id }) => id.startsWith('pad_')).length;
    expect(named(MISNAMED)).toBe(named(SAMPLE_LAYOUT));
    expect(mapBoundsM(MISNAMED)).toEqual(mapBoundsM(SAMPLE_LAYOUT));
  });

  it('shows the kind of a box on a card, not its id', () => {
    const robot = { name: 'R', doing: '', hands: 'hands' };
    for (const id of IDS)
      expect(entitySubject(renamed(id), null, MISNAMED, robot)?.title).toBe(entitySubject(id, null, SAMPLE_LAYOUT, robot)?.title);
  });
});
