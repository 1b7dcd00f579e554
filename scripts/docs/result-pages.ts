/** The pages of the manual that are made of results, and the files in docs/ that keep these results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchResults } from './bench-catalogue.ts';
import type { FramesResult } from './frames-catalogue.ts';
import type { LineResults } from './line-catalogue.ts';
import { performancePage } from './performance-page.ts';
import type { ProofResults } from './proof-catalogue.ts';
import { proofPage } from './proof-page.ts';

export const DOCS_DIR = join(import.meta.dirname, '../../docs');

/** Published results, by the file in docs/ that keeps them. */
export interface PublishedResults {
  'performance.json': BenchResults;
  'frames.json': FramesResult;
  'line.json': LineResults;
  'proof.json': ProofResults;
}

export const readPublished = <File extends keyof PublishedResults>(file: File): PublishedResults[File] =>
  JSON.parse(readFileSync(join(DOCS_DIR, file), 'utf8'));

/** Returns the text of each page, by its name. */
export const resultPages = (): Record<'performance.md' | 'proof.md', string> => ({
  'performance.md': performancePage(readPublished('performance.json'), readPublished('frames.json'), readPublished('line.json')),
  'proof.md': proofPage(readPublished('proof.json')),
});
