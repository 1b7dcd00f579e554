import { appendFile, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junitXml } from './junit.ts';
import { type ReportedRun, reportHtml } from './report-html.ts';
import type { Change, Summary } from './summary.ts';
import type { FinishedRun } from './watched-run.ts';

/** The folder of an evaluation. */
export interface ResultsFolder {
  /** Writes what one run has become, at once: an evaluation that is ended keeps what it has. */
  add(finished: FinishedRun): Promise<void>;
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
  const write = async (name: string, text: string): Promise<void> => {
    const path = join(dir, name);
    await writeFile(`${path}.half`, text);
    await rename(`${path}.half`, path);
  };
  return {
    runs,
    path: (file) => join(dir, file),
    async add({ record, proof, drawing }) {
      if (proof !== null && record.proof_file !== null) await write(record.proof_file, proof);
      await appendFile(results, `${JSON.stringify(record)}\n`);
      runs.push({ record, drawing });
    },
    async close(summary, changes) {
      await write('summary.json', `${JSON.stringify(summary, null, 2)}\n`);
      await write('junit.xml', junitXml(runs.map(({ record }) => record)));
      await write('report.html', reportHtml(summary, runs, changes));
    },
  };
}
