import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/runtime/canonical-json.ts';
import { overlap } from '../../src/runtime/ledger.ts';
import { editDistance, nearestNames } from '../../src/runtime/nearest-names.ts';
import { uprightYaw } from '../../src/runtime/skills/stances.ts';

describe('canonical JSON', () => {
  it('canonical JSON does not depend on the order of keys, omits undefined, and distinguishes values', () => {
    expect(canonicalJson({ b: [1, { d: 1, c: null }], a: undefined })).toBe('{"b":[1,{"c":null,"d":1}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
    expect(canonicalJson('1')).not.toBe(canonicalJson(1));
  });
});

describe('nearest names', () => {
  /** The definition itself, slow and obvious. */
  const oracle = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length;
    const same = a[0] === b[0] ? 0 : 1;
    return Math.min(oracle(a.slice(1), b.slice(1)) + same, oracle(a.slice(1), b) + 1, oracle(a, b.slice(1)) + 1);
  };
  it.each([
    ['', 'abc'],
    ['pick', 'pack'],
    ['cube_9', 'cube_19'],
    ['abc', 'cab'],
    ['kitten', 'sitting'],
  ])('%s to %s takes as many edits as the definition requires', (a, b) => {
    expect(editDistance(a, b)).toBe(oracle(a, b));
  });
  it('the nearest names come best first', () => {
    expect(nearestNames('pad_b', ['cube_1', 'pad_A', 'pad_B'], 2)).toEqual(['pad_B', 'pad_A']);
  });
});

describe('claims', () => {
  it('the claim of the simulation as a whole excludes every part of the body', () => {
    expect(overlap(['base', 'arms'], ['arms', 'head'])).toEqual(['arms']);
    expect(overlap(['head'], ['simulation'])).toEqual(['simulation']);
    expect(overlap(['simulation'], ['base'])).toEqual(['base']);
    expect(overlap([], ['simulation'])).toEqual([]);
    expect(overlap(['head'], ['base', 'arms'])).toEqual([]);
  });
});

describe('the heading of a lying cube', () => {
  const about = (x: number, y: number, z: number, rad: number): [number, number, number, number] => [
    x * Math.sin(rad / 2),
    y * Math.sin(rad / 2),
    z * Math.sin(rad / 2),
    Math.cos(rad / 2),
  ];
  const quarter = (rad: number): number => ((rad % (Math.PI / 2)) + Math.PI / 2) % (Math.PI / 2);
  it.each([0, 0.3, 1.2, -2.5])('the heading of a standing cube, turned by %f', (rad) => {
    expect(quarter(uprightYaw(about(0, 0, 1, rad)) ?? Number.NaN)).toBeCloseTo(quarter(rad), 6);
  });
  it('the heading of a cube on its side, and of a leaning one', () => {
    expect(quarter(uprightYaw(about(1, 0, 0, Math.PI / 2)) ?? Number.NaN)).toBeCloseTo(0, 6);
    expect(uprightYaw(about(1, 0, 0, 0.5))).toBeNull();
  });
});
