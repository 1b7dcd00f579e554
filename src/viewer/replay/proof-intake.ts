import { PROOF_MAX_BYTES } from '../../protocol/files/proof-file.ts';
import { fetchFile } from '../engine/fetch-file.ts';
import { proofAddressMistake, readProofAddress } from '../engine/page-address.ts';
import type { ReplayEngine } from '../engine/replay/replay-engine.ts';
import { bytes } from '../ui/common/format.ts';

/** Opens a file that a person gave to the page, or shows why it cannot be a proof. Never rejects. */
export async function openProofFile(engine: Pick<ReplayEngine, 'open' | 'refuse'>, file: File): Promise<void> {
  if (file.size > PROOF_MAX_BYTES)
    return engine.refuse(file.name, `This file has ${bytes(file.size)}. A proof has at most ${bytes(PROOF_MAX_BYTES)}.`);
  try {
    engine.open(file.name, await file.text());
  } catch {
    engine.refuse(file.name, 'This file cannot be read. Look whether it is still there, and try again.');
  }
}

/** Opens the proof that the page's address names, if any, or shows why it cannot be opened. Never rejects. */
export async function openProofAddress(engine: Pick<ReplayEngine, 'open' | 'refuse' | 'replay'>, href: string): Promise<void> {
  const address = readProofAddress(href);
  const mistake = proofAddressMistake(href);
  if (mistake !== null) return engine.refuse('the proof in the address', mistake);
  if (address === null) return;
  const name = new URL(address).pathname.split('/').at(-1) ?? '';
  engine.replay.setState({ fileName: name });
  const waiting = engine.replay.getState();
  const file = await fetchFile(address, { ownOrigin: new URL(href).origin, maxBytes: PROOF_MAX_BYTES });
  // A file that a person has opened in the meantime takes precedence.
  if (engine.replay.getState() !== waiting) return;
  if (file.ok) engine.open(name, file.text);
  else engine.refuse(name, `The file ${file.problems[0]?.reason ?? 'could not be fetched.'}`);
}
