import { runKillStorm } from '../../tests/control-service/helpers/kill-storm.ts';
import type { Experiment } from '../experiment.ts';

const OPTIONS = {
  count: { takes: 'number', about: 'number of kills; default: 5 (smoke) or 100 (full)' },
  seed: { takes: 'number', about: 'seed of the writes and of the moments of the kills; default: a new one for each run' },
} as const;

const KILLS = { smoke: 5, full: 100 } as const;
const SEEDS = 1_000_000;

/** Kills a control service with SIGKILL, and checks after each kill that every acknowledged write exists. */
export const kills: Experiment<typeof OPTIONS, keyof typeof KILLS> = {
  sizes: ['smoke', 'full'],
  options: OPTIONS,
  head: ['what', 'count'],
  async run({ size, values }, { say, row, fail }) {
    const seed = values.seed ?? 1 + (Date.now() % SEEDS);
    const storm = await runKillStorm({ kills: values.count ?? KILLS[size], seed, log: say });
    for (const wrong of storm.wrong) fail(`seed ${seed}: ${wrong}`);
    row('kills', storm.kills);
    row('of them at a file change while the database was opened', storm.atSteps);
    row('of them in first starts', storm.inFirstStarts);
    row('of them at a random moment of opening', storm.atMoments);
    row('openings on a full disk', storm.fullDisks);
    row('acknowledged writes', storm.acknowledged);
    row('lost or wrong', storm.wrong.length);
    return { seed, ...storm };
  },
};
