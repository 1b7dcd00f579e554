/** If one processor computes and draws everything, the page’s picture waits until more urgent work is done. */
import { expect, it } from 'vitest';
import type { LoadingPart } from '../../src/viewer/engine/types.ts';
import { pictureWaits } from '../../src/viewer/ui/world/picture/picture-waits.ts';

const part = (id: LoadingPart['id'], change: Partial<LoadingPart> = {}): LoadingPart => ({
  id,
  label: id,
  fraction: 0,
  done: false,
  ...change,
});
const loading = (physics: Partial<LoadingPart>, cameras: Partial<LoadingPart> = {}): LoadingPart[] => [
  part('physics', physics),
  part('cameras', cameras),
];
const READY = { done: true };
const FAILED = { problem: 'It failed.' };

it.each([
  ['a robot alone that loads', { phase: 'loading', local: true, loading: loading({}) }, true],
  ['a robot alone that can act', { phase: 'live', local: true, loading: loading(READY) }, false],
  ['a robot alone that has failed', { phase: 'loading', local: true, loading: loading(FAILED) }, false],
  ['a robot in a room whose cameras are built', { phase: 'live', local: false, loading: loading(READY) }, true],
  ['a robot in a room with its cameras', { phase: 'live', local: false, loading: loading(READY, READY) }, false],
  ['a robot in a room whose cameras failed', { phase: 'live', local: false, loading: loading(READY, FAILED) }, false],
  ['a robot in a room that has failed', { phase: 'loading', local: false, loading: loading(FAILED) }, false],
  ['a page at its gate', { phase: 'gate', local: false, loading: loading({}) }, false],
] as const)('the picture waits only while other parts load: %s', (_, state, waits) => {
  expect(pictureWaits(state)).toBe(waits);
});
