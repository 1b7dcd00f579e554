import type { RunRecord } from './run-record.ts';
import { sentenceOf } from './run-words.ts';

/** Returns JUnit's XML of runs: a suite for each suite of tasks, a case for each run. A run that could not be made is an error, no failure. */
export function junitXml(records: readonly RunRecord[]): string {
  const suites = [...new Set(records.map(({ suite }) => suite))];
  const of = (outcome: RunRecord['outcome'], among: readonly RunRecord[]): number =>
    among.filter((one) => one.outcome === outcome).length;
  const counts = (among: readonly RunRecord[]): string =>
    `tests="${among.length}" failures="${of('failed', among)}" errors="${of('error', among)}" time="${secondsOf(among)}"`;
  const lines = suites.flatMap((suite) => {
    const own = records.filter((one) => one.suite === suite);
    return [`  <testsuite name="${xml(suite)}" ${counts(own)}>`, ...own.flatMap(caseLines), '  </testsuite>'];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${counts(records)}>`, ...lines, '</testsuites>', ''].join('\n');
}

function caseLines(record: RunRecord): string[] {
  const { suite, task, seed, wording, wall_s: wallS, outcome } = record;
  const name = `${task} seed ${seed}${wording === 'default' ? '' : ` (${wording})`}`;
  const open = `    <testcase classname="${xml(`${suite}.${task}`)}" name="${xml(name)}" time="${wallS.toFixed(3)}"`;
  if (outcome === 'passed') return [`${open}/>`];
  const tag = outcome === 'failed' ? 'failure' : 'error';
  return [`${open}>`, `      <${tag} message="${xml(sentenceOf(record))}"/>`, '    </testcase>'];
}

const secondsOf = (records: readonly RunRecord[]): string =>
  records.reduce((sum, { wall_s: wallS }) => sum + wallS, 0).toFixed(3);

const MEANINGS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** What XML cannot write. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** Returns text for XML and HTML, in an attribute or outside; what neither may hold becomes a mark. */
export const xml = (text: string): string =>
  text.replace(UNWRITABLE, '\ufffd').replace(/[&<>"']/g, (sign) => MEANINGS[sign] ?? sign);
