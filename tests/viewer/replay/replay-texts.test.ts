import { expect, test } from 'vitest';
import { momentText, saidOfAction } from '../../../src/viewer/replay/replay-texts.ts';
import { actionView } from '../../ui/examples.ts';

test.each([
  [0, '0:00.0'],
  [505, '0:04.2'],
  [715, '0:06.0'],
  [714, '0:06.0'],
  [18, '0:00.1'],
  [7_199, '1:00.0'],
  [90_000, '12:30.0'],
])('the time after step %i is rounded like the seconds of an evaluation: %s', (step, text) => {
  expect(momentText(step)).toBe(text);
  const [minutes = 0, seconds = 0] = text.split(':').map(Number);
  expect((minutes * 60 + seconds).toFixed(1)).toBe((step / 120).toFixed(1));
});

const running = actionView({ status: 'running', result: null });

test('an action that runs at the end of the recording is described as outlasting it, not as running', () => {
  expect(saidOfAction(running, false)).toEqual({ outcome: 'running', word: 'Running', reason: undefined });
  expect(saidOfAction(running, true)).toEqual({
    outcome: 'unended',
    word: 'Not ended',
    reason: 'The recording ends while this runs.',
  });
});

test('an action that ended is described the same at any moment', () => {
  const done = actionView({ status: 'done' });
  for (const isOver of [false, true])
    expect(saidOfAction(done, isOver)).toEqual({ outcome: 'done', word: 'Done', reason: undefined });
});
