import { readdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { PRECOMPRESSED_END } from '../../src/headless/built-file.ts';
import { WORTH_FROM_BYTES } from '../../src/launch/compression.ts';

/** The files that browsers load and that compress well. Source maps are only for people who inspect the page's code. */
const SHRINKS = new Set(['.css', '.html', '.js', '.md', '.svg', '.txt', '.wasm']);

/** A server sends any existing file, so a killed process or a full disk must not leave an incomplete one. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const fresh = `${file}.${process.pid}`;
  try {
    await writeFile(fresh, bytes);
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Writes `FILE.br` next to each compressible file of a folder. @returns their number, and their bytes before and after */
export async function precompress(dir: string): Promise<{ files: number; bytes: number; compressedBytes: number }> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && SHRINKS.has(extname(entry.name)));
  const totals = { files: 0, bytes: 0, compressedBytes: 0 };
  const left = files.map(({ parentPath, name }) => join(parentPath, name));
  async function worker(): Promise<void> {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const bytes = await readFile(file);
      if (bytes.byteLength < WORTH_FROM_BYTES) continue;
      const compressed = await promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      });
      await writeWhole(`${file}${PRECOMPRESSED_END}`, compressed);
      totals.files += 1;
      totals.bytes += bytes.byteLength;
      totals.compressedBytes += compressed.byteLength;
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return totals;
}
