import { sentenceOf } from '../../tests/client-models/check.ts';
import { reportOf, runSeed, type SuiteReport, type SuiteSize } from '../../tests/promises/suite.ts';
import { SUITES } from '../../tests/promises/suites.ts';
import type { Experiment } from '../experiment.ts';
import { runOnAllCores } from '../storm/on-all-cores.ts';

const OPTIONS = {
  seed: { takes: 'number', about: 'runs only this seed, in this process, to reproduce a failure' },
} as const;

/** Runs every seeded suite, one after the other, each on all cores. */
export const storm: Experiment<typeof OPTIONS, SuiteSize> = {
  sizes: ['smoke', 'full'],
  choices: { noun: 'suite', names: SUITES.map(({ name }) => name) },
  options: OPTIONS,
  head: ['suite', 'promises', 'what is judged', 'cases', 'failures', 'seeds', 'took', 'measured'],
  async run({ size, names, values: { seed } }, { say, row, fail }) {
    const reports: SuiteReport[] = [];
    for (const suite of SUITES.filter(({ name }) => names.length === 0 || names.includes(name))) {
      say(`${suite.name}: ${suite.title}`);
      const startedAtMs = performance.now();
      const report =
        seed === undefined
          ? await runOnAllCores(suite, size, say)
          : reportOf(suite, `${seed}`, [await runSeed(suite, seed, size)], (performance.now() - startedAtMs) / 1000);
      reports.push(report);
      for (const failure of report.failures) fail(`${suite.name}: ${failure}`);
      const { promises, title, cases, failures, seeds, wallS, summary } = report;
      row(suite.name, promises.join(' '), title, cases, failures.length, seeds, `${wallS.toFixed(0)} s`, summary);
    }
    const sum = (value: (report: SuiteReport) => number): number => reports.reduce((total, report) => total + value(report), 0);
    const replies = sum((report) => report.replies);
    say(`${sum(({ cases }) => cases)} cases. ${sentenceOf({ http: 0, rpc: replies })}`);
    return { replies, reports };
  },
};
