/** The same robot while its page is visible and while another page hides it. */
import type { Page } from '@playwright/test';
import { startBareBrowser } from '../../tests/e2e/support/bare-browser.ts';
import { type Scenario, timedMs } from '../scenario.ts';

const CALLS_A_ROUND = 20;

export const hidden: Scenario<'hidden'> = {
  name: 'hidden',
  rounds: { smoke: 1, full: 20 },
  warmUpRounds: { smoke: 0, full: 2 },
  async open(stage) {
    const platform = await stage.platform();
    // A regular browser: Playwright's own never hides a page.
    const bare = await startBareBrowser();
    const robot = await platform.newRobot();
    const page = await bare.context.newPage();
    await page.goto(await robot.keyUrl());
    const cover = await bare.context.newPage();
    const caller = await robot.join('bench-caller');
    await caller.ready();
    const perCallMs = async (): Promise<number> =>
      (await timedMs(async () => {
        for (let asked = 0; asked < CALLS_A_ROUND; asked += 1) await caller.call('runtime.state');
      })) / CALLS_A_ROUND;
    const bring = async (front: Page, isHidden: boolean): Promise<void> => {
      await front.bringToFront();
      while ((await caller.call('runtime.state')).robot.extra.sim.hidden !== isHidden);
    };
    return {
      async round() {
        await bring(page, false);
        const seenMs = await perCallMs();
        await bring(cover, true);
        return { state: { bare: seenMs, ours: await perCallMs() } };
      },
      async close() {
        await caller.leave();
        await bare.stop();
      },
    };
  },
};
