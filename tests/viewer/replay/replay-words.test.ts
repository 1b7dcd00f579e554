import { expect, test } from 'vitest';
import { saidOfAction } from '../../../src/viewer/replay/replay-words.ts';
import { actionView } from '../../ui/examples.ts';

const running = actionView({ status: 'running', result: null });

test('an action that runs at the end of the recording is said to outlast it, and no longer to run', () => {
  expect(saidOfAction(running, false)).toEqual({ outcome: 'running', word: 'Running', reason: undefined });
  expect(saidOfAction(running, true)).toEqual({
    outcome: 'unended',
    word: 'Not ended',
    reason: 'The recording ends while this runs.',
  });
});

test('an action that ended is told the same at any moment', () => {
  const done = actionView({ status: 'done' });
  for (const isOver of [false, true])
    expect(saidOfAction(done, isOver)).toEqual({ outcome: 'done', word: 'Done', reason: undefined });
});
