import type { WorldFrame } from '../../../protocol/world-stream/world-frame.ts';

/** Loss is told of so long, milliseconds. */
const LOSS_OF_MS = 10_000;

/** Counts how many packets of a stream get lost. */
export interface LossMeter {
  /** A state came. @param counts of the stream's packets until now, as its reader has them: one that is overtaken brings no state, and has come */
  note(counts: Pick<WorldFrame, 'lostPackets' | 'comePackets'>, nowMs: number): void;
  /** Share of the packets of the last seconds that did not come, from 0 to 1. */
  share(nowMs: number): number;
}

/** Loss is counted in steps of a second; one meter for each stream. */
export function createLossMeter(): LossMeter {
  let marks: { atMs: number; come: number; lost: number }[] = [];
  let come = 0;
  let lost = 0;
  return {
    note({ lostPackets, comePackets }, nowMs) {
      // The reader of another stream begins at nothing.
      if (comePackets < come) marks = [];
      come = comePackets;
      lost = lostPackets;
      const last = marks.at(-1);
      if (!last || nowMs - last.atMs >= 1_000) marks = [...marks, { atMs: nowMs, come, lost }];
      while (marks[1] && nowMs - marks[1].atMs >= LOSS_OF_MS) marks.shift();
    },
    share(nowMs) {
      const from = marks.find(({ atMs }) => nowMs - atMs <= LOSS_OF_MS);
      if (!from) return 0;
      const [cameSince, lostSince] = [come - from.come, Math.max(0, lost - from.lost)];
      return cameSince + lostSince === 0 ? 0 : lostSince / (cameSince + lostSince);
    },
  };
}
