/** A browser in which a person has blocked all data of sites: every access to storage throws. */
import type { Page } from '@playwright/test';
import { type BareBrowser, startBareBrowser } from './support/bare-browser.ts';
import { expect, PageWatch, test } from './support/fixtures.ts';

/** Chromium's setting “Block all site data”. */
const BLOCKED = { profile: { default_content_setting_values: { cookies: 2 } } };

let browser: BareBrowser;
let watch: PageWatch;
test.beforeEach(async () => {
  browser = await startBareBrowser([], BLOCKED);
  watch = new PageWatch();
});
test.afterEach(() => browser.stop());

async function open(url: string): Promise<Page> {
  const page = await browser.context.newPage();
  watch.watch(page);
  await page.goto(url);
  const thrown = await page.evaluate(() => {
    try {
      return String(sessionStorage.length);
    } catch (error) {
      return (error as DOMException).name;
    }
  });
  expect(thrown).toBe('SecurityError');
  return page;
}

test('the gate works with blocked storage, and a robot of the tab warns once that a reload loses its world', async ({
  platform,
}) => {
  const page = await open(`${platform.viewerUrl}/`);
  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  await expect(page.getByText('A reload would lose this world', { exact: true })).toHaveCount(1);
  expect(watch.unexpected([])).toEqual([]);
});

test('the gate names the page for a proof that it cannot hand over with blocked storage', async ({ platform }) => {
  const page = await open(`${platform.viewerUrl}/`);
  await page.locator('#gate-file').setInputFiles({
    name: 'run.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format":"simplesim.proof/1"}'),
  });
  await expect(page.getByText('This file is the proof of a run, and the browser keeps nothing for this page.')).toBeVisible();
});

test('a robot in its room works with blocked storage, and warns once that a reload loses its world', async ({ robot }) => {
  const page = await open(await robot.keyUrl());
  expect(page.url()).not.toContain('key=');
  const caller = await robot.join();
  await caller.ready();
  expect((await caller.invoke('set_head', { yaw: 0.3 }, { action_id: 'nod' })).status).toBe('done');
  await expect(page.getByText('A reload would lose this world', { exact: true })).toHaveCount(1);
  expect(watch.unexpected([])).toEqual([]);
});

test('the replay page and the page of all robots open where storage is blocked', async ({ platform }) => {
  const replay = await open(`${platform.viewerUrl}/replay.html`);
  await expect(replay.getByRole('button').first()).toBeVisible();
  const robots = await open(`${platform.viewerUrl}/robots`);
  await expect(robots.getByRole('textbox').first()).toBeVisible();
  expect(watch.unexpected([])).toEqual([]);
});
