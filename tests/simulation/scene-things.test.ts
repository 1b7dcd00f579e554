/** Movable things in a scene file: the valid ones, and the messages about the others. */
import { describe, expect, it } from 'vitest';
import { hall, type Item, problemsOf } from './scene-problems.ts';

describe('a scene file', () => {
  const CAN = {
    id: 'can',
    category: 'can',
    color: 'red',
    mass_kg: 0.3,
    shape: { kind: 'cylinder', radius_m: 0.035, height_m: 0.12 },
  };
  const BASKET = {
    id: 'basket',
    category: 'basket',
    color: 'blue',
    mass_kg: 1,
    shape: { kind: 'container', size: [0.4, 0.4, 0.2], wall_m: 0.015 },
    position: [0, 0.5, 0.1],
  };
  it.each<[string, Item[], RegExp | null]>([
    ['a can in a basket, on its floor', [BASKET, { ...CAN, position: [0, 0.5, 0.075] }], null],
    ['a can on a table, and one on it', [{ ...CAN, position: [1.7, 0.9, 0.66] }], null],
    [
      'a can in the wall of a basket',
      [BASKET, { ...CAN, position: [0.19, 0.5, 0.06] }],
      /^things\[1\]\.position must be where nothing else is; it is in things\[0\]/,
    ],
    [
      'a can over a basket',
      [BASKET, { ...CAN, position: [0, 0.5, 0.2] }],
      /^things\[1\]\.position\[2\] .*: 0\.075 m is on what is under it/,
    ],
    [
      'a turned box that reaches out of the room',
      [{ ...CAN, shape: { kind: 'box', size: [0.6, 0.1, 0.1] }, yaw_deg: 90, position: [0, 3.6, 0.05] }],
      /^things\[0\]\.position must be in the room/,
    ],
    [
      'a box too high to carry over',
      [{ ...CAN, shape: { kind: 'box', size: [0.1, 0.1, 0.3] }, position: [1.7, 0, 0.75] }],
      /^things\[0\]\.position\[2\] must leave it below 0\.815 m, because it lies on pad_2/,
    ],
    [
      'a shape without mass',
      [{ ...CAN, mass_kg: undefined, position: [0, 0, 0.06] }],
      /^things\[0\]\.mass_kg is missing; a thing with a shape needs it/,
    ],
    [
      'a cube with a mass',
      [{ color: 'red', mass_kg: 1, position: [0, 0, 0.075] }],
      /^things\[0\]\.mass_kg means nothing for a cube/,
    ],
    [
      'another thing than a cube that keeps its colour',
      [{ ...CAN, keeps_color: false, position: [0, 0, 0.06] }],
      /^things\[0\]\.keeps_color means something for a cube alone/,
    ],
    [
      'a container of walls alone',
      [{ ...BASKET, shape: { kind: 'container', size: [0.1, 0.4, 0.2], wall_m: 0.05 }, position: [0, 0, 0.1] }],
      /^things\[0\]\.shape\.wall_m is not valid for a thing/,
    ],
    [
      'an unknown shape',
      [{ ...CAN, shape: { kind: 'sphere', radius_m: 1 }, position: [0, 0, 1] }],
      /^things\[0\]\.shape\.kind must be one of "box", "cylinder", "container"/,
    ],
    [
      'an id twice',
      [
        { ...CAN, position: [0, 0, 0.06] },
        { ...CAN, position: [0, 0.5, 0.06] },
      ],
      /^things\[1\]\.id must be an id that nothing else has; things\[0\]\.id has it/,
    ],
  ])('a scene file with %s', (_, things, sentence) => {
    const reported = problemsOf({ ...hall(), things }).join('\n');
    if (sentence === null) expect(reported).toBe('');
    else expect(reported).toMatch(sentence);
  });
});
