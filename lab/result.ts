/** What an experiment leaves: one file of one shape, and what is published of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { REFERENCE_DIR } from '../scripts/docs/pages.ts';
import { type PublishedResults, REFERENCE_PATH, readPublished, resultPages } from '../scripts/docs/result-pages.ts';
import type { Asked, Size } from './experiment.ts';

export const PROJECT_DIR = resolve(import.meta.dirname, '..');
export const LAB_DIR = join(PROJECT_DIR, '.cache/lab');

/** The result of an experiment, as its file has it. */
export interface LabResult {
  name: string;
  size: Size;
  asked: Pick<Asked, 'names' | 'values'>;
  commit: string;
  machine: string;
  startedAt: string;
  durationS: number;
  /** Processes that wanted a core when it began and when it ended, over a minute. */
  load: [number, number];
  /** What the cells of the rows are. */
  head: readonly string[];
  rows: string[][];
  /** The same and more as data, in a shape of its own for each experiment. */
  figures: unknown;
  /** What failed; empty if everything is good. */
  failures: string[];
}

/** The files that runs write: they may change while one continues. */
const PUBLISHED = ['proof.json', 'performance.json', 'frames.json', 'line.json', 'measured.md'];

/** The short hash of what is checked out, with a plus when files differ from it. */
export function currentCommit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: PROJECT_DIR, encoding: 'utf8' }).trim();
  const changed = git(
    'status',
    '--porcelain',
    '--untracked-files=no',
    '--',
    ...PUBLISHED.map((file) => `:!${REFERENCE_DIR}/${file}`),
  );
  return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
}

/** Describes the machine, without the names of host or user. */
export const thisMachine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}`;

/** Processes that want a core, over a minute. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** The day, UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Writes the file of a result, in place of the one of the same experiment and size. @returns its path */
export function keepResult(outDir: string, result: LabResult): string {
  mkdirSync(outDir, { recursive: true });
  const path = join(outDir, `${result.name}-${result.size}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

/** Changes published results, and writes the pages that are made of them. */
export function publish<File extends keyof PublishedResults>(
  file: File,
  change: (kept: PublishedResults[File]) => PublishedResults[File],
): void {
  writeFileSync(join(REFERENCE_PATH, file), `${JSON.stringify(change(readPublished(file)), null, 2)}\n`);
  for (const [page, text] of Object.entries(resultPages())) writeFileSync(join(REFERENCE_PATH, page), text);
}
