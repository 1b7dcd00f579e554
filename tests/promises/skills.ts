import { createChance } from '../oracle/chance.ts';
import { strew } from '../oracle/layouts.ts';
import { createTestRuntime } from '../runtime/test-runtime.ts';
import { ratesText, ratesVerdict } from './asks.ts';
import { total } from './figures.ts';
import { createSession } from './skills-session.ts';
import type { PromiseSuite } from './suite.ts';

const CALLS_PER_SEED = 60;

/** The storm: any skill at any time in any scene, with cancels, deadlines and things that are knocked away. */
export const skills: PromiseSuite = {
  name: 'skills',
  promises: ['P1', 'P2', 'P3', 'P4', 'P10'],
  title: 'every end of every skill in random scenes, against the bodies',
  seeds: { smoke: 6, full: 400 },
  regressions: [{ seed: 179, was: 'the judge took a base that a falling cube pushed for one that drives on' }],
  async run(seed) {
    const chance = createChance(seed);
    const t = await createTestRuntime({ seed });
    strew(t.core, chance);
    t.advance(120);
    const session = createSession(t, chance);
    const before = process.cpuUsage();
    for (let call = 0; call < CALLS_PER_SEED; call += 1) session.next();
    const { user, system } = process.cpuUsage(before);
    session.samples.simulatedS = [session.simulatedS()];
    session.samples.processorS = [(user + system) / 1e6];
    t.runtime.dispose();
    return { cases: session.cases(), failures: session.failures, samples: session.samples };
  },
  summary(samples) {
    const calls = Object.keys(samples)
      .filter((key) => key.startsWith('calls '))
      .map((key) => `${key.slice('calls '.length)} ${total(samples[key])}`);
    const factor = total(samples.simulatedS) / total(samples.processorS);
    return `${factor.toFixed(0)} × real time on a core; feasible: ${ratesText(samples)}; calls: ${calls.join(', ')}`;
  },
  verdict: ratesVerdict,
};
