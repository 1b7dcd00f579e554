/** How soon the page answers. Each opening is in a profile of its own: nothing is cached. */
import type { Browser, Page } from '@playwright/test';
import type { Scenario } from '../scenario.ts';

const WINDOW = { width: 1440, height: 900 };
/** A machine that others load is slow, not broken. */
const OPENS_WITHIN_MS = 180_000;

export const open: Scenario<'open'> = {
  name: 'open',
  rounds: { smoke: 1, full: 7 },
  warmUpRounds: { smoke: 0, full: 1 },
  async open(stage) {
    const [browser, platform] = await Promise.all([stage.browser(), stage.platform()]);
    return {
      async round() {
        const robot = await platform.newRobot();
        const link = await robot.keyUrl();
        const home = new URL('/', link).href;
        const bare = await openedMs(browser, new URL('/robots.txt', home).href, (page) => page.waitForLoadState('load'));
        const gate = await openedMs(browser, home, (page) => page.waitForSelector('html[data-gate]'));
        const alone = await openedMs(browser, `${home}?try=1`, (page) => page.waitForSelector('.interface[data-phase=live]'));
        const agent = await robot.connect();
        const room = await openedMs(browser, link, async () => {
          await agent.waitUntilReady();
          await agent.invoke('set_sim_speed', { speed: 1 });
        });
        await agent.disconnect();
        return { gate: { ours: gate, bare }, alone: { ours: alone, bare }, room: { ours: room, bare } };
      },
      close: async () => {},
    };
  },
};

async function openedMs(browser: Browser, url: string, until: (page: Page) => Promise<unknown>): Promise<number> {
  const context = await browser.newContext({ viewport: WINDOW });
  const page = await context.newPage();
  page.setDefaultTimeout(OPENS_WITHIN_MS);
  const startedAtMs = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await until(page);
  const tookMs = performance.now() - startedAtMs;
  await context.close();
  return tookMs;
}
