import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** The ending of a file that `npm run build` has compressed ahead, as well as brotli can, beside the original. */
export const PRECOMPRESSED_END = '.br';

/**
 * Reads a file of the built page. The published package has only the compressed form of scripts and WebAssembly: gzip, which npm uses, makes
 * the package an eighth larger.
 * @param file path of the original
 * @throws When neither form can be read
 */
export async function readBuiltFile(file: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return await readFile(file);
  } catch (error) {
    const compressed = await readFile(`${file}${PRECOMPRESSED_END}`).catch(() => null);
    if (compressed === null) throw error;
    return Buffer.from(await promisify(brotliDecompress)(compressed));
  }
}
