import { describe, expect, test } from 'vitest';
import type { Obstacle, SceneLayout } from '../../src/protocol/wire/scene.ts';
import { armShare, viewBlockers } from '../../src/viewer/ui/world/view/view-arm.ts';

const box = (obstacle_id: string, position: Obstacle['pose']['position'], size: Obstacle['size'], yaw_deg = 0): Obstacle => ({
  kind: 'box',
  obstacle_id,
  pose: { position, yaw_deg },
  size,
});
const rack = box('rack_1', [4, 0, 1.1], [0.6, 2.4, 2.2]);

const blockerIds = (obstacles: Obstacle[]): string[] => {
  const layout: Pick<SceneLayout, 'obstacles' | 'bounds'> = { obstacles, bounds: { min: [-5, -4, 0], max: [5, 4, 3.2] } };
  return viewBlockers(layout).map(({ obstacle_id }) => obstacle_id);
};

describe('the camera is not hidden behind tall objects of the warehouse', () => {
  test('the camera stops a little before a rack that is in between', () => {
    // The rack’s near face is at x = 3.7, and a quarter of a metre is kept clear.
    expect(armShare([0, 0, 0.6], [5, 0, 0.6], [rack]) * 5).toBeCloseTo(3.45);
  });

  test('the camera keeps its distance when the view is free, beside or above the rack', () => {
    expect(armShare([0, 0, 0.6], [3, 0, 1], [rack])).toBe(1);
    expect(armShare([0, 0, 0.6], [5, 5, 0.6], [rack])).toBe(1);
    expect(armShare([0, 0, 0.6], [5, 0, 4], [rack])).toBe(1);
  });

  test('the camera stops at the turned face of a turned rack', () => {
    const turned = { ...rack, pose: { ...rack.pose, yaw_deg: 90 } };
    expect(armShare([0, 0, 0.6], [5, 0, 0.6], [turned]) * 5).toBeCloseTo(2.55);
  });

  test('the camera never comes nearer than the robot needs to be visible', () => {
    const close = box('wall', [0.8, 0, 1.6], [0.2, 10, 3.2]);
    expect(armShare([0, 0, 0.6], [4, 0, 0.6], [close]) * 4).toBeCloseTo(1.2);
    expect(armShare([0, 0, 0.6], [1, 0, 0.6], [close])).toBe(1);
  });

  test('the camera looks over and past pallets, belts and sign posts', () => {
    const obstacles = [rack, box('pallet_B', [0, 0, 0.06], [0.8, 0.8, 0.12]), box('sign_B', [0, 0, 0.7], [0.05, 0.05, 1.4])];
    expect(blockerIds(obstacles)).toEqual(['rack_1']);
  });

  test('the camera looks through outer walls from outside, but not through an inner wall', () => {
    const outer = [box('wall_east', [5.1, 0, 1.6], [0.2, 8, 3.2]), box('wall_north', [0, 4.1, 1.6], [10.4, 0.2, 3.2])];
    expect(blockerIds([...outer, box('partition', [2, 1, 1.6], [0.2, 4, 3.2])])).toEqual(['partition']);
  });
});
