/** The results of experiments: one file format, and what is published of them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { REFERENCE_DIR } from '../scripts/docs/pages.ts';
import { type PublishedResults, REFERENCE_PATH, readPublished, resultPages } from '../scripts/docs/result-pages.ts';
import type { Asked, Size } from './experiment.ts';

export const PROJECT_DIR = resolve(import.meta.dirname, '..');
export const LAB_DIR = join(PROJECT_DIR, '.cache/lab');

/** The result of an experiment, as stored in its file. */
export interface LabResult {
  name: string;
  size: Size;
  asked: Pick<Asked, 'names' | 'values'>;
  commit: string;
  machine: string;
  startedAt: string;
  durationS: number;
  /** The load average over a minute, when it began and when it ended. */
  load: [number, number];
  /** The column names of the rows. */
  head: readonly string[];
  rows: string[][];
  /** The same and more as data, whose shape depends on the experiment. */
  figures: unknown;
  /** Sentences about failures; empty if everything is good. */
  failures: string[];
}

/** The files that runs write, which may change during a run. */
const PUBLISHED = ['proof.json', 'performance.json', 'frames.json', 'line.json', 'measured.md'];

/** Returns the short hash of the checked-out commit, with a plus if files differ from it. */
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

/** Returns the load average over a minute: processes that want a core. */
export const loadNow = (): number => loadavg()[0] ?? 0;

/** Returns the date in UTC. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** Writes the file of a result, which replaces that of the same experiment and size. @returns its path */
export function keepResult(outDir: string, result: LabResult): string {
  mkdirSync(outDir, { recursive: true });
  const path = join(outDir, `${result.name}-${result.size}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

/** Changes published results, and writes the pages generated from them. */
export function publish<File extends keyof PublishedResults>(
  file: File,
  change: (kept: PublishedResults[File]) => PublishedResults[File],
): void {
  writeFileSync(join(REFERENCE_PATH, file), `${JSON.stringify(change(readPublished(file)), null, 2)}\n`);
  for (const [page, text] of Object.entries(resultPages())) writeFileSync(join(REFERENCE_PATH, page), text);
}
