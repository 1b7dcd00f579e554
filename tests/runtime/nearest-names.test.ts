/** A rejection of an unknown name suggests known names. */
import { describe, expect, it } from 'vitest';
import { nearestNames } from '../../src/runtime/nearest-names.ts';
import { createTestRuntime, entity } from './test-runtime.ts';

const SKILLS = ['set_velocity', 'go_to', 'pick_entity', 'place_entity', 'look_at', 'stop'];

describe('names similar to the requested name', () => {
  it.each([
    ['pick', ['pick_entity']],
    ['pick_entty', ['pick_entity']],
    ['PickEntity', ['pick_entity']],
    ['place entity', ['place_entity', 'pick_entity']],
    ['goto', ['go_to']],
    ['velocity', ['set_velocity']],
    ['look', ['look_at']],
    ['zzz', ['stop', 'go_to', 'look_at']],
    ['', ['stop', 'go_to', 'look_at']],
  ])('suggests the nearest names for %j', (asked, wanted) => {
    expect(nearestNames(asked, SKILLS).slice(0, wanted.length)).toEqual(wanted);
  });

  it('compares whole numbers: cube_1 is not similar to cube_12', () => {
    expect(nearestNames('cube 12', ['cube_1', 'cube_2', 'cube_12'])[0]).toBe('cube_12');
  });
});

describe('the suggestions of a rejection', () => {
  it.each([
    ['pick', 'pick_entity'],
    ['put', 'place_entity'],
    ['walk', 'go_to'],
    ['drive', 'set_velocity'],
  ])('a rejection suggests for the skill %j: %s', async (asked, wanted) => {
    const t = await createTestRuntime({ seed: 1 });
    const { nearest } = t.invoke(asked, {}).error.details;
    expect(nearest).toEqual([wanted]);
    t.runtime.dispose();
  });

  it('a rejection suggests three skills for a word that matches none', async () => {
    const t = await createTestRuntime({ seed: 1 });
    expect(t.invoke('grab', {}).error.details.nearest).toHaveLength(3);
    t.runtime.dispose();
  });

  it('a rejection suggests things that suit the skill, by their appearance, the nearest first', async () => {
    const t = await createTestRuntime({ seed: 1 });
    // The row of seed 1: blue green green blue red red blue.
    expect(t.invoke('pick_entity', entity('red cube')).error.details.nearest.slice(0, 2).sort()).toEqual(['cube_4', 'cube_5']);
    expect(t.invoke('pick_entity', entity('pad_B')).error.code).toBe('NOT_GRASPABLE');
    expect(t.invoke('pick_entity', entity('pad_Z')).error.details.nearest).toEqual(
      expect.arrayContaining([expect.stringMatching(/^cube_/)]),
    );
    expect(t.invoke('go_to', entity('green pallet')).error.details.nearest[0]).toBe('pad_C');
    expect(t.invoke('go_to', entity('belt')).error.details.nearest).toEqual(['pad_A']);
    expect(t.invoke('pick_entity', entity('cube_99')).error.message).toContain('Nearest: cube_');
    t.runtime.dispose();
  });
});
