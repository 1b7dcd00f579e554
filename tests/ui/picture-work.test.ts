import { expect, it } from 'vitest';
import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { ActionView } from '../../src/viewer/engine/types.ts';
import { isPictureWork } from '../../src/viewer/ui/common/picture-work.ts';

const action = (kind: ActionView['kind'], finishedAtMs: number | null): ActionView => ({
  actionId: `${kind}-${finishedAtMs}`,
  kind,
  name: 'x',
  input: {},
  caller: unsignedCaller('ada'),
  phase: '',
  status: finishedAtMs === null ? 'running' : 'done',
  startedAtMs: 0,
  finishedAtMs,
  progress: null,
  result: null,
});

it('the page’s small pictures wait while an agent takes pictures, and for a while after that', () => {
  expect(isPictureWork([], 10_000, 2_000)).toBe(false);
  expect(isPictureWork([action('tool', null)], 10_000, 2_000)).toBe(false);
  expect(isPictureWork([action('capture', 7_000)], 10_000, 2_000)).toBe(false);
  expect(isPictureWork([action('capture', 9_000)], 10_000, 2_000)).toBe(true);
  expect(isPictureWork([action('tool', 9_900), action('capture', null)], 10_000, 2_000)).toBe(true);
});
