/** The same calls in Node and in Chromium: the same world, bit by bit, at every step. */
import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from '@playwright/test';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { playOn } from '../promises/replay-agent.ts';
import { GOLDEN_LOGS } from '../promises/replay-golden-logs.ts';
import { type CallLog, createStage, firstDifference, replay } from '../promises/replay-log.ts';
import { type ReplaySite, startReplaySite } from './support/replay-site.ts';
import { compareInPage } from './support/tasks-in-page.ts';

/** Seeded stories beside the golden ones; 10,000 steps are the golden logs', these come on top. */
const STORY_SEEDS = [11, 12];
const STORY_STEPS = 1_500;

let site: ReplaySite;

test.beforeAll(async () => {
  site = await startReplaySite();
});

test.afterAll(() => site.stop());

test('P12 ten thousand steps and more replay in Chromium to the hashes of Node, each of them', async ({ page, browser }) => {
  await RAPIER.init();
  const logs = [...GOLDEN_LOGS, ...STORY_SEEDS.map(recordedStory)];
  const inChromium = await site.replayIn(page, logs);
  let steps = 0;
  for (const [index, log] of logs.entries()) {
    const here = replay(RAPIER, log);
    const there = inChromium[index];
    expect(there?.ends, log.name).toEqual(here.ends);
    expect(firstDifference(here.hashes, there?.hashes ?? []), `${log.name}: first step that differs`).toBeNull();
    steps += here.hashes.length;
  }
  test.info().annotations.push({ type: 'steps compared', description: `${steps}, Chromium ${browser.version()}` });
  expect(steps).toBeGreaterThanOrEqual(10_000);
});

test('P12 worlds of every scene are the same in Chromium, and proofs of evaluations are true there, but for a changed one', async ({
  page,
}) => {
  const inPage = await compareInPage(site, page, { proofSeeds: [1, 2], worldSeeds: [1, 2, 3] });
  expect(inPage.failures).toEqual([]);
  expect([inPage.proofs, inPage.worlds]).toEqual([2, 3 * SCENE_IDS.length]);
});

/** Returns the calls of a seeded agent in a world of its own. */
function recordedStory(seed: number): CallLog {
  const stage = createStage(RAPIER, seed);
  const { calls } = playOn(stage, seed, STORY_STEPS);
  stage.runtime.dispose();
  return { name: `story ${seed}`, seed, steps: STORY_STEPS, calls };
}
