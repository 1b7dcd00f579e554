import { PROOF_MAX_BYTES } from '../../protocol/proof-file.ts';
import type { ReplayEngine } from '../engine/replay/replay-engine.ts';
import { bytes } from '../ui/common/format.ts';

/** Opens a file that a person gave to the page, or says why it cannot be a proof. Never rejects. */
export async function openProofFile(engine: Pick<ReplayEngine, 'open' | 'refuse'>, file: File): Promise<void> {
  if (file.size > PROOF_MAX_BYTES)
    return engine.refuse(file.name, `This file has ${bytes(file.size)}. A proof has at most ${bytes(PROOF_MAX_BYTES)}.`);
  try {
    engine.open(file.name, await file.text());
  } catch {
    engine.refuse(file.name, 'This file cannot be read. Look whether it is still there, and try again.');
  }
}
