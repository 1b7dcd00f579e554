import { describe, expect, it } from 'vitest';
import * as base from '../../src/simulation/base.ts';
import * as grasp from '../../src/simulation/grasp.ts';
import * as manipulator from '../../src/simulation/humanoid/manipulator.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import * as things from '../../src/simulation/things.ts';
import { stepWorld } from '../../src/simulation/world.ts';
import { putCube, step, stepUntil, theConveyor, truePosition, withWorld } from './test-world.ts';

/** Before the belt, facing cube_0. */
const BEFORE_CUBE_0 = { x: 1, y: -1.8, yawRad: 0 };

function handsTo(world: SimWorld, centre: [number, number, number], openingM: number): void {
  expect(manipulator.moveTo(humanoidOf(world), { centre, yawRad: 0, openingM })).toBe(true);
  stepUntil(world, () => !manipulator.isMoving(humanoidOf(world)), 600);
}

function handsRound(world: SimWorld, entityId: string, sideM = 0): void {
  const { x, y, z } = truePosition(world, entityId);
  handsTo(world, [x, y + sideM, z + 0.2], 0.28);
  handsTo(world, [x, y + sideM, z], 0.28);
}

function closeOn(world: SimWorld, entityId: string): void {
  manipulator.setOpening(humanoidOf(world), 0.14, 0.5);
  stepUntil(
    world,
    () => {
      const touch = grasp.touching(world, entityId);
      return touch.right && touch.left;
    },
    240,
  );
  manipulator.freezeOpening(humanoidOf(world));
}

