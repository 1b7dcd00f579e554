import { open } from 'node:fs/promises';
import { PROOF_MAX_BYTES } from '../protocol/proof-file.ts';
import { type Verification, verifyProof } from '../tasks/verify-proof.ts';
import { startEngine } from '../worker/robot/physics-engine.ts';

/**
 * Re-simulates the proof in a file.
 * @throws Error when the file cannot be read
 */
export async function verifyFile(path: string, onStep?: (step: number, ofSteps: number) => void): Promise<Verification> {
  const text = await readBounded(path);
  return verifyProof(await startEngine(), text, onStep);
}

/** Reads one byte more than a proof may have, so that a larger file is refused as one and not read whole. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let left = PROOF_MAX_BYTES + 1;
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, 65_536)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    await file.close();
  }
}
