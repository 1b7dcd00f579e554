/** How soon the page answers. Each opening uses a new profile, so that nothing is cached. */
import type { Scenario } from '../scenario.ts';
import { openedMs, UNTIL_ALONE, UNTIL_GATE, UNTIL_LOADED, UNTIL_SEEN } from './opened.ts';

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
        const aloneSight = await openedMs(browser, `${home}?try=1`, UNTIL_SEEN);
        const agent = await robot.connect();
        const room = await openedMs(browser, link, async () => {
          await agent.waitUntilReady();
          await agent.invoke('set_sim_speed', { speed: 1 });
        });
        await agent.disconnect();
        // A new link, because the scene of a robot that was already open is known sooner.
        const roomSight = await openedMs(browser, await (await platform.newRobot()).keyUrl(), UNTIL_SEEN);
        return {
          gate: { ours: gate, bare },
          alone: { ours: alone, bare },
          aloneSight: { ours: aloneSight, bare },
          room: { ours: room, bare },
          roomSight: { ours: roomSight, bare },
        };
      },
      close: async () => {},
    };
  },
};
