import { noJsonText } from '../common/json-place.ts';
import { isRecord, pathText } from '../common/schema-texts.ts';
import { sha256OfText } from '../common/sha256.ts';
import {
  PROOF_FORMAT,
  PROOF_MAX_BYTES,
  PROOF_MAX_DEPTH,
  PROOF_MAX_VALUES,
  type ProofCall,
  type ProofFile,
  proofFileSchema,
} from '../protocol/files/proof-file.ts';
import { fitsRpc, utf8Bytes } from '../protocol/wire/json.ts';
import { tooIntricate } from '../protocol/wire/json-scan.ts';

/** Writes and reads proofs as text. A text with any change, even of a blank, is distinguished from a text with false contents. */

/** Completes a proof with its checksum. */
export const seal = (proof: Omit<ProofFile, 'sha256'>): ProofFile => ({ ...proof, sha256: checksumOf(proof) });

const checksumOf = (proof: Omit<ProofFile, 'sha256'>): string => sha256OfText(JSON.stringify(proof));

/** Returns the text of a proof: one line. */
export const proofText = (proof: ProofFile): string => `${JSON.stringify(proof)}\n`;

/** The parts of a call that hold its payload. */
type ProofPayload = Pick<ProofCall, 'payload' | 'text'>;

/**
 * Returns a payload as a proof stores it: as a value if JSON can represent the robot's reading without a change, and within
 * the length of a call; otherwise as text.
 */
export function proofPayload(payload: string): ProofPayload {
  if (payload === '') return {};
  if (tooIntricate(payload) !== null) return { text: payload };
  try {
    const value: unknown = JSON.parse(payload);
    return isExact(value) && fitsRpc(JSON.stringify(value)) ? { payload: value as ProofCall['payload'] } : { text: payload };
  } catch {
    return { text: payload };
  }
}

/** Returns the payload of a call as it came, apart from blanks and the way in which strings are written. */
export const payloadOfProof = ({ payload, text }: ProofPayload): string =>
  text ?? (payload === undefined ? '' : JSON.stringify(payload));

/** Returns whether a value stays the same when it is written as JSON: Infinity (from `1e999`) and -0 are not. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

export interface ProofProblem {
  /** The place in the file: "inputs[3][1]"; empty for the file as a whole. */
  path: string;
  reason: string;
  /** Whether the file names another version of the format as its writer. */
  isOtherFormat: boolean;
}

const FORMAT = /^simplesim\.proof\/\d{1,6}$/;

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
    return refused('', `The file is not JSON: ${noJsonText(text)}. It is damaged, or no proof.`);
  }
  const format = isRecord(value) && typeof value.format === 'string' && FORMAT.test(value.format) ? value.format : PROOF_FORMAT;
  if (format !== PROOF_FORMAT)
    return refused('format', `The file has the format ${format}, and this version reads ${PROOF_FORMAT}.`, true);
  const read = proofFileSchema.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return refused(pathText(issue?.path ?? []), `${issue?.message ?? 'It is not a proof'}. It is damaged, or no proof.`);
  }
  const raw = value as ProofFile;
  const { sha256, ...rest } = raw;
  if (proofText(raw) !== text) return refused('', 'The file is not as it was written: it is damaged, or was reformatted.');
  if (checksumOf(rest) !== sha256) return refused('sha256', 'The checksum is not that of the rest of the file: it is damaged.');
  const twofold = raw.calls.findIndex(isTwofold);
  if (twofold >= 0)
    return refused(
      `calls[${twofold}].text`,
      'A payload that is JSON stands in `payload`, and nowhere else. No run wrote this file.',
    );
  return { ok: true, proof: raw };
}

/** Returns whether a call stores its payload in another way than a run does. */
const isTwofold = (call: ProofCall): boolean =>
  call.text !== undefined && (call.payload !== undefined || proofPayload(call.text).text === undefined);

const refused = (path: string, reason: string, isOtherFormat = false): { ok: false; problem: ProofProblem } => ({
  ok: false,
  problem: { path, reason, isOtherFormat },
});
