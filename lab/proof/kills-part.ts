import { runKillStorm } from '../../tests/control-service/helpers/kill-storm.ts';
import { type ProofPart, valuesOf } from './part.ts';

/** Kills per slice. Each slice opens its own database, which is then killed this many times. */
const KILLS = { smoke: 8, nightly: 50, full: 50 } as const;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const killsPart: ProofPart = {
  name: 'kills',
  open: async (size) => ({
    async run(slice) {
      const storm = await runKillStorm({ kills: KILLS[size], seed: slice });
      return {
        done: storm.kills,
        failures: storm.wrong,
        samples: { acknowledged: [storm.acknowledged], whileOpening: [storm.atMoments + storm.atSteps] },
      };
    },
    close: async () => {},
  }),
  measured(outcomes) {
    const [writes, opening] = ['acknowledged', 'whileOpening'].map((name) => sum(valuesOf(outcomes, 'samples', name)));
    return `${writes?.toLocaleString('en-GB')} acknowledged writes; ${opening} kills while the database was being opened`;
  },
};
