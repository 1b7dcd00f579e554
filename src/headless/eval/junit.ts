import { REPLAY_PAGE } from '../../protocol/service/replay-page.ts';
import type { RunRecord } from './run-record.ts';
import { sentenceOf } from './run-texts.ts';

/** The files that JUnit's XML shows beside the records. */
export interface JunitFiles {
  /** Returns the last lines of what the agent of a run printed; an empty text if there are none. */
  tailOf(record: RunRecord): string;
  /** Returns the path of a file of the results as the reader finds it. */
  pathOf(file: string): string;
}

/**
 * Returns JUnit's XML of runs: a suite for each suite of tasks, a case for each run. A run that could not be made is an error instead of a
 * failure. A case that did not pass holds what is missing, the paths of its files, and the agent's last lines.
 */
export function junitXml(
  records: readonly RunRecord[],
  files: JunitFiles = { tailOf: () => '', pathOf: (file) => file },
): string {
  const suites = [...new Set(records.map(({ suite }) => suite))];
  const of = (outcome: RunRecord['outcome'], among: readonly RunRecord[]): number =>
    among.filter((one) => one.outcome === outcome).length;
  const counts = (among: readonly RunRecord[]): string =>
    `tests="${among.length}" failures="${of('failed', among)}" errors="${of('error', among)}" time="${secondsOf(among)}"`;
  const lines = suites.flatMap((suite) => {
    const own = records.filter((one) => one.suite === suite);
    return [
      `  <testsuite name="${xml(suite)}" ${counts(own)}>`,
      ...own.flatMap((record) => caseLines(record, files)),
      '  </testsuite>',
    ];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${counts(records)}>`, ...lines, '</testsuites>', ''].join('\n');
}

function caseLines(record: RunRecord, { tailOf, pathOf }: JunitFiles): string[] {
  const { suite, task, seed, wording, wall_s: wallS, outcome } = record;
  const name = `${task} seed ${seed}${wording === 'default' ? '' : ` (${wording})`}`;
  const open = `    <testcase classname="${xml(`${suite}.${task}`)}" name="${xml(name)}" time="${wallS.toFixed(3)}"`;
  if (outcome === 'passed') return [`${open}/>`];
  const tag = outcome === 'failed' ? 'failure' : 'error';
  const tail = tailOf(record);
  return [
    `${open}>`,
    `      <${tag} message="${xml(sentenceOf(record, pathOf))}">${xml(detailLines(record, pathOf).join('\n'))}</${tag}>`,
    ...(tail === '' ? [] : [`      <system-out>${xml(tail)}</system-out>`]),
    '    </testcase>',
  ];
}

/** Returns what a reader of the CI page alone needs to follow up on a run. */
function detailLines(record: RunRecord, pathOf: JunitFiles['pathOf']): string[] {
  const { missing, calls, simulated_s: simulatedS, proof_file: proof, output_file: output, no_proof: noProof } = record;
  return [
    ...missing,
    `${calls} actions in ${simulatedS.toFixed(1)} s of simulated time.`,
    ...(output === null ? [] : [`Output of the agent: ${pathOf(output)}`]),
    ...(proof === null ? [noProof ?? ''] : [`Proof: ${pathOf(proof)} (open it on the page ${REPLAY_PAGE} of any SimpleSim)`]),
  ].filter((line) => line !== '');
}

const secondsOf = (records: readonly RunRecord[]): string =>
  records.reduce((sum, { wall_s: wallS }) => sum + wallS, 0).toFixed(3);

const MEANINGS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that XML cannot represent. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Returns text for XML and HTML, in an attribute or outside; what neither may hold becomes a mark. */
export const xml = (text: string): string =>
  text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"']/g, (sign) => MEANINGS[sign] ?? sign);
