/** Unwanted states of a tab: no network, lost drawing, a worker that dies, a second tab. Each has a notice and a way out. */
import AxeBuilder from '@axe-core/playwright';
import { chromium, type Page, type Worker } from '@playwright/test';
import { BROWSER_ARGS, findBrowser } from '../../scripts/ensure-browser.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

const drawn = (page: Page, round: number) => page.locator(`.world-keeper[data-round="${round}"] .world[data-drawn=true]`);
/** The page's worker of a name; two of them run the same file. */
async function workerNamed(page: Page, name: string): Promise<Worker> {
  const find = async () => {
    const names = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.name).catch(() => '')));
    return page.workers()[names.indexOf(name)];
  };
  await expect.poll(find, name).toBeDefined();
  const worker = await find();
  if (!worker) throw new Error(`The page has no worker named ${name}`);
  return worker;
}

/** Takes the picture's drawing context away, as the browser does, at its next frame; and has one drawn. */
async function loseContext(page: Page): Promise<void> {
  const worker = await workerNamed(page, 'picture');
  await worker.evaluate(() => {
    const { prototype } = WebGL2RenderingContext;
    const { drawElements } = prototype;
    prototype.drawElements = function (...args) {
      this.getExtension('WEBGL_lose_context')?.loseContext();
      return drawElements.apply(this, args);
    };
  });
  const view = (name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name });
  await view('From above').click();
  await view('Around the robot').click();
}

/** Makes a worker of the page fail as a fault of its own would. */
async function breakWorker(page: Page, name: string): Promise<void> {
  const worker = await workerNamed(page, name);
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  });
}

/** Asks until there is an answer: on a busy machine a page that has just been redrawn may be too late for one call's acknowledgement. */
const expectDone = (ask: () => Promise<{ status: string }>) =>
  expect.poll(async () => (await ask().catch((error: Error) => ({ status: error.message }))).status).toBe('done');
const picture = (caller: WireParticipant, camera: string) =>
  caller.call('runtime.cameras_capture', { selector: { kind: 'id', id: camera }, options: {} }, 60_000);

test('a broken part of a tab recovers automatically, or the page shows how: graphics, cameras, simulation, network', async ({
  robot,
}) => {
  // A browser of its own: one that has lost its graphics process cannot serve other tests.
  const browser = await chromium.launch({ executablePath: findBrowser() ?? '', args: BROWSER_ARGS });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.goto(await robot.keyUrl());
    const caller = await robot.join();
    await caller.ready();
    await expect(drawn(page, 0)).toBeVisible();
    await expect(page).toHaveTitle(/.+ · SimpleSim/);

    await test.step('the graphics process dies: the world is redrawn, and the cameras work', async () => {
      const cdp = await browser.newBrowserCDPSession();
      await cdp.send('Browser.crashGpuProcess');
      await expect(drawn(page, 1)).toBeVisible();
      await expectDone(() => picture(caller, 'topdown'));
    });
    await test.step('its worker dies soon after: the page shows it and waits for a click', async () => {
      const said = page.getByText(/keeps stopping the drawing of the world/);
      // The crash may be long ago on a slow machine; then the world is redrawn once more, and the next time is soon enough.
      do {
        const round = Number(await page.locator('.world-keeper').getAttribute('data-round'));
        await breakWorker(page, 'picture');
        await expect(said.or(drawn(page, round + 1))).toBeVisible();
      } while (!(await said.isVisible()));
      await expectDone(() => caller.invoke('set_head', { yaw: 0.2 }));
      expect((await new AxeBuilder({ page }).include('.world-missing').analyze()).violations).toEqual([]);
      await page.getByRole('button', { name: 'Draw it again' }).click();
      await expect(page.locator('.world[data-drawn=true]')).toBeVisible();
    });
    await test.step('its drawing context is lost: the world is redrawn', async () => {
      const round = Number(await page.locator('.world-keeper').getAttribute('data-round'));
      await loseContext(page);
      await expect(drawn(page, round + 1)).toBeVisible();
    });
    await test.step('the cameras’ worker dies: the next picture comes from a new one', async () => {
      await breakWorker(page, 'cameras');
      await expectDone(() => picture(caller, 'pov'));
    });
    await test.step('the browser reports no network, and a room on this machine continues to work', async () => {
      await page.context().setOffline(true);
      await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
      await expectDone(() => caller.invoke('set_head', { yaw: 0 }));
      await page.context().setOffline(false);
    });
    await test.step('the simulation dies: it restarts, reports it, and serves calls', async () => {
      // One that dies at once after its start would do so again; this one has worked.
      await expect.poll(async () => (await caller.call('runtime.state')).timestamp.sim_time_s).toBeGreaterThan(10);
      await breakWorker(page, 'simulation');
      await expect(page.getByText('The simulation was restarted', { exact: true })).toBeVisible();
      await caller.ready();
      await expectDone(() => caller.invoke('set_head', { yaw: 0.3 }));
    });
  } finally {
    await browser.close();
  }
});
