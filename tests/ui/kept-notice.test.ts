import { expect, test } from 'vitest';
import { interruptedWords } from '../../src/viewer/ui/bar/use-kept-notice.ts';
import { actionView } from './examples.ts';

const entity = (entity_id: string) => ({ target: { kind: 'entity', entity_id } });

test('what a reload interrupted is named', () => {
  const walk = actionView({ input: entity('pad_B') });
  const look = actionView({ name: 'look_at', input: entity('cube_1') });
  expect(interruptedWords([])).toBe('');
  expect(interruptedWords([walk])).toBe('“Walk to pad_B” was interrupted. Start it again if you still want it.');
  expect(interruptedWords([walk, look])).toMatch(/^“Walk to pad_B” and “Look at cube_1” were interrupted\. /);
});
