import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { PRECOMPRESSED_END } from '../headless/built-file.ts';

export type Encoding = 'br' | 'gzip';

/** Media types that compress well; pictures and fonts are already compressed. */
const SHRINKS = /^(?:text\/|application\/(?:json|wasm)|image\/svg)/;
/** Below this size, the extra header costs as much as compression saves. */
export const WORTH_FROM_BYTES = 1_024;
/** A third slower than the fastest level, with a fifth less output. The best level would take seconds. */
const BROTLI_QUALITY = 5;

const COMPRESS: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** Each file once per encoding; a page has a few dozen files. */
const done = new Map<string, Promise<Buffer>>();

/** Returns the encoding of the answer. @param accepted the `Accept-Encoding` of the request */
export function encodingFor(accepted: string | undefined, mediaType: string, byteLength: number): Encoding | null {
  if (accepted === undefined || byteLength < WORTH_FROM_BYTES || !SHRINKS.test(mediaType)) return null;
  const names = accepted
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.replace(/;.*$/, ''));
  return (['br', 'gzip'] as const).find((encoding) => names.includes(encoding)) ?? null;
}

/** Returns the bytes in an encoding. @param hash of the bytes, by which the result is cached */
export function compress(bytes: Buffer, hash: string, encoding: Encoding): Promise<Buffer> {
  const name = `${hash} ${encoding}`;
  const known = done.get(name);
  if (known !== undefined) return known;
  const made = COMPRESS[encoding](bytes);
  done.set(name, made);
  made.catch(() => done.delete(name));
  return made;
}

/**
 * Returns the precompressed file; null if it is missing, or older than the file. The published package contains only this form.
 */
export async function precompressed(file: string, encoding: Encoding): Promise<Buffer | null> {
  if (encoding !== 'br') return null;
  try {
    const ahead = `${file}${PRECOMPRESSED_END}`;
    const [of, made] = await Promise.all([stat(file).catch(() => null), stat(ahead)]);
    return of === null || made.mtimeMs >= of.mtimeMs ? await readFile(ahead) : null;
  } catch {
    return null;
  }
}
