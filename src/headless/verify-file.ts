import { PROOF_MAX_BYTES } from '../protocol/proof-file.ts';
import { type Verification, verifyProof } from '../tasks/verify-proof.ts';
import { startEngine } from '../worker/robot/physics-engine.ts';
import { readBounded } from './read-bounded.ts';

/**
 * Re-simulates the proof in a file.
 * @throws Error when the file cannot be read
 */
export async function verifyFile(path: string, onStep?: (step: number, ofSteps: number) => void): Promise<Verification> {
  const text = await readBounded(path, PROOF_MAX_BYTES);
  return verifyProof(await startEngine(), text, onStep);
}
