import { describe, expect, test } from 'vitest';
import { byId, counted, decimal, duration, factor, wholeSeconds } from '../../src/viewer/ui/common/format.ts';
import { headingDeg, inlineValue, keyText, poseText } from '../../src/viewer/ui/common/value.ts';

describe('numbers as people read them', () => {
  test('a number is never minus zero, and has a typographic minus sign', () => {
    expect(decimal(-0.001, 2)).toBe('0.00');
    expect(decimal(-1.5, 1)).toBe('\u22121.5');
  });

  test.each([
    [-5, '0.0 s'],
    [380, '0.4 s'],
    [12_340, '12.3 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 00 s'],
    [65_000, '1 min 05 s'],
    [3_600_000, '1 h 00 min'],
  ])('a duration of %d ms is shown as %s', (spanMs, expected) => expect(duration(spanMs)).toBe(expected));

  test('counted seconds are whole', () => {
    expect(wholeSeconds(4_999)).toBe('4 s');
    expect(wholeSeconds(61_000)).toBe('1 min 01 s');
  });

  test('factors lose trailing zeros', () => {
    expect(factor(0.82)).toBe('0.82×');
    expect(factor(2)).toBe('2×');
  });

  test('ids sort numerically, and counts agree with their noun', () => {
    expect(['cube_10', 'cube_2', 'cube_1'].toSorted(byId)).toEqual(['cube_1', 'cube_2', 'cube_10']);
    expect([counted(1, 'cube'), counted(2, 'cube')]).toEqual(['1 cube', '2 cubes']);
  });
});

describe('values of parameters and results', () => {
  test.each([
    ['position_error_m', 0.0123, '0.012 m'],
    ['yaw_error_deg', 0.44, '0.4°'],
    ['deadline_s', 5, '5.00 s'],
    ['recoveries', 0, '0'],
    ['retryable', true, 'yes'],
    ['held', 'cube_4', 'cube_4'],
    ['slot', null, 'none'],
    ['ids', [], 'none'],
    ['point', [1.25, -2, 0.5], '1.250, \u22122, 0.500'],
    ['allowed', ['pov', 'topdown'], 'pov, topdown'],
    ['bad', Number.NaN, 'NaN'],
  ])('the value of %s is formatted for people: %j', (key, value, expected) => expect(inlineValue(key, value)).toBe(expected));

  test('a pose is formatted as a place, and a group has parts', () => {
    expect(inlineValue('pose', { frame_id: 'world', position: [1, 2, 0.195], yaw_deg: 12.44 })).toBe(
      'x 1.00, y 2.00, z 0.20 m, heading 12.4°',
    );
    expect(poseText({ position: ['a', 2, 3] })).toBeNull();
    expect(inlineValue('target', { kind: 'entity', entity_id: 'cube_4' })).toBeNull();
  });

  test('keys lose their unit and their underscores', () => {
    expect([keyText('position_error_m'), keyText('entity_id'), keyText('yaw_deg')]).toEqual([
      'position error',
      'entity id',
      'yaw',
    ]);
  });

  test('a key that is an id stays unchanged', () => {
    expect(['pad_A', 'cube_12', 'rack_3'].map(keyText)).toEqual(['pad_A', 'cube_12', 'rack_3']);
  });

  test('a heading is computed from the angle, or else from the quaternion', () => {
    expect(headingDeg({ yaw_deg: 30 })).toBe(30);
    expect(headingDeg({ orientation_xyzw: [0, 0, Math.SQRT1_2, Math.SQRT1_2] })).toBeCloseTo(90);
    expect(headingDeg({})).toBeNull();
  });
});
