import { expect, it } from 'vitest';
import { createBatch } from '../../src/viewer/engine/batch.ts';

const batchOf = (send: (messages: number[]) => void) => {
  const lost: unknown[] = [];
  return { ...createBatch<number>(send, (thrown) => lost.push(thrown)), lost };
};

it('messages before the next microtask are sent together in order, and later messages are sent later', async () => {
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

it('pending messages are sent once, before a step that takes long', async () => {
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

it('a message that cannot be sent does not prevent the others', async () => {
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
