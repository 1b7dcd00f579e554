import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shownLine } from '../../common/shown-text.ts';
import type { EndPictures } from './end-pictures.ts';
import { junitXml } from './junit.ts';
import { outputTail } from './output-tail.ts';
import { type ReportedRun, type ReportPictures, reportHtml, runsToDraw } from './report-html.ts';
import { type RunRecord, runName } from './run-record.ts';
import type { Comparison, Summary } from './summary.ts';
import type { FinishedRun } from './watched-run.ts';

/** The folder of an evaluation. */
export interface ResultsFolder {
  /** Writes what one run has become, at once: an evaluation that is ended keeps what it has. */
  add(finished: FinishedRun, drawn?: EndPictures | null): Promise<void>;
  readonly runs: readonly ReportedRun[];
  /** Writes summary, JUnit and report. */
  close(summary: Summary, comparisons: readonly Comparison[]): Promise<void>;
  /** The path of a file in it. */
  path(file: string): string;
}

/**
 * Takes a folder for an evaluation: one that is not there yet, or is empty.
 * @throws Error with what to do when it cannot be made or written; and when something is in it, so that two evaluations never mix. Nothing
 * is left behind then
 */
export async function openResults(dir: string): Promise<ResultsFolder> {
  const results = join(dir, 'results.jsonl');
  await takeFolder(dir, results);
  const runs: ReportedRun[] = [];
  const write = async (name: string, content: string | Uint8Array): Promise<void> => {
    const path = join(dir, name);
    await writeFile(`${path}.half`, content);
    await rename(`${path}.half`, path);
  };
  return {
    runs,
    path: (file) => join(dir, file),
    async add({ record, proof, drawing }, drawn = null) {
      if (drawn?.ok) {
        await mkdir(join(dir, 'pictures'), { recursive: true });
        const [start, end] = ['start', 'end'].map((which) => `pictures/${runName(record)}-${which}.jpg`) as [string, string];
        await write(start, drawn.start);
        await write(end, drawn.end);
        record.pictures = { start_file: start, end_file: end };
      } else if (drawn !== null) record.no_pictures = drawn.reason;
      if (proof !== null && record.proof_file !== null) await write(record.proof_file, proof);
      await appendFile(results, `${JSON.stringify(record)}\n`);
      runs.push({ record, drawing });
    },
    async close(summary, comparisons) {
      await write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
      const tails = new Map<RunRecord, string>();
      for (const { record } of runs)
        if (record.outcome !== 'passed' && record.output_file !== null)
          tails.set(record, await outputTail(join(dir, record.output_file)));
      const files = { tailOf: (record: RunRecord) => tails.get(record) ?? '', pathOf: (file: string) => join(dir, file) };
      await write(
        'junit.xml',
        junitXml(
          runs.map(({ record }) => record),
          files,
        ),
      );
      const pictures: ReportPictures = new Map();
      for (const { record } of runsToDraw(runs)) {
        if (record.pictures === null) continue;
        const { start_file: start, end_file: end } = record.pictures;
        pictures.set(record, { start: await readFile(join(dir, start)), end: await readFile(join(dir, end)) });
      }
      await write('report.html', reportHtml(summary, runs, comparisons, pictures));
    },
  };
}

async function takeFolder(dir: string, results: string): Promise<void> {
  const undo: string[] = [];
  try {
    // Of folders that were made on the way to it, the first.
    const made = await mkdir(dir, { recursive: true });
    if (made !== undefined) undo.push(made);
    const present = await readdir(dir);
    if (present.length > 0)
      throw new Error(`The folder ${shownLine(dir)} is not empty. Name another one with --out, or empty it.`);
    // Made exclusively: of two that begin at the same moment, one fails.
    await writeFile(results, '', { flag: 'wx' });
    undo.push(results);
    await mkdir(join(dir, 'proofs'));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
    const isAnothers = code === 'EEXIST' && thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'open';
    if (isAnothers)
      throw new Error(
        `The folder ${shownLine(dir)} is not empty: another evaluation has just taken it. Name another one with --out.`,
      );
    for (const path of undo.reverse()) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    if (code === null) throw thrown;
    throw new Error(
      `The folder ${shownLine(dir)} cannot be used for the results (${code}): ${WHY_NOT[code] ?? 'the system refuses it'}. Name another one with --out.`,
    );
  }
}

/** Reasons that keep a folder from being made or written, by the code of the system. */
const WHY_NOT: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name',
  ENOTDIR: 'a part of the path is a file',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'your quota of the disk is used up; free some space',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  ENOENT: 'the path leads nowhere',
};
