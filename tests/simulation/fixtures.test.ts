import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import type { Obstacle } from '../../src/protocol/wire/scene.ts';
import * as fixtures from '../../src/simulation/fixtures.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { SceneDefinition } from '../../src/simulation/scene-definition.ts';
import * as things from '../../src/simulation/things.ts';
import { renderState, stateHash } from '../../src/simulation/world.ts';
import { putCube, step, stepUntil, withWorldOf } from './test-world.ts';

const warehouse = builtInScene('warehouse');
const [belt] = warehouse?.fixtures ?? [];
if (!warehouse || !belt) throw new Error('There is no warehouse with a belt.');

const OWN = new Set([belt.beltObstacleId, belt.hoodObstacleId]);
/** The second belt runs beside the first, farther west. */
const WEST_M = -2.8;
const west = ([x, y, z]: Vec3): [number, number, number] => [x + WEST_M, y, z];

/** The warehouse without a belt. */
const BARE: SceneDefinition = {
  ...warehouse,
  layout: {
    ...warehouse.layout,
    obstacles: warehouse.layout.obstacles.filter(({ obstacle_id }) => !OWN.has(obstacle_id)),
    pads: warehouse.layout.pads.filter(({ pad_id }) => pad_id !== belt.padId),
    slots: warehouse.layout.slots.filter(({ pad_id }) => pad_id !== belt.padId),
  },
  furniture: warehouse.furniture.filter(({ id }) => !OWN.has(id)),
  fixtures: [],
};

/** A warehouse with two belts, and nothing else in it. */
const TWO_BELTS: SceneDefinition = {
  ...warehouse,
  layout: {
    ...warehouse.layout,
    obstacles: warehouse.layout.obstacles
      .filter(({ obstacle_id }) => OWN.has(obstacle_id))
      .flatMap((box): Obstacle[] => [
        box,
        { ...box, obstacle_id: `west_${box.obstacle_id}`, pose: { position: west(box.pose.position), yaw_deg: 0 } },
      ]),
    pads: warehouse.layout.pads
      .filter(({ pad_id }) => pad_id === belt.padId)
      .flatMap((pad) => [pad, { ...pad, pad_id: 'pad_west', position: west(pad.position) }]),
    slots: warehouse.layout.slots
      .filter(({ pad_id }) => pad_id === belt.padId)
      .flatMap((slot) => [slot, { ...slot, pad_id: 'pad_west', position: west(slot.position) }]),
  },
  fixtures: [
    belt,
    {
      ...belt,
      padId: 'pad_west',
      beltObstacleId: `west_${belt.beltObstacleId}`,
      hoodObstacleId: `west_${belt.hoodObstacleId}`,
      centreX: belt.centreX + WEST_M,
      startColours: ['red', 'red', 'red', 'red', 'red', 'red', 'red'],
    },
  ],
};

describe('a world without fixtures', () => {
  it('a world without fixtures steps, has a hash and is drawn', () => {
    withWorldOf(BARE, (world) => {
      const before = stateHash(world);
      step(world, 10);
      expect(stateHash(world)).not.toBe(before);
      expect(renderState(world)).toMatchObject({ step: 10, things: [], fixtures: [] });
    });
  });
});

describe('a world with two belts', () => {
  it('two belts have a row each, and each row moves up independently', () => {
    withWorldOf(TWO_BELTS, (world) => {
      const [east, other] = fixtures.conveyors(world);
      if (!east || !other) throw new Error('There should be two belts.');
      expect(world.things.all).toHaveLength(14);
      putCube(world, other.row[0]?.entityId ?? '', 0, -6, 0.076);
      stepUntil(world, () => other.row.length === 7 && other.travelM > 0.5, 1_200);
      step(world, 600);
      // As far as the new one had to move: to the last place, which is one place and 0.12 m from the hood's middle.
      expect(other.travelM).toBeCloseTo(0.72, 2);
      expect(east.travelM).toBe(0);
      for (const { row, places } of [east, other]) {
        expect(row).toHaveLength(7);
        row.forEach(({ position }, place) => {
          expect(Math.abs(position.y - (places[place]?.position[1] ?? 0))).toBeLessThan(0.005);
        });
      }
    });
  });

  it('the world knows the belt of a thing, the possible motion by the belt, and the things under a hood', () => {
    withWorldOf(TWO_BELTS, (world) => {
      const [east, other] = fixtures.conveyors(world);
      const [first] = other?.row ?? [];
      if (!east || !other || !first) throw new Error('There should be two belts with cubes.');
      expect(fixtures.carrierOf(world, first)).toBe(other);
      const [x, y, z] = things.find(world, first.entityId)?.position ?? [0, 0, 0];
      expect(fixtures.explains(other, [x, y, z], [x, y - 0.3, z], 0.003)).toBe(true);
      expect(fixtures.explains(other, [x, y, z], [x, y + 0.3, z], 0.003)).toBe(false);
      expect(fixtures.explains(other, [x, y, z], [x + 0.01, y - 0.3, z], 0.003)).toBe(false);
      expect(fixtures.hide(world, [x, y, z])).toBe(false);
      expect(fixtures.hide(world, [x, belt.infeedY, z])).toBe(true);
    });
  });

  it('the numbers of both belts are in the world’s hash and in its pictures', () => {
    withWorldOf(TWO_BELTS, (world) => {
      const [, other] = fixtures.conveyors(world);
      if (!other) throw new Error('There should be two belts.');
      const before = stateHash(world);
      other.travelM += 1e-9;
      expect(stateHash(world)).not.toBe(before);
      expect(renderState(world).fixtures.map(({ id }) => id)).toEqual(['belt', 'west_belt']);
    });
  });
});