describe('the grasp', () => {
  it('P2: joins nothing unless both palms touch exactly that cube', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      expect(grasp.attach(world, 'cube_0')).toBe(false);
      handsRound(world, 'cube_0');
      expect(grasp.touching(world, 'cube_0')).toEqual({ right: false, left: false });
      expect(grasp.attach(world, 'cube_0')).toBe(false);
      closeOn(world, 'cube_0');
      expect(grasp.attach(world, 'cube_1')).toBe(false);
      expect(grasp.attach(world, 'no_such_cube')).toBe(false);
      expect(grasp.heldEntityId(world)).toBeNull();
      expect(grasp.attach(world, 'cube_0')).toBe(true);
      expect(grasp.heldEntityId(world)).toBe('cube_0');
      expect(things.find(world, 'cube_0')?.held).toBe(true);
      expect(grasp.attach(world, 'cube_0')).toBe(false);
    });
  });

  it('the grasp turns no palm faster than the robot turns, at any heading', () => {
    withWorld({ startPose: { x: 0, y: 0, yawRad: Math.PI - 0.15 } }, (world) => {
      putCube(world, 'cube_0', -0.5, 0, 0.075);
      manipulator.moveTo(humanoidOf(world), { centre: [-0.5, 0, 0.3], yawRad: Math.PI, openingM: 0.28 });
      step(world, 120);
      manipulator.carry(humanoidOf(world), { heightM: 0.5 });
      base.setCommand(world, { vx: 0, vy: 0, wz: 0.6 });
      for (let count = 0; count < 240; count += 1) {
        stepWorld(world);
        for (const { rigidBody } of [world.grasp.palms.right, world.grasp.palms.left]) {
          const { x, y, z } = rigidBody.angvel();
          expect(Math.hypot(x, y, z), `step ${count}, rad/s`).toBeLessThan(10);
        }
      }
      expect(base.pose(world).yawRad).toBeLessThan(0);
    });
  });

  it('P2: one palm alone does not hold', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      handsRound(world, 'cube_0', 0.05);
      manipulator.setOpening(humanoidOf(world), 0.24, 0.3);
      stepUntil(world, () => grasp.touching(world, 'cube_0').right, 240);
      expect(grasp.touching(world, 'cube_0')).toEqual({ right: true, left: false });
      expect(grasp.attach(world, 'cube_0')).toBe(false);
    });
  });

  it('the grasp carries the cube level and without slip through a brisk walk', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      handsRound(world, 'cube_0');
      closeOn(world, 'cube_0');
      grasp.attach(world, 'cube_0');
      handsTo(world, [1.4, -1.8, 0.85], manipulator.grip(humanoidOf(world)).openingM);
      manipulator.carry(humanoidOf(world));
      stepUntil(world, () => !manipulator.isMoving(humanoidOf(world)), 600);
      base.setCommand(world, { vx: -1.2, vy: -0.3, wz: 1.2 });
      for (let i = 0; i < 200; i++) {
        stepWorld(world);
        expect(grasp.slipM(world)).toBeLessThan(0.002);
      }
      const thing = things.find(world, 'cube_0');
      const [x = 0, y = 0] = thing?.orientation ?? [];
      expect(Math.hypot(x, y)).toBeLessThan(0.01);
      // The cube is where the drawn hands are, walking or not.
      const { centre } = manipulator.grip(humanoidOf(world));
      expect(Math.hypot((thing?.position[0] ?? 0) - centre[0], (thing?.position[1] ?? 0) - centre[1])).toBeLessThan(0.01);
      expect(theConveyor(world).row.map(({ entityId }) => entityId)).not.toContain('cube_0');
    });
  });

  it('the grasp lets the cube fall when released, and when the hands open round it', () => {
    for (const opens of [false, true]) {
      withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
        step(world, 30);
        handsRound(world, 'cube_0');
        closeOn(world, 'cube_0');
        grasp.attach(world, 'cube_0');
        handsTo(world, [1.4, -1.8, 0.8], manipulator.grip(humanoidOf(world)).openingM);
        if (opens) {
          manipulator.setOpening(humanoidOf(world), 0.28, 0.3);
          stepUntil(world, () => world.events.some(({ type }) => type === 'dropped'), 60);
        } else grasp.release(world);
        expect(grasp.heldEntityId(world)).toBeNull();
        manipulator.setOpening(humanoidOf(world), 0.28, 0.3);
        step(world, 180);
        expect(truePosition(world, 'cube_0').z).toBeCloseTo(0.65, 2);
        expect(things.find(world, 'cube_0')?.held).toBe(false);
      });
    }
  });

  it('the grasp loses a cube that the scene holds back, and reports it', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      handsRound(world, 'cube_0');
      closeOn(world, 'cube_0');
      grasp.attach(world, 'cube_0');
      // Down into the belt: its surface stops the cube, not the hands.
      manipulator.moveTo(humanoidOf(world), {
        centre: [1.4, -1.8, 0.55],
        yawRad: 0,
        openingM: manipulator.grip(humanoidOf(world)).openingM,
      });
      stepUntil(world, () => world.events.length > 0, 240);
      expect(world.events).toEqual([{ type: 'dropped', entityId: 'cube_0' }]);
      expect(grasp.heldEntityId(world)).toBeNull();
      expect(truePosition(world, 'cube_0').z).toBeGreaterThan(0.6);
    });
  });

  it('P2: palms at the edge of a cube do not hold it', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      const { x, y, z } = truePosition(world, 'cube_0');
      handsTo(world, [x - 0.1, y, z + 0.2], 0.28);
      handsTo(world, [x - 0.1, y, z], 0.28);
      closeOn(world, 'cube_0');
      expect(grasp.touching(world, 'cube_0')).toEqual({ right: true, left: true });
      expect(grasp.attach(world, 'cube_0')).toBe(false);
    });
  });

  it('the hands open round a cube that was struck out of them, so nothing stays clamped without being held', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      step(world, 30);
      handsRound(world, 'cube_0');
      closeOn(world, 'cube_0');
      grasp.attach(world, 'cube_0');
      manipulator.carry(humanoidOf(world));
      stepUntil(world, () => !manipulator.isMoving(humanoidOf(world)), 240);
      world.things.byId.get('cube_0')?.rigidBody.applyImpulse({ x: 0, y: 0, z: -4 }, true);
      stepUntil(world, () => world.events.some(({ type }) => type === 'dropped'), 60);
      step(world, 120);
      expect(truePosition(world, 'cube_0').z).toBeLessThan(0.7);
    });
  });

  it('the hands do not touch through empty air: a cube beside them stays where it is', () => {
    withWorld({ startPose: BEFORE_CUBE_0 }, (world) => {
      putCube(world, 'cube_1', -3, -4, 0.076);
      handsRound(world, 'cube_0');
      step(world, 60);
      expect(grasp.touching(world, 'cube_1')).toEqual({ right: false, left: false });
      expect(truePosition(world, 'cube_0').y).toBeCloseTo(-1.8, 3);
    });
  });

  it('the hanging hands push a cube that they walk against, though physics has the palms only near cubes', () => {
    withWorld({ startPose: { x: 0.3, y: -3.4, yawRad: 0 } }, (world) => {
      step(world, 30);
      expect(world.grasp.palms.right.rigidBody.isEnabled()).toBe(false);
      // A cube on the path of the right hand, clear of the base: it hangs in the air for the few steps that this takes.
      const hand = world.body.palms.right.position;
      const [x, y, z] = [hand[0] + 0.3, hand[1], hand[2]];
      world.things.byId.get('cube_6')?.rigidBody.setGravityScale(0, true);
      putCube(world, 'cube_6', x, y, z);
      base.setCommand(world, { vx: 0.5, vy: 0, wz: 0 });
      stepUntil(world, () => truePosition(world, 'cube_6').x > x + 0.05, 120);
      expect(world.grasp.palms.right.rigidBody.isEnabled()).toBe(true);
      putCube(world, 'cube_6', x, y - 2, z);
      step(world, 2);
      expect(world.grasp.palms.right.rigidBody.isEnabled()).toBe(false);
    });
  });
});
