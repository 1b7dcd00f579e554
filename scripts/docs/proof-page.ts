import { SIM_PROTOCOL } from '../../src/simulation/sim-protocol.ts';
import { code, markdownTable } from './markdown.ts';
import {
  PROOF_CATALOGUE,
  PROOF_NAMES,
  PROOF_SIZES,
  type ProofName,
  type ProofResults,
  type ProofRun,
} from './proof-catalogue.ts';

const count = (value: number): string => value.toLocaleString('en-GB');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

/** The run that tells most: the one that did most units. */
export function bestRun(runs: Partial<Record<string, ProofRun>> | undefined): ProofRun | null {
  return Object.values(runs ?? {}).reduce<ProofRun | null>(
    (best, run) => (run && (!best || run.done > best.done) ? run : best),
    null,
  );
}

function sizeOf(name: ProofName, run: ProofRun | null): string {
  const { unit, sizes } = PROOF_CATALOGUE[name];
  if (!run) return `**not run**; full size is ${count(sizes.full)} ${unit}`;
  if (run.done >= sizes.full) return `${count(run.done)} ${unit}, full size`;
  return `${count(run.done)} ${unit}; **not run at full size** (${count(sizes.full)})`;
}

const timesOf = (run: ProofRun): string =>
  Object.entries(run.times)
    .map(([name, { median, p95, max }]) => `${name}: ${seconds(median)}, ${seconds(p95)}, ${seconds(max)}`)
    .join('; ');

const duration = (tookS: number): string => (tookS < 120 ? `${tookS.toFixed(0)} s` : `${(tookS / 60).toFixed(0)} min`);

const loadOf = ({ load }: ProofRun): string => (load ? `, load ${load.median.toFixed(0)} (up to ${load.max.toFixed(0)})` : '');

/** Marks a run that judged another behaviour of the simulation than the present one. */
const behaviourOf = ({ simProtocol }: ProofRun): string =>
  simProtocol === SIM_PROTOCOL ? '' : ` (**SIM_PROTOCOL ${simProtocol}**)`;

function row(name: ProofName, run: ProofRun | null): string[] {
  const { promised } = PROOF_CATALOGUE[name];
  return [
    code(name),
    promised,
    sizeOf(name, run),
    run ? count(run.cases) : '',
    run ? count(run.failureCount) : '',
    run ? timesOf(run) : '',
    run?.measured ?? '',
    run ? `${run.date}, \`${run.commit}\`${behaviourOf(run)}, ${duration(run.tookS)}${loadOf(run)}` : '',
  ];
}

/** The parts of the page of guarantees about tests at scale, from the published results. */
export function proofPart(results: ProofResults): string {
  const head = [
    'part',
    'guarantee',
    'size',
    'cases',
    'failures',
    'times (median, 95 %, max)',
    'measured',
    'date, commit, duration',
  ];
  const runs = PROOF_NAMES.map((name) => [name, bestRun(results[name])] as const);
  const machines = [...new Set(runs.flatMap(([, run]) => (run ? [run.machine] : [])))];
  const failures = runs.flatMap(([name, run]) => (run && run.failureCount > 0 ? [failuresOf(name, run)] : []));
  const sizeRows = PROOF_NAMES.map((name) => {
    const { judged, unit, sizes } = PROOF_CATALOGUE[name];
    return [code(name), judged, ...PROOF_SIZES.map((size) => count(sizes[size])), unit];
  });
  return `## At which scale was it tested?

\`npm run lab -- proof\` tests each guarantee many times ([lab.md](lab.md)). A part that was not run at full size is marked. So is a part
that was run with another \`SIM_PROTOCOL\`: it tested an earlier behaviour of the simulation. The present number is ${SIM_PROTOCOL}.
${machines.length > 0 ? `Machine: ${machines.join('; ')}. Other programs used it at the same time, so times are upper bounds. \`load\` is the number of processes that wanted a core.\n` : ''}
${markdownTable(
  head,
  runs.map(([name, run]) => row(name, run)),
)}
${failures.length > 0 ? `\n### Failures\n\n${failures.join('\n\n')}\n` : ''}
### How each part is tested

${markdownTable(['part', 'test', ...PROOF_SIZES, ''], sizeRows)}
`;
}

function failuresOf(name: ProofName, run: ProofRun): string {
  const shown = run.failures.map((failure) => `- ${failure.split('\n')[0]}`);
  const more = run.failureCount - shown.length;
  return `**${name}**\n\n${[...shown, ...(more > 0 ? [`- and ${count(more)} more`] : [])].join('\n')}${run.remark ? `\n\n${run.remark}` : ''}`;
}
