/**
 * `invoke` of an instant skill against bare LiveKit RPC echoes, of a page and of a worker in it: the same SFU, browser and
 * caller, in turn.
 */
import { type Scenario, timedMs } from '../scenario.ts';

const PAYLOAD = JSON.stringify({ name: 'set_sim_speed', input: { speed: 1 } });
const TIMEOUT_MS = 5_000;

export const invoke: Scenario<'invoke'> = {
  name: 'invoke',
  rounds: { smoke: 1, full: 400 },
  warmUpRounds: { smoke: 0, full: 40 },
  async open(stage) {
    const [browser, platform] = await Promise.all([stage.browser(), stage.platform()]);
    const robot = await platform.newRobot();
    const robotPage = await browser.newPage();
    await robotPage.goto(await robot.keyUrl());
    const caller = await robot.join('bench-caller');
    await caller.ready();
    const peerPage = await browser.newPage();
    await peerPage.goto(`${await stage.pagesUrl()}peer.html`);
    const place = await robot.token('bench-echo');
    await peerPage.evaluate((given) => window.joinAsPeer(given), place);
    const local = caller.room.localParticipant;
    if (!local) throw new Error('The caller is not in the room.');
    const echo = (method: string) => () =>
      local.performRpc({ destinationIdentity: 'bench-echo', method, payload: PAYLOAD, responseTimeout: TIMEOUT_MS });
    const [ofPage, ofWorker] = [echo('echo'), echo('echo-of-worker')];
    const instant = () => caller.callText('runtime.tools_call', PAYLOAD, TIMEOUT_MS);
    return {
      async round() {
        const [page, worker, ours] = [await timedMs(ofPage), await timedMs(ofWorker), await timedMs(instant)];
        return { instant: { bare: page, ours }, worker: { bare: worker, ours } };
      },
      async close() {
        await peerPage.close();
        await robotPage.close();
        await caller.leave();
      },
    };
  },
};
