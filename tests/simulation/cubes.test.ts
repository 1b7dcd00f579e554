import { describe, expect, it } from 'vitest';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import * as scene from '../../src/simulation/scene.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import * as things from '../../src/simulation/things.ts';
import { putCube, step, stepUntil, theConveyor, truePosition, withWorld } from './test-world.ts';

const rowIsStill = (world: SimWorld) => () =>
  theConveyor(world).row.length === 7 && things.list(world).every((thing) => thing.atRest);

describe('cubes', () => {
  it('cubes rest in their slots from the start and stay there', () => {
    withWorld({}, (world) => {
      step(world, 3600);
      const colours = things.list(world).map((thing) => thing.colour);
      expect(colours).toEqual(['blue', 'green', 'green', 'blue', 'red', 'red', 'blue']);
      for (const [index, slot] of scene.slots(world, 'pad_A').entries()) {
        const at = truePosition(world, `cube_${index}`);
        expect(Math.hypot(at.x - slot.position[0], at.y - slot.position[1])).toBeLessThan(5e-4);
        expect(Math.abs(at.z - slot.position[2])).toBeLessThan(1e-3);
        expect(things.find(world, `cube_${index}`)).toMatchObject({ parentPadId: 'pad_A', slotIndex: index, atRest: true });
        expect(things.slotOccupant(world, 'pad_A', index)).toBe(`cube_${index}`);
      }
    });
  });

  it('cubes are reported at rest there before the first step and after each step', () => {
    withWorld({}, (world) => {
      for (let i = 0; i < 60; i++) {
        for (const [index, thing] of things.list(world).entries()) {
          expect(thing).toMatchObject({ parentPadId: 'pad_A', slotIndex: index, atRest: true });
        }
        step(world, 1);
      }
    });
  });

  it('cubes that creep over the edge of a pad, too slowly to count as moving, are not reported there any more', () => {
    withWorld({}, (world) => {
      putCube(world, 'cube_0', -1.4, -5.5 + 0.4 - 0.002, 0.195);
      step(world, 60);
      expect(things.find(world, 'cube_0')).toMatchObject({ parentPadId: 'pad_B', atRest: true });
      // Half a millimetre in ten steps is 6 mm/s; the centre passes the pallet's edge by a hair, and the cube has not begun to
      // fall.
      for (let moved = 0; moved < 5; moved += 1) {
        const { x, y, z } = truePosition(world, 'cube_0');
        putCube(world, 'cube_0', x, y + 0.0005, z);
        step(world, 10);
      }
      expect(things.find(world, 'cube_0')).toMatchObject({ parentPadId: null, atRest: true });
    });
  });

  it('cubes rest exactly in every slot of every pallet, the second layer on the first', () => {
    for (const padId of ['pad_B', 'pad_C', 'pad_D', 'pad_E']) {
      withWorld({}, (world) => {
        const slots = scene.slots(world, padId);
        expect(slots.length).toBe(8);
        for (const index of [0, 1, 2, 3, 4, 5]) {
          const [x = 0, y = 0, z = 0] = slots[index]?.position ?? [];
          expect(things.slotOccupant(world, padId, index)).toBeNull();
          putCube(world, `cube_${index}`, x, y, z + 0.004);
          step(world, 60);
        }
        for (const index of [0, 1, 2, 3, 4, 5]) {
          const [x = 0, y = 0, z = 0] = slots[index]?.position ?? [];
          const at = truePosition(world, `cube_${index}`);
          expect(Math.hypot(at.x - x, at.y - y)).toBeLessThan(2e-3);
          expect(Math.abs(at.z - z)).toBeLessThan(2e-3);
          expect(things.find(world, `cube_${index}`)).toMatchObject({ parentPadId: padId, slotIndex: index, atRest: true });
        }
      });
    }
  });

  it('cubes on the floor or in the air belong to no pad', () => {
    withWorld({}, (world) => {
      putCube(world, 'cube_1', -3, -4, 1.5);
      step(world, 10);
      expect(things.find(world, 'cube_1')).toMatchObject({ parentPadId: null, slotIndex: null, atRest: false });
      step(world, 240);
      expect(things.find(world, 'cube_1')).toMatchObject({ parentPadId: null, slotIndex: null, atRest: true });
      expect(truePosition(world, 'cube_1').z).toBeCloseTo(0.075, 2);
    });
  });

  it('cubes beside a slot do not count as in it, but leave no room there', () => {
    withWorld({}, (world) => {
      const [x = 0, y = 0, z = 0] = scene.slots(world, 'pad_D')[0]?.position ?? [];
      putCube(world, 'cube_2', x + 0.12, y, z + 0.002);
      step(world, 120);
      expect(things.find(world, 'cube_2')).toMatchObject({ parentPadId: 'pad_D', slotIndex: null });
      expect(things.slotOccupant(world, 'pad_D', 0)).toBe('cube_2');
      expect(things.slotOccupant(world, 'pad_D', 2)).toBeNull();
    });
  });
});

