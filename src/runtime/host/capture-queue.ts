import { FairQueue } from '../../common/fair-queue.ts';
import type { CaptureJob } from '../action-record.ts';

/** One is drawn while the previous one is sent. A picture for the page itself waits only for these. */
const UNDER_WAY_MAX = 2;

/**
 * Carries out captures: those of one participant in the order of their requests, and the participants in turn, so that many
 * requests of one participant do not delay the others.
 * @param carryOut settles when the picture was sent or has failed; never rejects
 * @returns a function that adds one more
 */
export function createCaptureQueue(carryOut: (job: CaptureJob) => Promise<void>): (job: CaptureJob) => void {
  const waiting = new FairQueue<CaptureJob>();
  let underWay = 0;

  function begin(): void {
    while (underWay < UNDER_WAY_MAX) {
      const job = waiting.shift();
      if (!job) return;
      underWay += 1;
      void carryOut(job).then(() => {
        underWay -= 1;
        begin();
      });
    }
  }

  return (job) => {
    waiting.push(job.callerIdentity ?? '', job);
    begin();
  };
}
