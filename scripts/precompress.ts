/**
 * Writes a brotli copy at the highest level next to each file of the built page that a server sends: `index.html.br`. It takes
 * half a minute of a core, so `npm start` does without. Builds nothing: run `vite build` first.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { precompress } from './vite/precompress.ts';

const distDir = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist'));
if (!existsSync(join(distDir, 'index.html'))) {
  console.error(`There is no page in ${distDir}. Build it first: npx vite build`);
  process.exit(1);
}
const { files, bytes, compressedBytes } = await precompress(distDir);
const mb = (count: number): string => `${(count / 1e6).toFixed(2)} MB`;
console.log(`precompressed: ${files} files, ${mb(bytes)} to ${mb(compressedBytes)}`);
