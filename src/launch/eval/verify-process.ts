/**
 * The process that re-simulates the proofs of an evaluation, beside it: robots that run there in real time are not held up. It ends when
 * the process at the other end of its IPC channel goes away.
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
  /** Why the proof is not true, as a sentence; null when it is. */
  why: string | null;
}

process.on('message', ({ id, proof }: ToVerifier) => {
  void whyNotTrue(proof).then((why) => process.send?.({ id, why } satisfies FromVerifier));
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole group of the terminal; the evaluation says when it is over.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
