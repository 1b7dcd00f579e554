/** How soon the page answers. Each opening is in a profile of its own: nothing is cached. */
import type { Scenario } from '../scenario.ts';
import { openedMs, UNTIL_ALONE, UNTIL_GATE, UNTIL_LOADED } from './opened.ts';

export const open: Scenario<'open'> = {
  name: 'open',
  rounds: { smoke: 1, full: 15 },
  warmUpRounds: { smoke: 0, full: 1 },
  async open(stage) {
    const [browser, platform] = await Promise.all([stage.browser(), stage.platform()]);
    return {
      async round() {
        const robot = await platform.newRobot();
        const link = await robot.keyUrl();
        const home = new URL('/', link).href;
        const bare = await openedMs(browser, new URL('/robots.txt', home).href, UNTIL_LOADED);
        const gate = await openedMs(browser, home, UNTIL_GATE);
        const alone = await openedMs(browser, `${home}?try=1`, UNTIL_ALONE);
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
