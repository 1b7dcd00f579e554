import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../../src/protocol/wire/geometry.ts';
import { yawToQuat } from '../../src/protocol/wire/geometry.ts';
import { blockersOf, distanceToBox, fixedTargets, isHidden, pick, type Ray } from '../../src/viewer/ui/world/things/picking.ts';
import { createPress } from '../../src/viewer/ui/world/view/press.ts';
import { SAMPLE_LAYOUT, sampleState } from '../stage/helpers/sample-world.ts';

const state = sampleState();
const fixed = fixedTargets(SAMPLE_LAYOUT);
const ray = (origin: Vec3, to: Vec3): Ray => ({
  origin,
  direction: [to[0] - origin[0], to[1] - origin[1], to[2] - origin[2]],
});
const down = (x: number, y: number): Ray => ({ origin: [x, y, 4.5], direction: [0, 0, -1] });
const under = (pointer: Ray) => pick(pointer, state, SAMPLE_LAYOUT, fixed);

describe('picking with the pointer', () => {
  test('the pointer picks the cube that it points at, before the belt under the cube', () => {
    expect(under(down(1.4, -1.8))).toEqual({ kind: 'entity', id: 'cube_0' });
    expect(under(ray([-1, -1.8, 1.2], [1.4, -1.8, 0.65]))).toEqual({ kind: 'entity', id: 'cube_0' });
  });

  test('the pointer picks a pad by its pallet, by its sign and by its belt', () => {
    expect(under(down(-1.4 + 0.3, -5.5 + 0.3))).toEqual({ kind: 'entity', id: 'pad_B' });
    expect(under(ray([0, -3, 1.5], [-1.4 - 0.48, -5.5 - 0.48, 1.55]))).toEqual({ kind: 'entity', id: 'pad_B' });
    expect(under(down(1.4, 0.3))).toEqual({ kind: 'entity', id: 'pad_A' });
  });

  test('the pointer picks the robot, a rack with its contents, and the exact point of the floor', () => {
    expect(under(ray([3, -4, 1.6], [0.405, -1.497, 0.7]))).toEqual({ kind: 'entity', id: 'robot' });
    expect(under(down(-1.6, -2.6))).toEqual({ kind: 'entity', id: 'rack_6' });
    const at = under(ray([2, -4, 2], [0.5, -3.25, 0]));
    expect(at).toEqual({ kind: 'floor', at: [expect.closeTo(0.5, 9), expect.closeTo(-3.25, 9)] });
  });

  test('the pointer picks nothing beyond the walls, above the horizon, or on a wall', () => {
    expect(under(down(-9, 0))).toBeNull();
    expect(under({ origin: [0, -3, 1], direction: [0, -1, 0.4] })).toBeNull();
    expect(fixed.map(({ id }) => id)).not.toContain('wall_north');
  });

  test('the pointer picks the nearer object, not the larger one', () => {
    // From behind the rack towards the robot: the rack is in between.
    expect(under(ray([-3.5, -3.9, 1.2], [0.405, -1.497, 0.9]))).toEqual({ kind: 'entity', id: 'rack_6' });
  });
});

test('a turned box is hit at its turned face, grown by the given margin', () => {
  const box = { centre: [2, 0, 0] as const, orientation: yawToQuat(Math.PI / 4), size: [1, 1, 1] as const };
  const along: Ray = { origin: [0, 0, 0], direction: [1, 0, 0] };
  expect(distanceToBox(along, box, 0)).toBeCloseTo(2 - Math.SQRT1_2);
  expect(distanceToBox(along, box, 0.1)).toBeCloseTo(2 - 0.6 * Math.SQRT2);
  expect(distanceToBox({ ...along, direction: [-1, 0, 0] }, box, 0)).toBeNull();
  // From inside the box, the ray hits nothing.
  expect(distanceToBox({ ...along, origin: [2, 0, 0] }, box, 0)).toBeNull();
});

test('a point behind a rack is hidden, and a point’s own box does not hide it', () => {
  const racks = fixed.filter(({ id }) => id.startsWith('rack'));
  expect(isHidden([-1.6, -4, 1], [-1.6, -1, 1], racks, '')).toBe(true);
  expect(isHidden([-1.6, -4, 1], [-1.6, -1, 1], racks, 'rack_6')).toBe(false);
  expect(isHidden([-1.6, -4, 1], [-1.6, -3.2, 1], racks, '')).toBe(false);
});

test('a point behind the robot is hidden, also without tall objects, and not from inside the robot', () => {
  const [x, y] = state.rootPose.position;
  const blockers = blockersOf([], state, SAMPLE_LAYOUT);
  expect(isHidden([x, y - 3, 1], [x, y + 2, 1], blockers, '')).toBe(true);
  expect(isHidden([x, y - 3, 1], [x + 2, y + 2, 1], blockers, '')).toBe(false);
  expect(isHidden([x, y, 1.5], [x, y + 2, 1], blockers, '')).toBe(false);
  expect(blockersOf([], null, SAMPLE_LAYOUT)).toEqual([]);
});

describe('a press', () => {
  const at = (clientX: number, clientY: number, pointerId = 1, button = 0) => ({ pointerId, clientX, clientY, button });

  test('a press is a click if the pointer kept still, and a drag if it moved and came back', () => {
    const press = createPress();
    press.down(at(100, 100));
    press.move(at(103, 102));
    expect(press.up(at(103, 102))).toBe(true);
    press.down(at(100, 100));
    press.move(at(140, 100));
    press.move(at(100, 100));
    expect(press.up(at(100, 100))).toBe(false);
  });

  test('a press with another button, with two fingers or with a cancelled pointer is not a click', () => {
    const press = createPress();
    press.down(at(0, 0, 1, 2));
    expect(press.up(at(0, 0, 1, 2))).toBe(false);
    press.down(at(0, 0, 1));
    press.down(at(50, 0, 2));
    expect(press.up(at(0, 0, 1))).toBe(false);
    expect(press.up(at(50, 0, 2))).toBe(false);
    press.down(at(0, 0, 3));
    press.cancel(at(0, 0, 3));
    expect(press.up(at(0, 0, 3))).toBe(false);
  });
});
