import { expect, it } from 'vitest';
import { countByPromise } from './table.ts';

it('counts a test for every promise at the start of its name, with a space, comma or colon behind', () => {
  const tests = ['P1 P2 a walk', 'P7: a stop', 'P5, P6 a result', 'a P9 in the middle', 'P11', 'P3x is not an id'];
  const counts = countByPromise(tests.map((name) => ({ name, passed: name !== 'P11' })));
  expect(Object.entries(counts).map(([id, { passed, failed }]) => [id, passed, failed])).toEqual([
    ['P1', 1, 0],
    ['P2', 1, 0],
    ['P7', 1, 0],
    ['P5', 1, 0],
    ['P6', 1, 0],
    ['P11', 0, 1],
  ]);
});
