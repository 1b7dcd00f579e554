import { expect, it } from 'vitest';
import { createBatch } from '../../src/viewer/engine/batch.ts';

it('what is said in one turn goes together and in its order, and what is said later goes later', async () => {
  const sent: number[][] = [];
  const say = createBatch<number>((messages) => sent.push(messages));
  say(1);
  say(2);
  expect(sent).toEqual([]);
  await Promise.resolve();
  say(3);
  await Promise.resolve();
  expect(sent).toEqual([[1, 2], [3]]);
});
