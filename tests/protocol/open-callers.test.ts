/** The room reports which callers with a call under way have left, because their pictures have no receiver. */
import { describe, expect, it } from 'vitest';
import { createCallers } from '../../src/protocol/room/open-callers.ts';

describe('a caller has left', () => {
  it('a caller counts as absent when the room reports its departure while a call is under way', () => {
    const callers = createCallers();
    callers.begin('a');
    callers.left('a');
    expect(callers.hasLeft('a')).toBe(true);
    expect(callers.hasLeft('b')).toBe(false);
  });

  it('a caller counts as present again when it calls again, though the room has not reported its return yet', () => {
    const callers = createCallers();
    callers.begin('a');
    callers.left('a');
    callers.begin('a');
    expect(callers.hasLeft('a')).toBe(false);
  });

  it('a caller counts as present again when the room reports its return', () => {
    const callers = createCallers();
    callers.begin('a');
    callers.left('a');
    callers.back('a');
    expect(callers.hasLeft('a')).toBe(false);
  });

  it('a caller that left before it called never counts as absent', () => {
    const callers = createCallers();
    callers.left('a');
    callers.begin('a');
    expect(callers.hasLeft('a')).toBe(false);
  });
});

it('a hundred thousand names that come, call and leave use no memory afterwards', () => {
  const callers = createCallers();
  for (let index = 0; index < 100_000; index += 1) {
    const end = callers.begin(`caller-${index}`);
    callers.left(`caller-${index}`);
    end();
    callers.left(`watcher-${index}`);
  }
  expect(callers.kept()).toBe(0);
});

it('a name with several calls is forgotten with the last of them, and ending one call twice counts once', () => {
  const callers = createCallers();
  const [first, second] = [callers.begin('a'), callers.begin('a')];
  callers.left('a');
  first();
  first();
  expect(callers.hasLeft('a')).toBe(true);
  second();
  expect(callers.hasLeft('a')).toBe(false);
  expect(callers.kept()).toBe(0);
});
