import { open } from 'node:fs/promises';
import { SentenceError } from '../common/sentence-error.ts';

const CHUNK_BYTES = 65_536;

/**
 * Reads a text file in UTF-8, at most one byte more than allowed: the caller rejects a larger file by its length, and no large
 * file is read whole.
 * @throws SentenceError when it is in another encoding, Error when it cannot be read
 */
export async function readBounded(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let left = maxBytes + 1;
    while (left > 0) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, CHUNK_BYTES)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return textOf(Buffer.concat(chunks), left === 0);
  } finally {
    await file.close();
  }
}

/** Returns why `readBounded` did not read a file. */
export const unreadable = (path: string, thrown: unknown): string =>
  thrown instanceof SentenceError
    ? `${path}: ${thrown.message}`
    : `${path}: it cannot be read (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable'}).`;

/** @param isCut the bytes may end in the middle of a character */
function textOf(bytes: Buffer, isCut: boolean): string {
  if (isUtf16(bytes)) throw new SentenceError('it is in UTF-16, and must be in UTF-8. Save it again in UTF-8.');
  const wrong = isDecodable(bytes, isCut) ? null : wrongByte(bytes);
  if (wrong !== null)
    throw new SentenceError(
      wrong === bytes.length
        ? 'it ends in the middle of a character of UTF-8. Copy it again.'
        : `it is not in UTF-8 from byte ${wrong} on (counted from 0). Save it again in UTF-8.`,
    );
  return bytes.toString('utf8');
}

/** With a byte order mark, or with an ASCII sign of two bytes at the start. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0);
}

function isDecodable(bytes: Uint8Array, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset of the first byte at which the text cannot continue; its length if it ends within a character. */
function wrongByte(bytes: Uint8Array): number {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isDecodable(bytes.subarray(0, middle), true) && middle <= bytes.length) good = middle;
    else bad = middle;
  }
  return good;
}