describe('the ids of cubes', () => {
  it('cube ids are recognised only in their original spelling', () => {
    withWorld({}, (world) => {
      for (const id of ['cube_0', 'cube_6']) expect(things.hasBeenGiven(world, id)).toBe(true);
      for (const id of [
        'cube_7',
        'cube_00',
        'cube_006',
        'cube_',
        'cube_-1',
        'cube_1e0',
        'cube_0x1',
        'cube_1.0',
        ' cube_1',
        'cube_1\n',
      ])
        expect(things.hasBeenGiven(world, id), id).toBe(false);
    });
  });

  it('the time to look up a cube id does not grow with the number of cubes', () => {
    const looksAmong = (given: number): number => {
      let looks = 0;
      const counted = {
        get nextNumber() {
          looks += 1;
          return given;
        },
      };
      withWorld({}, (world) => {
        const after = { ...world, things: Object.create(world.things, Object.getOwnPropertyDescriptors(counted)) };
        expect(things.hasBeenGiven(after, `cube_${given - 1}`)).toBe(true);
        expect(things.hasBeenGiven(after, `cube_${given}`)).toBe(false);
      });
      return looks;
    };
    expect(looksAmong(100_000)).toBe(looksAmong(10));
  });
});

describe('the conveyor', () => {
  it('the conveyor moves the row up when a cube is taken, keeps the cubes before it, and adds one with a new id', () => {
    withWorld({}, (world) => {
      step(world, 60);
      putCube(world, 'cube_2', -3, -4, 0.076);
      const entered: string[] = [];
      const fastest = { mps: 0 };
      const before = new Map<string, number>();
      for (let i = 0; i < 600; i++) {
        step(world, 1);
        for (const event of world.events) if (event.type === 'cube_entered') entered.push(event.entityId);
        for (const thing of theConveyor(world).row) {
          // Nothing jumps: a step moves a cube by at most the belt's speed.
          const y = truePosition(world, thing.entityId).y;
          fastest.mps = Math.max(fastest.mps, Math.abs(y - (before.get(thing.entityId) ?? y)) * 120);
          before.set(thing.entityId, y);
        }
      }
      expect(fastest.mps).toBeLessThan(0.5);
      expect(fastest.mps).toBeGreaterThan(0.3);
      expect(entered).toEqual(['cube_7']);
      expect(theConveyor(world).row.map((thing) => thing.entityId)).toEqual([
        'cube_0',
        'cube_1',
        'cube_3',
        'cube_4',
        'cube_5',
        'cube_6',
        'cube_7',
      ]);
      for (const [index, thing] of theConveyor(world).row.entries()) {
        const slotY = scene.slots(world, 'pad_A')[index]?.position[1] ?? 0;
        expect(Math.abs(truePosition(world, thing.entityId).y - slotY)).toBeLessThan(2e-3);
        expect(things.find(world, thing.entityId)).toMatchObject({ parentPadId: 'pad_A', slotIndex: index, atRest: true });
      }
      expect(theConveyor(world).speedMps).toBe(0);
      expect(theConveyor(world).travelM).toBeGreaterThan(0.6);
    });
  });

  it('P12: never uses an id twice, and gives the same colours for the same seed', () => {
    const colours = (seed: number, rounds: number) =>
      withWorld({ seed }, (world) => {
        const seen = new Set(things.list(world).map((thing) => thing.entityId));
        const entered: string[] = [];
        for (let round = 0; round < rounds; round++) {
          stepUntil(world, rowIsStill(world), 2000);
          const taken = theConveyor(world).row[round % 7];
          if (!taken) throw new Error('empty row');
          // Onto a grid on the free floor, clear of everything.
          putCube(world, taken.entityId, -4 + 0.3 * (round % 5), -4.4 + 0.3 * Math.floor(round / 5), 0.076);
          for (let i = 0; i < 400; i++) {
            step(world, 1);
            for (const event of world.events) {
              if (event.type !== 'cube_entered') continue;
              expect(seen.has(event.entityId)).toBe(false);
              seen.add(event.entityId);
              entered.push(`${event.entityId} ${things.find(world, event.entityId)?.colour}`);
            }
          }
        }
        expect(entered.length).toBe(rounds);
        return entered;
      });
    const first = colours(5, 12);
    expect(colours(5, 6)).toEqual(first.slice(0, 6));
    expect(colours(6, 6)).not.toEqual(first.slice(0, 6));
    expect(new Set(first.map((line) => line.split(' ')[1])).size).toBeGreaterThan(2);
  }, 120_000);

  it('the conveyor takes a cube that is put down on the belt into the row', () => {
    withWorld({}, (world) => {
      putCube(world, 'cube_6', -3, -4, 0.076);
      step(world, 360);
      putCube(world, 'cube_6', 1.4, 1.5, 0.655);
      stepUntil(world, () => theConveyor(world).row.some((thing) => thing.entityId === 'cube_6'), 240);
      expect(
        theConveyor(world)
          .row.map((thing) => thing.entityId)
          .slice(-3),
      ).toEqual(['cube_5', 'cube_6', 'cube_7']);
      putCube(world, 'cube_0', -3, -4, 0.076);
      step(world, 600);
      expect(things.find(world, 'cube_6')).toMatchObject({ parentPadId: 'pad_A', slotIndex: 5 });
      expect(things.find(world, 'cube_7')).toMatchObject({ parentPadId: 'pad_A', slotIndex: 6 });
      expect(world.things.byId.has('cube_8')).toBe(false);
    });
  });

  it('the conveyor leaves its row unchanged when a cube lies on top of another', () => {
    withWorld({}, (world) => {
      putCube(world, 'cube_6', -3, -4, 0.076);
      step(world, 600);
      putCube(world, 'cube_6', 1.4, -0.6, 0.65 + 0.152);
      step(world, 240);
      expect(things.find(world, 'cube_6')).toMatchObject({ parentPadId: 'pad_A', slotIndex: null, atRest: true });
      expect(theConveyor(world).row.map((thing) => thing.entityId)).toEqual([0, 1, 2, 3, 4, 5, 7].map((n) => `cube_${n}`));
      expect(theConveyor(world).speedMps).toBe(0);
    });
  });

  it('the conveyor waits while a hand is over it', () => {
    withWorld({ startPose: { x: 1, y: 0, yawRad: 0 } }, (world) => {
      manipulator.moveTo(humanoidOf(world), { centre: [1.4, 0, 0.75], yawRad: 0, openingM: 0.24 });
      stepUntil(world, () => !manipulator.isMoving(humanoidOf(world)), 600);
      putCube(world, 'cube_1', -3, -4, 0.076);
      step(world, 360);
      expect(truePosition(world, 'cube_2').y).toBeCloseTo(-0.6, 3);
      expect(theConveyor(world).speedMps).toBe(0);
      manipulator.stow(humanoidOf(world));
      step(world, 600);
      expect(things.find(world, 'cube_2')).toMatchObject({ parentPadId: 'pad_A', slotIndex: 1 });
    });
  });
});
