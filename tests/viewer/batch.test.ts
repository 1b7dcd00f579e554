import { expect, it } from 'vitest';
import { createBatch } from '../../src/viewer/engine/batch.ts';

const batchOf = (send: (messages: number[]) => void) => {
  const lost: unknown[] = [];
  return { ...createBatch<number>(send, (thrown) => lost.push(thrown)), lost };
};

it('what is said in one turn goes together and in its order, and what is said later goes later', async () => {
  const sent: number[][] = [];
  const { say } = batchOf((messages) => sent.push(messages));
  say(1);
  say(2);
  expect(sent).toEqual([]);
  await Promise.resolve();
  say(3);
  await Promise.resolve();
  expect(sent).toEqual([[1, 2], [3]]);
});

it('what was said goes before something that takes long, and once', async () => {
  const sent: number[][] = [];
  const { say, flush } = batchOf((messages) => sent.push(messages));
  say(1);
  flush();
  flush();
  say(2);
  expect(sent).toEqual([[1]]);
  await Promise.resolve();
  await Promise.resolve();
  expect(sent).toEqual([[1], [2]]);
});

it('one that cannot be sent takes no other with it', async () => {
  const sent: number[][] = [];
  const { say, flush, lost } = batchOf((messages) => {
    if (messages.includes(2)) throw new Error('not to be sent');
    sent.push(messages);
  });
  for (const message of [1, 2, 3]) say(message);
  flush();
  expect(sent).toEqual([[1], [3]]);
  expect(lost).toEqual([new Error('not to be sent')]);
});
