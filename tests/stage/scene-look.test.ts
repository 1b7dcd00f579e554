import { describe, expect, it, vi } from 'vitest';
import type { ScenePlace } from '../../src/protocol/wire/place.ts';
import { asPainted } from '../../src/stage/look/people-palette.ts';
import { lookOf } from '../../src/stage/scenes/looks.ts';
import { createStage } from '../../src/stage/stage.ts';
import { SAMPLE_LAYOUT } from './helpers/sample-world.ts';

/** The same boxes in a scene without a drawn look. */
const UNKNOWN: ScenePlace = { ...SAMPLE_LAYOUT, scene_id: 'toString', look: 'plain' };

describe('a scene without a look of its own', () => {
  it('a scene without its own look has plain walls, without the windows, lamps and ceiling of the warehouse', () => {
    const own = lookOf(SAMPLE_LAYOUT, 'camera').shellParts(SAMPLE_LAYOUT, asPainted, 'camera');
    const plain = lookOf(UNKNOWN, 'camera').shellParts(UNKNOWN, asPainted, 'camera');
    expect(own.some(({ finish }) => finish === 'glow')).toBe(true);
    expect(plain.some(({ finish }) => finish === 'glow')).toBe(false);
    expect(plain).toHaveLength(8);
  });

  it('a scene that names no walls has none', () => {
    expect(lookOf(UNKNOWN, 'camera').shellParts({ ...UNKNOWN, furniture: [] }, asPainted, 'camera')).toEqual([]);
  });

  it.each(['camera', 'people'] as const)('a scene without a look is drawn from its boxes, for %s', (audience) => {
    const complained = vi.spyOn(console, 'error');
    for (const layout of [
      UNKNOWN,
      { ...UNKNOWN, furniture: [] },
      { ...UNKNOWN, obstacles: [], pads: [], slots: [], cameras: [] },
    ]) {
      const stage = createStage({ layout, audience, quality: audience === 'people' ? 'high' : 'low' });
      expect(stage.root.children.length).toBeGreaterThan(0);
      stage.dispose();
    }
    expect(complained).not.toHaveBeenCalled();
    complained.mockRestore();
  });
});
