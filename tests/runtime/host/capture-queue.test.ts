import { expect, it } from 'vitest';
import type { CaptureJob } from '../../../src/runtime/action-record.ts';
import { createCaptureQueue } from '../../../src/runtime/host/capture-queue.ts';
import { settle } from '../../viewer/engine-fixture.ts';

function createQueue() {
  const begun: string[] = [];
  const underWay: (() => void)[] = [];
  const take = createCaptureQueue((job) => {
    begun.push(job.actionId);
    return new Promise((resolve) => underWay.push(resolve));
  });
  return {
    begun,
    underWay,
    ask: (callerIdentity: string, actionId: string) => take({ callerIdentity, actionId } as CaptureJob),
    async finish(count: number) {
      for (let n = 0; n < count; n += 1) {
        underWay.shift()?.();
        await settle();
      }
    },
  };
}

it('two pictures are processed at a time, so a picture for the page waits for at most two', async () => {
  const queue = createQueue();
  for (let n = 0; n < 30; n += 1) queue.ask('many', `m${n}`);
  expect(queue.begun).toEqual(['m0', 'm1']);
  await queue.finish(1);
  expect(queue.begun).toEqual(['m0', 'm1', 'm2']);
  expect(queue.underWay).toHaveLength(2);
});

it('a caller that asks for one picture gets it in its turn, however many another caller has waiting', async () => {
  const queue = createQueue();
  for (let n = 0; n < 30; n += 1) queue.ask('many', `m${n}`);
  for (const who of ['ada', 'ben', 'cleo']) for (const n of [0, 1]) queue.ask(who, `${who}${n}`);
  await queue.finish(8);
  expect(queue.begun).toEqual(['m0', 'm1', 'm2', 'ada0', 'ben0', 'cleo0', 'm3', 'ada1', 'ben1', 'cleo1']);
  await queue.finish(40);
  expect(queue.begun).toHaveLength(36);
});
