import { appendFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndPictures } from './end-pictures.ts';
import { junitXml } from './junit.ts';
import { type ReportedRun, type ReportPictures, reportHtml, runsToDraw } from './report-html.ts';
import { runName } from './run-record.ts';
import type { Change, Summary } from './summary.ts';
import type { FinishedRun } from './watched-run.ts';

/** The folder of an evaluation. */
export interface ResultsFolder {
  /** Writes what one run has become, at once: an evaluation that is ended keeps what it has. */
  add(finished: FinishedRun, drawn?: EndPictures | null): Promise<void>;
  readonly runs: readonly ReportedRun[];
  /** Writes summary, JUnit and report. */
  close(summary: Summary, changes: readonly Change[]): Promise<void>;
  /** The path of a file in it. */
  path(file: string): string;
}

/**
 * Takes a folder for an evaluation: one that is not there yet, or is empty.
 * @throws Error when something is in it, so that two evaluations never mix
 */
export async function openResults(dir: string): Promise<ResultsFolder> {
  await mkdir(dir, { recursive: true });
  const present = await readdir(dir);
  if (present.length > 0) throw new Error(`The folder ${dir} is not empty. Name another one with --out, or empty it.`);
  const results = join(dir, 'results.jsonl');
  // Made exclusively: of two that begin at the same moment, one is told.
  await writeFile(results, '', { flag: 'wx' });
  await mkdir(join(dir, 'proofs'));
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
    async close(summary, changes) {
      await write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
      await write('junit.xml', junitXml(runs.map(({ record }) => record)));
      const pictures: ReportPictures = new Map();
      for (const { record } of runsToDraw(runs)) {
        if (record.pictures === null) continue;
        const { start_file: start, end_file: end } = record.pictures;
        pictures.set(record, { start: await readFile(join(dir, start)), end: await readFile(join(dir, end)) });
      }
      await write('report.html', reportHtml(summary, runs, changes, pictures));
    },
  };
}
