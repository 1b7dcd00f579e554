/** The pages of the manual that are generated from results, and the files next to them that store these results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchResults } from './bench-catalogue.ts';
import type { FramesResult } from './frames-catalogue.ts';
import { measuredPage } from './measured-page.ts';
import type { NetworkResults } from './network-catalogue.ts';
import { REFERENCE_DIR } from './pages.ts';
import type { ProofResults } from './proof-catalogue.ts';

export const REFERENCE_PATH = join(import.meta.dirname, '../..', REFERENCE_DIR);

/** Published results, by their file in `docs/reference`. */
export interface PublishedResults {
  'performance.json': BenchResults;
  'frames.json': FramesResult;
  'line.json': NetworkResults;
  'proof.json': ProofResults;
}

export const readPublished = <File extends keyof PublishedResults>(file: File): PublishedResults[File] =>
  JSON.parse(readFileSync(join(REFERENCE_PATH, file), 'utf8'));

/** Returns the text of each page that is generated from results, by its name. */
export const resultPages = (): Record<'measured.md', string> => ({
  'measured.md': measuredPage(
    readPublished('proof.json'),
    readPublished('performance.json'),
    readPublished('frames.json'),
    readPublished('line.json'),
  ),
});
