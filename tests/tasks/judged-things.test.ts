/** The support of things, whichever side of them is up. */
import { expect, test } from 'vitest';
import type { Quat, Vec3 } from '../../src/protocol/wire/geometry.ts';
import { type JudgedThing, restsOn } from '../../src/tasks/judged-things.ts';

const UPRIGHT: Quat = [0, 0, 0, 1];
/** Turned by a quarter about x, and about y: z lies level, and another axis is vertical. */
const ROLLED: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const PITCHED: Quat = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

const thing = (id: string, size: Vec3, position: Vec3, orientation: Quat): JudgedThing => ({
  id,
  category: 'packet',
  colour: 'red',
  size,
  wallM: null,
  position,
  orientation,
  isHeld: false,
  isAtRest: true,
  padId: null,
  isCollected: false,
});
const CUBE: Vec3 = [0.15, 0.15, 0.15];

test.each([
  ['upright', UPRIGHT],
  ['rolled', ROLLED],
  ['pitched', PITCHED],
] as const)('a cube rests on one that lies %s, while its middle is over it', (_, orientation) => {
  const lower = thing('lower', CUBE, [1, 1, 0.075], orientation);
  for (const [dx, dy, rests] of [
    [0, 0, true],
    [0.07, -0.07, true],
    [0.08, 0, false],
    [0, 0.08, false],
  ] as const)
    expect(restsOn(thing('upper', CUBE, [1 + dx, 1 + dy, 0.225], UPRIGHT), lower), `${dx}, ${dy}`).toBe(rests);
});

test('a long box that lies on its side has the width of that side', () => {
  // 8 x 16 x 18 cm; pitched, its 18 cm lie along x and its 8 cm are vertical.
  const lower = thing('lower', [0.08, 0.16, 0.18], [0, 0, 0.04], PITCHED);
  const at = (x: number, y: number): boolean => restsOn(thing('upper', CUBE, [x, y, 0.155], UPRIGHT), lower);
  expect([at(0.085, 0), at(0.095, 0), at(0, 0.075), at(0, 0.085)]).toEqual([true, false, true, false]);
});
