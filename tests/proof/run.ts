/**
 * `npm run proof [-- part …] [--size smoke|nightly|full]`: what is promised, judged at volume; results go into docs/proof.json and docs/proof.md.
 *
 *   npm run proof                          every part at full size
 *   npm run proof -- races --size nightly  one part, as at night
 *   npm run proof -- races --slice 17      one slice: what a failure is looked into with; writes nothing
 *   npm run proof -- --collect             writes down what runs that were cut have so far
 *   npm run proof -- faults --lanes 4      four slices at a time, for a part that mostly waits
 *   … --store DIR                          where slices are stored, in place of .cache/proof
 *
 * Ctrl-C ends it after the slice under way; the same command goes on there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROOF_CATALOGUE, PROOF_NAMES, PROOF_SIZES, type ProofName, type ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { PROOF_NOTE, proofPage } from '../../scripts/docs/proof-page.ts';
import { PROOF_PARTS } from './parts.ts';
import { runSlice, runSlices } from './slices.ts';
import { DEFAULT_STORE, keepRun, openSlices, PROJECT_DIR, readResults, readSlices, runOf } from './store.ts';

const { values, positionals } = parseArgs({
  options: {
    size: { type: 'string', default: 'full' },
    slice: { type: 'string' },
    lanes: { type: 'string', default: '1' },
    collect: { type: 'boolean' },
    store: { type: 'string', default: DEFAULT_STORE },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
});
/** More benches than this are more servers than a machine has patience for. */
const LANES_MAX = 16;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const size = PROOF_SIZES.find((name) => name === values.size);
const unknown = positionals.filter((name) => !(PROOF_NAMES as readonly string[]).includes(name));
const lanes = Number(values.lanes);
const areLanesFine = Number.isInteger(lanes) && lanes >= 1 && lanes <= LANES_MAX;
if (values.help || unknown.length > 0 || !size || !areLanesFine) {
  if (unknown.length > 0) say(`There is no part ${unknown.join(', ')}.`);
  if (!areLanesFine) say(`--lanes takes a whole number from 1 to ${LANES_MAX}.`);
  say(
    `npm run proof [-- part …] [--size ${PROOF_SIZES.join('|')}] [--slice N] [--lanes N] [--collect] [--store DIR]\nParts: ${PROOF_NAMES.join(', ')}`,
  );
  process.exit(values.help ? 0 : 2);
}
const chosen = positionals.length === 0 ? PROOF_NAMES : (positionals as ProofName[]);

let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopped) process.exit(1);
    stopped = true;
    say('Ends after the slice under way; once more ends at once.');
  });
}

let failures = 0;
if (values.collect) for (const name of chosen) await collect(name);
else if (values.slice !== undefined) for (const name of chosen) await oneSlice(name, Number(values.slice), size);
else for (const name of chosen) if (!stopped) await prove(name, size);
if (size !== 'smoke' || values.collect) writeFileSync(join(PROJECT_DIR, 'docs/proof.md'), proofPage(PROOF_NOTE, readResults()));
process.exit(failures === 0 ? 0 : 1);

async function prove(name: ProofName, wanted: ProofSize): Promise<void> {
  const part = await PROOF_PARTS[name]();
  const { unit, sizes, promised } = PROOF_CATALOGUE[name];
  say(`${name}: ${promised}`);
  const file = openSlices(values.store, name, wanted);
  let toldAtMs = 0;
  await runSlices({
    part,
    size: wanted,
    file,
    lanes: part.isOneBench ? 1 : lanes,
    stopped: () => stopped,
    onSlice(slice, done) {
      for (const failure of slice.failures) say(failure);
      const isDue = performance.now() - toldAtMs > 10_000 || done >= sizes[wanted];
      if (!isDue) return;
      toldAtMs = performance.now();
      say(`${name}: ${done.toLocaleString('en-GB')} of ${sizes[wanted].toLocaleString('en-GB')} ${unit}`);
    },
  });
  const run = runOf(part, wanted, file.head, file.slices);
  if (wanted !== 'smoke') keepRun(name, run);
  failures += run.failureCount;
  process.stdout.write(
    `${name}: ${run.done} ${unit}, ${run.cases} cases, ${run.failureCount} failures in ${run.tookS} s. ${run.measured}\n`,
  );
  for (const [what, { median, p95, max }] of Object.entries(run.times)) {
    process.stdout.write(`  ${what}: median ${median.toFixed(0)} ms, 95 % ${p95.toFixed(0)} ms, max ${max.toFixed(0)} ms\n`);
  }
}

async function oneSlice(name: ProofName, slice: number, at: ProofSize): Promise<void> {
  const part = await PROOF_PARTS[name]();
  const bench = await part.open(at);
  const { stored } = await runSlice(part, bench, slice);
  process.stdout.write(`${JSON.stringify(stored, null, 2)}\n`);
  failures += stored.failures.length;
  await bench.close();
}

async function collect(name: ProofName): Promise<void> {
  const part = await PROOF_PARTS[name]();
  for (const kept of PROOF_SIZES.filter((each) => each !== 'smoke')) {
    const found = readSlices(values.store, name, kept);
    if (found && found.slices.length > 0) keepRun(name, runOf(part, kept, found.head, found.slices));
  }
}
