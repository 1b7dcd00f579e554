/**
 * Builds the viewer into the given folder, reports the result, and exits: the bundler takes a gigabyte, which a process keeps.
 */
import { stripVTControlCharacters } from 'node:util';
import { build } from 'vite';
import { PROJECT_DIR } from './installation.ts';
import type { BuildOutcome } from './viewer-build.ts';

// The parent has stopped waiting for it.
process.on('disconnect', () => process.exit(1));
const [outDir = ''] = process.argv.slice(2);
const trouble = await build({ root: PROJECT_DIR, logLevel: 'error', build: { outDir, emptyOutDir: true } }).then(
  () => null,
  (error: unknown) => stripVTControlCharacters(error instanceof Error ? error.message : String(error)),
);
process.send?.({ trouble } satisfies BuildOutcome, () => process.exit(0));
