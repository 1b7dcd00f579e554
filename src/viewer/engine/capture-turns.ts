import { FairTurns } from '../../protocol/fair-turns.ts';
import type { CaptureJob } from '../../runtime/action-record.ts';

/** One is drawn while the one before is sent; a picture for the page itself waits for no more than these. */
const UNDER_WAY_MAX = 2;

/**
 * Carries out captures, each participant's in the order it asked and all participants in turns: whoever asks for many waits for them
 * alone.
 * @param carryOut settles when the picture has been sent, or could not be; never rejects
 * @returns takes one more
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
