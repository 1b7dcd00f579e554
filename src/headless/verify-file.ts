import { SentenceError } from '../common/sentence-error.ts';
import { shownLine } from '../common/shown-text.ts';
import { PROOF_MAX_BYTES } from '../protocol/files/proof-file.ts';
import { verificationText } from '../protocol/texts/headless-texts.ts';
import { type Verification, verifyProof } from '../tasks/verify-proof.ts';
import { startEngine } from '../worker/robot/physics-engine.ts';
import { readBounded } from './read-bounded.ts';

/**
 * Re-simulates the proof in a file.
 * @throws Error when the file cannot be read
 */
export async function verifyFile(path: string, onStep?: (step: number, ofSteps: number) => void): Promise<Verification> {
  try {
    const text = await readBounded(path, PROOF_MAX_BYTES);
    return verifyProof(await startEngine(), text, onStep);
  } catch (thrown) {
    if (!(thrown instanceof SentenceError)) throw thrown;
    return { is: 'damaged', path: '', what: `The file is not a text: ${thrown.message}` };
  }
}

/** @returns why a proof is not true, as a sentence; null when it is. Never rejects */
export async function whyNotTrue(text: string): Promise<string | null> {
  try {
    const startedMs = performance.now();
    const said = verifyProof(await startEngine(), text);
    if (said.is === 'true') return null;
    const seconds = (performance.now() - startedMs) / 1_000;
    return `The re-simulation of its proof is ${verificationText(said, { seconds, run: null })}`;
  } catch (thrown) {
    return `Its proof could not be re-simulated: ${shownLine(thrown instanceof Error ? thrown.message : 'it broke')}`;
  }
}
