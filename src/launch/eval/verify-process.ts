/**
 * The process that re-simulates the proofs of an evaluation, in parallel, so that robots that run in real time are not delayed.
 * It exits when the process at the other end of its IPC channel exits.
 */
import { whyNotTrue } from '../../headless/verify-file.ts';

/** The evaluation's messages. */
export interface ToVerifier {
  id: number;
  /** The text of a proof. */
  proof: string;
}
/** The answers, in any order. */
export interface FromVerifier {
  id: number;
  /** Why the proof is wrong, as a sentence; null if it is correct. */
  why: string | null;
}

process.on('message', ({ id, proof }: ToVerifier) => {
  void whyNotTrue(proof).then((why) => process.send?.({ id, why } satisfies FromVerifier));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group of the terminal. The evaluation decides when to end.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
