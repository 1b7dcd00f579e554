import { expect, test } from 'vitest';
import { interruptedText, restartText } from '../../src/viewer/ui/bar/use-kept-notice.ts';
import { actionView } from './examples.ts';

const entity = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });

test('an action that a reload interrupted is named', () => {
  const walk = actionView({ input: entity('pad_B') });
  const look = actionView({ name: 'look_at', input: entity('cube_1') });
  expect(interruptedText([])).toBe('');
  expect(interruptedText([walk])).toBe('“Walk to pad_B” was interrupted. Start it again if you still want it.');
  expect(interruptedText([walk, look])).toMatch(/^“Walk to pad_B” and “Look at cube_1” were interrupted\. /);
});

test('a person who only tries the page understands why its world starts from scratch', () => {
  expect(restartText('other_profile')).toBe(
    'The robot of the world that was kept takes other commands than this one. Robot and things are back at the start, with the same seed.',
  );
  for (const reason of ['other_version', 'other_profile', 'other_robot', 'damaged', 'broken', 'storage'] as const)
    expect(restartText(reason)).not.toMatch(/contract|profile|not saved/);
});

test('the notice stays short: each title once, three of them at most', () => {
  const walks = ['a', 'b', 'c', 'd', 'e'].map((pad) => actionView({ input: entity(`pad_${pad}`) }));
  expect(interruptedText([...walks, ...walks])).toMatch(
    /^“Walk to pad_a”, “Walk to pad_b”, “Walk to pad_c” and 2 more were interrupted\. /,
  );
  const [walk] = walks;
  expect(interruptedText(walk ? [walk, walk, walk] : [])).toMatch(/^“Walk to pad_a” was interrupted\. /);
});
