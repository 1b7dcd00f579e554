import { join } from 'node:path';
import {
  PROOF_CATALOGUE,
  PROOF_NAMES,
  PROOF_SIZES,
  type ProofName,
  type ProofRun,
  type ProofSize,
} from '../../scripts/docs/proof-catalogue.ts';
import type { Asked, Experiment, Report } from '../experiment.ts';
import { loadPart } from '../proof/parts.ts';
import { runSlice, runSlices } from '../proof/slices.ts';
import { openSlices, readSlices, runOf } from '../proof/store.ts';

/** Each lane starts its own servers. */
const LANES_MAX = 16;
const PROGRESS_EVERY_MS = 10_000;

const OPTIONS = {
  slice: { takes: 'number', about: 'runs only this slice, to reproduce a failure; publishes nothing' },
  lanes: { takes: 'number', max: LANES_MAX, about: 'number of parallel slices, useful for a part that mostly waits; default: 1' },
  collect: { takes: 'nothing', about: 'runs nothing, and publishes the results so far of interrupted runs' },
} as const;

/** The promises, judged at volume. An interrupted run resumes. */
export const proof: Experiment<typeof OPTIONS, ProofSize> = {
  sizes: PROOF_SIZES,
  choices: { noun: 'part', names: PROOF_NAMES },
  options: OPTIONS,
  head: ['part', 'done', 'cases', 'failures', 'took', 'times: median, 95 %, max', 'measured'],
  async run(asked, report) {
    const { slice, collect } = asked.values;
    const chosen = PROOF_NAMES.filter((name) => asked.names.length === 0 || asked.names.includes(name));
    const figures: Partial<Record<ProofName, unknown>> = {};
    const isStopped = stopAfterSlice(report);
    for (const name of chosen) {
      if (collect) figures[name] = await collected(name, asked, report);
      else if (slice !== undefined) figures[name] = await oneSlice(name, slice, asked, report);
      else if (!isStopped()) figures[name] = await prove(name, asked, isStopped, report);
    }
    return figures;
  },
};

const storeOf = ({ outDir }: Asked): string => join(outDir, 'proof');

/** Lets Ctrl-C end a run after the current slice. @returns whether that was requested */
function stopAfterSlice({ say }: Report): () => boolean {
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopped) process.exit(1);
      isStopped = true;
      say('Ends after the current slice. Press Ctrl-C again to end at once.');
    });
  }
  return () => isStopped;
}

async function prove(
  name: ProofName,
  asked: Asked<typeof OPTIONS, ProofSize>,
  stopped: () => boolean,
  report: Report,
): Promise<ProofRun> {
  const { size } = asked;
  const part = await loadPart(name);
  const { unit, sizes, promised } = PROOF_CATALOGUE[name];
  report.say(`${name}: ${promised}`);
  const file = openSlices(storeOf(asked), name, size);
  let saidAtMs = 0;
  await runSlices({
    part,
    size,
    file,
    lanes: part.isOneBench ? 1 : (asked.values.lanes ?? 1),
    stopped,
    onSlice(slice, done) {
      for (const failure of slice.failures) report.say(failure);
      const isDue = performance.now() - saidAtMs > PROGRESS_EVERY_MS || done >= sizes[size];
      if (!isDue) return;
      saidAtMs = performance.now();
      report.say(`${name}: ${done.toLocaleString('en-GB')} of ${sizes[size].toLocaleString('en-GB')} ${unit}`);
    },
  });
  return kept(name, runOf(part, size, file.head, file.slices), report);
}

/** Reports and publishes a run. It replaces the published run of the same part and size. */
function kept(name: ProofName, run: ProofRun, { row, fail, publish }: Report): ProofRun {
  for (const failure of run.failures) fail(failure);
  if (run.failureCount > run.failures.length) fail(`${name}: and ${run.failureCount - run.failures.length} more`);
  publish('proof.json', (results) => ({ ...results, [name]: { ...results[name], [run.size]: run } }));
  const times = Object.entries(run.times).map(
    ([what, { median, p95, max }]) => `${what}: ${median.toFixed(0)}, ${p95.toFixed(0)}, ${max.toFixed(0)} ms`,
  );
  const { unit } = PROOF_CATALOGUE[name];
  row(name, `${run.done} ${unit}`, run.cases, run.failureCount, `${run.tookS} s`, times.join('; '), run.measured);
  return run;
}

async function oneSlice(
  name: ProofName,
  slice: number,
  { size }: Asked<typeof OPTIONS, ProofSize>,
  { row, fail }: Report,
): Promise<unknown> {
  const part = await loadPart(name);
  const bench = await part.open(size);
  const { stored } = await runSlice(part, bench, slice);
  await bench.close();
  for (const failure of stored.failures) fail(failure);
  const { unit } = PROOF_CATALOGUE[name];
  const cases = stored.cases ?? stored.done;
  row(name, `${stored.done} ${unit}`, cases, stored.failures.length, `${stored.tookS.toFixed(0)} s`, '', '');
  return stored;
}

/** Publishes the stored results of each size that may be published. */
async function collected(name: ProofName, asked: Asked, report: Report): Promise<ProofRun[]> {
  const part = await loadPart(name);
  return PROOF_SIZES.filter((size) => size !== 'smoke').flatMap((size) => {
    const found = readSlices(storeOf(asked), name, size);
    return found && found.slices.length > 0 ? [kept(name, runOf(part, size, found.head, found.slices), report)] : [];
  });
}
