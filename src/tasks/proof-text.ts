import { utf8Bytes } from '../protocol/json.ts';
import { tooIntricate } from '../protocol/json-scan.ts';
import { PROOF_MAX_BYTES, PROOF_MAX_DEPTH, PROOF_MAX_VALUES, type ProofFile, proofFileSchema } from '../protocol/proof-file.ts';
import { pathText } from '../protocol/schema-words.ts';
import { sha256OfText } from '../protocol/sha256.ts';

/** Writes and reads proofs as text. A text that was changed anywhere, if only in a blank, is told apart from one that tells an untruth. */

/** Completes a proof with its checksum. */
export const seal = (proof: Omit<ProofFile, 'sha256'>): ProofFile => ({ ...proof, sha256: checksumOf(proof) });

const checksumOf = (proof: Omit<ProofFile, 'sha256'>): string => sha256OfText(JSON.stringify(proof));

/** Returns the text of a proof: one line. */
export const proofText = (proof: ProofFile): string => `${JSON.stringify(proof)}\n`;

export interface ProofProblem {
  /** The place in the file: "inputs[3][1]"; empty for the file as a whole. */
  path: string;
  reason: string;
}

/** Reads a proof from its text. Never throws. */
export function readProof(text: string): { ok: true; proof: ProofFile } | { ok: false; problem: ProofProblem } {
  const bytes = text.length > PROOF_MAX_BYTES ? text.length : utf8Bytes(text);
  if (bytes > PROOF_MAX_BYTES) return refused('', `The file has ${bytes} bytes; a proof has at most ${PROOF_MAX_BYTES}.`);
  const intricate = tooIntricate(text, { what: 'The file', depth: PROOF_MAX_DEPTH, values: PROOF_MAX_VALUES });
  if (intricate !== null) return refused('', intricate);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('', 'The file is not JSON text. It is damaged, or no proof.');
  }
  const read = proofFileSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refused(pathText(issue?.path ?? []), `${issue?.message ?? 'It is not a proof'}. It is damaged, or no proof.`);
  }
  const raw = value as ProofFile;
  const { sha256, ...rest } = raw;
  if (proofText(raw) !== text) return refused('', 'The file is not as it was written: it is damaged, or was formatted anew.');
  if (checksumOf(rest) !== sha256) return refused('sha256', 'The checksum is not that of the rest of the file: it is damaged.');
  return { ok: true, proof: raw };
}

const refused = (path: string, reason: string): { ok: false; problem: ProofProblem } => ({
  ok: false,
  problem: { path, reason },
});
