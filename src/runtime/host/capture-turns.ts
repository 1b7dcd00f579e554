import { FairTurns } from '../../protocol/fair-turns.ts';
import type { CaptureJob } from '../action-record.ts';

/** One is drawn while the previous one is sent. A picture for the page itself waits only for these. */
const UNDER_WAY_MAX = 2;

/**
 * Carries out captures, each participant's in the order of the requests and all participants in turns, so that many requests of
 * one delay nobody else.
 * @param carryOut settles when the picture was sent or could not be; never rejects
 * @returns a function that adds one more
 */
export function createCaptureTurns(carryOut: (job: CaptureJob) => Promise<void>): (job: CaptureJob) => void {
  const waiting = new FairTurns<CaptureJob>();
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
