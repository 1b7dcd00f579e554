import { startReplaySite } from '../../tests/e2e/support/replay-site.ts';
import { compareInPage } from '../../tests/e2e/support/tasks-in-page.ts';
import { evals } from '../../tests/promises/evals.ts';
import type { Samples } from '../../tests/promises/suite.ts';
import { luckOf, oneTaskSuites } from '../../tests/promises/tasks.ts';
import { runOnAllCores } from '../storm/on-all-cores.ts';
import { launchBrowser } from './browser.ts';
import { namesOf, type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** The content of a slice in addition to its task: seeds for evaluations, and how much runs in Chromium. */
const EVAL_SEEDS = 3;
/** Proofs of the evaluations of a slice: each seed has its own and that of the reference run. */
export const PROOFS_BESIDE = 2 * EVAL_SEEDS;
const PAGE_PROOFS = 3;
const PAGE_WORLD_SEEDS = 2;
/** Seeds of evaluations for Chromium, distinct from those of the suite. */
const PAGE_SEEDS_FROM = 10_000;

/** Returns the seeds of a slice: this many, numbered consecutively from slice to slice. */
const seedsOf = (slice: number, count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => from + (slice - 1) * count + at + 1);

/**
 * A slice is one task in twenty worlds and some evaluations, on all cores. Evaluations and worlds are also repeated in Chromium.
 */
export const tasksPart: ProofPart = {
  name: 'tasks',
  // A single slice uses all cores.
  isOneBench: true,
  async open(size) {
    const [site, browser] = await Promise.all([startReplaySite(), launchBrowser()]);
    const page = await browser.newPage();
    const say = (line: string): void => void process.stderr.write(`${line}\n`);
    return {
      async run(slice) {
        const suite = oneTaskSuites[slice - 1];
        if (!suite) throw new RangeError(`There are ${oneTaskSuites.length} tasks.`);
        const tasks = await runOnAllCores(suite, size === 'full' ? 'full' : 'smoke', say);
        const evaluations = await runOnAllCores(evals, 'full', say, seedsOf(slice, EVAL_SEEDS));
        const inPage = await compareInPage(site, page, {
          proofSeeds: seedsOf(slice, PAGE_PROOFS, PAGE_SEEDS_FROM),
          worldSeeds: seedsOf(slice, PAGE_WORLD_SEEDS),
        });
        const proofs = tasks.cases + (evaluations.samples.proofs ?? []).reduce((sum, count) => sum + count, 0);
        return {
          done: proofs,
          cases: tasks.cases + evaluations.cases + inPage.proofs + inPage.worlds,
          failures: [...tasks.failures.map((what) => `${suite.title}, ${what}`), ...evaluations.failures, ...inPage.failures],
          samples: {
            ...tasks.samples,
            taskRuns: [tasks.cases],
            evaluations: [evaluations.cases],
            referenceDigest: evaluations.samples.referenceDigest ?? [],
            pageProofs: [inPage.proofs],
            pageWorlds: [inPage.worlds],
          },
        };
      },
      async close() {
        await browser.close();
        await site.stop();
      },
    };
  },
  measured(outcomes) {
    const samples = samplesOf(outcomes);
    const sum = (name: string): string => (samples[name] ?? []).reduce((total, one) => total + one, 0).toLocaleString('en-GB');
    const luck = luckOf(samples).sort((a, b) => b.rate - a.rate);
    const mean = luck.reduce((total, { rate }) => total + rate, 0) / Math.max(1, luck.length);
    const percent = (rate: number): string => `${Math.round(100 * rate)} %`;
    const speeds = samples.verifiedTimesRealTime ?? [];
    const speed = speeds.reduce((total, one) => total + one, 0) / Math.max(1, speeds.length);
    const luckiest = luck.slice(0, 3).map(({ task, rate }) => `${task} ${percent(rate)}`);
    return `${sum('taskRuns')} runs of ${luck.length} tasks by the planner; ${sum('evaluations')} evaluations, repeated bit by bit; each proof also with a changed byte; ${sum('pageProofs')} proofs verified and ${sum('pageWorlds')} worlds made in Chromium; a blind agent reaches the goal in ${percent(mean)} of the worlds, most often of ${luckiest.join(', ')}; proofs of at most ${Math.max(0, ...(samples.proofBytes ?? [])).toLocaleString('en-GB')} bytes, verified ${speed.toFixed(0)} times faster than real time`;
  },
  // Between the processes of different slices.
  verdict: (outcomes) => evals.verdict?.(samplesOf(outcomes)) ?? [],
};

const samplesOf = (outcomes: readonly SliceOutcome[]): Samples =>
  Object.fromEntries(namesOf(outcomes, 'samples').map((name) => [name, valuesOf(outcomes, 'samples', name)]));
