/** How soon the page answers on a slow line and a slow machine. Each opening uses a new profile, so that nothing is cached. */
import type { Scenario } from '../scenario.ts';
import { startSlowNetwork } from '../slow-network.ts';
import { openedMs, UNTIL_ALONE, UNTIL_GATE, UNTIL_LOADED } from './opened.ts';

const LINE = { bitsPerS: 10_000_000, roundTripMs: 40 };
const SLOWER_BY = 4;

export const slow: Scenario<'slow'> = {
  name: 'slow',
  rounds: { smoke: 1, full: 7 },
  warmUpRounds: { smoke: 0, full: 1 },
  async open(stage) {
    const [browser, platform] = await Promise.all([stage.browser(), stage.platform()]);
    const line = await startSlowNetwork(LINE);
    const opening = { proxyUrl: line.url, slowerBy: SLOWER_BY };
    const robot = await platform.newRobot();
    const home = new URL('/', await robot.keyUrl()).href;
    return {
      async round() {
        const bare = await openedMs(browser, new URL('/robots.txt', home).href, UNTIL_LOADED, opening);
        const gate = await openedMs(browser, home, UNTIL_GATE, opening);
        const alone = await openedMs(browser, `${home}?try=1`, UNTIL_ALONE, opening);
        return { gate: { ours: gate, bare }, alone: { ours: alone, bare } };
      },
      close: () => line.close(),
    };
  },
};
