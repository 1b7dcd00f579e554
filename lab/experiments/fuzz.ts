import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment } from '../experiment.ts';
import { PROJECT_DIR } from '../result.ts';

const OPTIONS = {
  examples: { takes: 'number', about: 'requests per operation in each phase; default: 20 (nightly) or 100 (full)' },
  seed: { takes: 'number', about: 'seed of the random requests; default: a new one for each run' },
} as const;

/** At the size `smoke` the fuzzer runs as in `npm test`, without random requests. */
const EXAMPLES = { smoke: null, nightly: 20, full: 100 } as const;

/** Vitest's report about the tests of a run. */
interface VitestReport {
  testResults: {
    message: string;
    assertionResults: {
      fullName: string;
      status: string;
      duration?: number;
      meta: { cases?: number };
      failureMessages: string[];
    }[];
  }[];
}

/** Runs the tests of `tests/fuzz` with any number of random requests: both faces on both databases, and then a single robot. */
export const fuzz: Experiment<typeof OPTIONS, keyof typeof EXAMPLES> = {
  sizes: ['smoke', 'nightly', 'full'],
  options: OPTIONS,
  head: ['test', 'status', 'cases', 'took'],
  async run({ size, values }, { say, row, fail }) {
    const examples = values.examples ?? EXAMPLES[size];
    const seed = values.seed ?? Math.floor(Date.now() / 1_000);
    const long = examples === null ? {} : { SIMPLESIM_FUZZ_EXAMPLES: `${examples}`, SIMPLESIM_FUZZ_SEED: `${seed}` };
    if (examples !== null) say(`${examples} examples, seed ${seed}`);
    const folder = mkdtempSync(join(tmpdir(), 'simplesim-fuzz-'));
    try {
      const file = join(folder, 'report.json');
      const args = ['vitest', 'run', 'tests/fuzz', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
      const code = await new Promise((resolve, reject) => {
        // Its output counts as progress.
        const child = spawn('npx', args, { cwd: PROJECT_DIR, env: { ...process.env, ...long }, stdio: ['ignore', 2, 2] });
        child.once('error', reject);
        child.once('close', resolve);
      });
      const { testResults }: VitestReport = JSON.parse(readFileSync(file, 'utf8'));
      const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
      for (const { fullName, status, meta, duration = 0, failureMessages } of tests) {
        row(fullName, status, meta.cases ?? '', `${(duration / 1_000).toFixed(0)} s`);
        for (const message of failureMessages) fail(`${fullName}, seed ${seed}: ${message}`);
      }
      for (const { message } of testResults) if (message !== '') fail(message);
      if (code !== 0 && tests.every(({ status }) => status === 'passed')) fail(`vitest ended with ${code}`);
      return { examples, seed };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
