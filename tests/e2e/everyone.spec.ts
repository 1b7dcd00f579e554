/** The page for everyone: axe on every state, the keyboard alone, small screens, reduced motion. */
import type { Page } from '@playwright/test';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

/** Colours are the same at every size; what stands where is not. */
const SIZES = [
  { width: 1440, height: 900, themes: ['dark', 'light'] },
  { width: 1024, height: 768, themes: [] },
  { width: 390, height: 844, themes: ['dark'] },
] as const;

/** Everything that can be said of a state without looking at it: no finding, nothing cut off, at every size. */
async function check(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const { width, height, themes } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectNothingCutOff(page, `${state} at ${width} × ${height}`);
    await expectNoAxeFindings(page, `${state} at ${width} × ${height}`, themes);
  }
  if (before) await page.setViewportSize(before);
}

test('axe finds nothing and no word is cut off: the gate, with a refused key too', async ({ platform, open }) => {
  const page = await open(platform.viewerUrl);
  const field = page.getByRole('textbox', { name: /room key/i });
  await expect(field).toBeVisible();
  await check(page, 'gate');
  await field.fill('hello');
  await field.press('Enter');
  await expect(page.getByRole('alert').first()).toHaveText(/not a room key/);
  await check(page, 'gate with a refused key');
});

test('axe finds nothing and no word is cut off: the live page with every tab, menu and popover', async ({ robot, open }) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  await caller.invoke('set_head', { yaw: 0.3 });
  expect(await caller.invoke('place_entity', { target: { kind: 'entity', entity_id: 'pad_B' } })).toMatchObject({
    status: 'failed',
  });
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (let index = 0; index < (await tabs.count()); index += 1) {
    const tab = tabs.nth(index);
    await tab.click();
    await check(page, `tab ${await tab.textContent()}`);
  }
  await page.getByRole('tab', { name: 'Actions' }).click();
  await page
    .getByRole('button', { name: /Failed/ })
    .first()
    .click();
  await check(page, 'a failed action, opened');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await check(page, 'menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'What is drawn' }).click();
  await check(page, 'menu of the view');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /In the room/ }).click();
  await check(page, 'people');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Enlarge the picture of the head camera/ }).click();
  await check(page, 'camera picture');
});

test('axe finds nothing and no word is cut off: after the end of a stay', async ({ robot, open }) => {
  const page = await open(await robot.keyUrl());
  const caller = await robot.join();
  await caller.ready();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Leave the room' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await check(page, 'left');
});
