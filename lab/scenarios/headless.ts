/** How fast a world without a page runs: the speed of a storm of tests, or of an agent that learns. */
import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import type { Scenario } from '../scenario.ts';
import { createWalkingCore, walkInCircle } from './walking-core.ts';

const WALK_S = 1;

export const headless: Scenario<'headless'> = {
  name: 'headless',
  rounds: { smoke: 1, full: 120 },
  warmUpRounds: { smoke: 0, full: 20 },
  async open() {
    const walking = await createWalkingCore();
    return {
      async round() {
        const bare = walking.bareStepsMs(STEPS_PER_SECOND);
        const startedAtMs = performance.now();
        walkInCircle(walking, WALK_S);
        walking.ask('runtime.state', {});
        walking.stepsMs(STEPS_PER_SECOND);
        return { second: { ours: performance.now() - startedAtMs, bare } };
      },
      close: async () => walking.dispose(),
    };
  },
};
