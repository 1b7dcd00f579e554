/** `npm run lab`: its list, its help, what it rejects, and the experiments that need no browser, at the size `smoke`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { EXPERIMENTS } from '../../lab/experiments.ts';
import type { LabResult } from '../../lab/result.ts';
import { SCENARIOS } from '../../lab/scenarios/index.ts';
import { BENCH_CATALOGUE, BENCH_NAMES } from '../../scripts/docs/bench-catalogue.ts';
import { labPage } from '../../scripts/docs/lab-page.ts';
import type { PublishedResults } from '../../scripts/docs/result-pages.ts';

const PROJECT_DIR = resolve(import.meta.dirname, '../..');
const NAMES = Object.keys(EXPERIMENTS);
const PUBLISHED_FILES: Record<keyof PublishedResults, true> = {
  'frames.json': true,
  'line.json': true,
  'performance.json': true,
  'proof.json': true,
};
const outDir = mkdtempSync(join(tmpdir(), 'simplesim-lab-'));
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

const run = promisify(execFile);

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const LAB = ['--import', '@oxc-node/core/register', 'lab/run.ts'];

async function lab(...args: string[]): Promise<Ended> {
  try {
    // Without npm, which takes longer than most of these commands.
    const ended = await run(process.execPath, [...LAB, ...args], { cwd: PROJECT_DIR, maxBuffer: 1e8 });
    return { code: 0, ...ended };
  } catch (ended) {
    return ended as Ended;
  }
}

/** Runs an experiment at the size `smoke`. @returns its result and the lines of its standard output */
async function smoke(name: string, ...args: string[]): Promise<{ result: LabResult; lines: string[] }> {
  const { code, stdout, stderr } = await lab(name, ...args, '--size', 'smoke', '--out', outDir);
  expect(code, stderr).toBe(0);
  const result: LabResult = JSON.parse(readFileSync(join(outDir, `${name}-smoke.json`), 'utf8'));
  expect(result).toMatchObject({ name, size: 'smoke', failures: [], machine: expect.stringContaining('Node') });
  expect(Date.parse(result.startedAt)).toBeGreaterThan(0);
  expect(result.durationS).toBeGreaterThan(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual([result.head, ...result.rows].map((cells) => cells.join(' | ')));
  return { result, lines };
}

describe('npm run lab', () => {
  it('lists every experiment with a sentence and its duration', async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'lab'], { cwd: PROJECT_DIR });
    expect((await lab('--help')).stdout).toBe(stdout);
    for (const [name, { about, takes }] of Object.entries(EXPERIMENTS)) {
      expect(stdout.split('\n').find((line) => line.startsWith(`  ${name} `))).toMatch(new RegExp(`${takes}  ${about}$`));
    }
  });

  it('has a page in the manual that is generated from its declarations', async () => {
    const page = readFileSync(join(PROJECT_DIR, 'docs/reference/lab.md'), 'utf8');
    expect(page).toBe(await labPage(EXPERIMENTS));
    const published = [...page.matchAll(/^- Publishes `docs\/reference\/([\w.]+)`/gm)].map(([, file]) => file);
    expect(published.toSorted()).toEqual(Object.keys(PUBLISHED_FILES));
  });

  it.each([
    [['bnch'], 'Unknown experiment bnch. Did you mean bench?'],
    [['bench', 'stp'], 'Unknown scenario stp. Did you mean step?'],
    [['storm', 'flights'], 'Unknown suite flights. Choices: ranges, hands,'],
    [['storm', '--sed', '1'], 'There is no option --sed. Did you mean --seed?'],
    [['storm', '--seed', 'one'], '--seed takes a whole number of at least 1.'],
    [['proof', '--lanes', '17'], '--lanes takes a whole number from 1 to 16.'],
    [['kills', '--size', 'smok'], 'Unknown size smok. Did you mean smoke? Sizes: smoke, full.'],
    [['kills', '1000'], 'The argument "1000" is one too many.'],
  ])('rejects %j with the reason, and exits with 2', async (args, sentence) => {
    const { code, stdout, stderr } = await lab(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  it('has an experiment behind each name', async () => {
    for (const name of NAMES) {
      const { sizes, head } = (await EXPERIMENTS[name]?.load()) ?? {};
      expect(sizes).toEqual(expect.arrayContaining(['smoke', 'full']));
      expect(head?.length).toBeGreaterThan(1);
    }
  });

  it('has every scenario of the benchmark’s catalogue', () => {
    expect(Object.keys(SCENARIOS).toSorted()).toEqual(BENCH_NAMES.toSorted());
    for (const name of BENCH_NAMES) expect(SCENARIOS[name].rounds.smoke).toBeGreaterThan(0);
  });

  it('explains an experiment', async () => {
    const { code, stdout } = await lab('proof', '--help');
    expect(code).toBe(0);
    for (const word of ['races', '--slice N', '--lanes N', '--collect', '--size smoke|nightly|full', '--out DIR'])
      expect(stdout).toContain(word);
  });
});

// The others need a browser or a platform. `.github/workflows/nightly.yml` runs all of bench at this size each night.
// Separate tests run frames, line and the parts of the proof.
describe('at the size smoke', () => {
  it('bench measures every row of a scenario', async () => {
    const names = ['step', 'headless', 'ticks', 'planner'] as const;
    const { result, lines } = await smoke('bench', ...names);
    const wanted = names.flatMap((name) => Object.values(BENCH_CATALOGUE[name]).map(({ ours }) => `\`${name}\` | ${ours}`));
    expect(result.rows.map(([name, ours]) => `${name} | ${ours}`)).toEqual(wanted);
    for (const line of lines) expect(line).not.toMatch(/NaN|Infinity|not run/);
  }, 600_000);

  it('storm judges the seeds of a suite', async () => {
    const { result } = await smoke('storm', 'once');
    expect(result.rows.map(([suite, , , cases]) => [suite, Number(cases) > 0])).toEqual([['once', true]]);
  }, 600_000);

  it('storm judges one seed alone', async () => {
    const { result } = await smoke('storm', 'once', '--seed', '17');
    expect(result.asked).toEqual({ names: ['once'], values: { seed: 17 } });
    expect(result.rows[0]).toContain('17');
  }, 600_000);

  it('proof judges a part', async () => {
    const { result } = await smoke('proof', 'envelopes');
    expect(result.rows[0]?.slice(0, 2)).toEqual(['envelopes', '10000 envelopes']);
  }, 600_000);

  it('kills loses nothing', async () => {
    const { result } = await smoke('kills', '--count', '2', '--seed', '1');
    expect(result.rows).toContainEqual(['lost or wrong', '0']);
  }, 600_000);
});
