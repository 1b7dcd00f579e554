import { seedsOf } from '../../tests/promises/suite.ts';
import { STORM_SUITES } from '../../tests/promises/suites.ts';
import { runOnAllCores } from '../storm/on-all-cores.ts';
import type { ProofPart } from './part.ts';

/** At night a tenth of the seeds, and at least as many as `npm test` has. */
const NIGHTLY_SHARE = 0.1;

/** A slice is one suite of the storm on all cores. */
export const stormPart: ProofPart = {
  name: 'storm',
  open: async (size) => ({
    async run(slice) {
      const suite = STORM_SUITES[slice - 1];
      if (!suite) throw new RangeError(`The storm has ${STORM_SUITES.length} suites.`);
      const seedCount = Math.max(suite.seeds.smoke, Math.ceil(suite.seeds.full * NIGHTLY_SHARE));
      const say = (line: string): void => void process.stderr.write(`${line}\n`);
      const report = await runOnAllCores(
        suite,
        size === 'smoke' ? 'smoke' : 'full',
        say,
        size === 'nightly' ? seedsOf(suite, 'full').slice(0, seedCount) : undefined,
      );
      return {
        done: 1,
        cases: report.cases,
        failures: report.failures.map((failure) => `${suite.name}, ${failure}`),
        samples: { replies: [report.replies], [`cases ${suite.name}`]: [report.cases] },
      };
    },
    close: async () => {},
  }),
  measured(outcomes) {
    const suites = outcomes.flatMap(({ samples }) =>
      Object.entries(samples ?? {}).flatMap(([name, [cases]]) =>
        name.startsWith('cases ') ? [`${name.slice(6)} ${cases?.toLocaleString('en-GB')}`] : [],
      ),
    );
    const replies = outcomes.reduce((sum, { samples }) => sum + (samples?.replies?.[0] ?? 0), 0);
    return `${replies.toLocaleString('en-GB')} replies passed the client models; cases by suite: ${suites.join(', ')}`;
  },
};
