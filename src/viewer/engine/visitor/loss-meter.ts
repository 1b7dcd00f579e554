import type { WorldFrame } from '../../../protocol/world-stream/world-frame.ts';

/** The period over which loss is measured, milliseconds. */
const LOSS_OF_MS = 10_000;

/** Counts how many packets of a stream get lost. */
export interface LossMeter {
  /**
   * Notes the arrival of a state. @param counts of the stream's packets so far, from its reader; an overtaken packet counts as
   * received but carries no state
   */
  note(counts: Pick<WorldFrame, 'lostPackets' | 'comePackets'>, nowMs: number): void;
  /** Returns the share of the packets of the last seconds that were lost, from 0 to 1. */
  share(nowMs: number): number;
}

/** Creates the meter of one stream. Loss is counted in steps of one second. */
export function createLossMeter(): LossMeter {
  let marks: { atMs: number; come: number; lost: number }[] = [];
  let come = 0;
  let lost = 0;
  return {
    note({ lostPackets, comePackets }, nowMs) {
      // The reader of a new stream begins at zero.
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
