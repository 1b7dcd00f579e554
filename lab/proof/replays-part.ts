import RAPIER from '@dimforge/rapier3d-compat';
import { startReplaySite } from '../../tests/e2e/support/replay-site.ts';
import { replaySuite } from '../../tests/promises/replay.ts';
import { playOn } from '../../tests/promises/replay-agent.ts';
import { createStage, firstDifference } from '../../tests/promises/replay-log.ts';
import { launchBrowser } from './browser.ts';
import type { ProofPart } from './part.ts';

const STORY_STEPS = 1_500;
/** Seeds of the stories for Chromium, distinct from those of the suite. */
const STORY_SEEDS_FROM = 10_000_000;

/** A slice is one seed: the suite's stories in Node, and one more that is recorded in Node and replayed in Chromium. */
export const replaysPart: ProofPart = {
  name: 'replays',
  async open() {
    await RAPIER.init();
    const [site, browser] = await Promise.all([startReplaySite(), launchBrowser()]);
    const page = await browser.newPage();
    return {
      async run(slice) {
        const inNode = await replaySuite.run(slice, 'full');
        const seed = STORY_SEEDS_FROM + slice;
        const stage = createStage(RAPIER, seed);
        const story = playOn(stage, seed, STORY_STEPS);
        stage.runtime.dispose();
        const log = { name: `story ${seed}`, seed, steps: STORY_STEPS, calls: story.calls };
        const [there] = await site.replayIn(page, [log]);
        const failures = inNode.failures.map((failure) => `in Node, ${failure}`);
        const step = firstDifference(story.hashes, there?.hashes ?? []);
        if (step !== null) failures.push(`story ${seed}: step ${step} has another hash in Chromium than in Node`);
        if (there?.ends.join() !== story.ends.join()) {
          failures.push(`story ${seed}: its actions ended ${there?.ends.join()} in Chromium, ${story.ends.join()} in Node`);
        }
        return { done: 1, cases: inNode.cases + STORY_STEPS, failures, samples: { chromiumSteps: [there?.hashes.length ?? 0] } };
      },
      async close() {
        await browser.close();
        await site.stop();
      },
    };
  },
  measured(outcomes) {
    const inChromium = outcomes.reduce((sum, { samples }) => sum + (samples?.chromiumSteps?.[0] ?? 0), 0);
    return `cases are steps; ${inChromium.toLocaleString('en-GB')} of them in Chromium`;
  },
};
