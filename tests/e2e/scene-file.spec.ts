/** Scenes from files in the page: dropped, given by the address, asked for by a session; and refused, with the world as it was. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { generateRoomKeyUrl, generateWatchUrl } from '../../src/client/experimental.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { drop } from './support/drop.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const HALL = JSON.parse(readFileSync(new URL('../../scenes/hall.json', import.meta.url), 'utf8')) as {
  things: unknown[];
  pads: { id: string; position: number[] }[];
};
const ownScene = () => ({ ...structuredClone(HALL), scene_id: 'own', title: 'Own hall', things: HALL.things.slice(0, 2) });
const live = (page: Page) => expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
const cube = (page: Page, id: string) => page.getByRole('button', { name: new RegExp(`^${id}\\b`) });

test('a scene file that is wrong, from the address or dropped, is refused with path and reason, and the world stays', async ({
  platform,
  open,
}) => {
  const page = await open('about:blank');
  await page.route(
    ({ pathname }) => pathname === '/my/none.json',
    (route) => route.fulfill({ json: { format: 'simplesim.scene/1' } }),
  );
  await page.goto(`${platform.viewerUrl}/?try=1&scene=/my/none.json`);
  const dialog = page.getByRole('dialog', { name: 'The scene was not opened' });
  await expect(dialog).toContainText('scene_id must be a text; it is missing.');
  await live(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const wrong = ownScene();
  wrong.pads[0]?.position.splice(2, 1, 0.5);
  await drop(page, 'wrong.json', JSON.stringify(wrong));
  await expect(dialog).toContainText('wrong.json: the robot stays where it is.');
  await expect(dialog).toContainText('pads[0].position[2] must be 0.6 m, the top of table_1; it is 0.5.');
  await expectNoAxeFindings(page, 'a refused scene');
  await expectNothingCutOff(page, 'a refused scene');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await drop(page, 'script.json', '<script>alert(1)</script>');
  const unknown = page.getByRole('dialog', { name: 'The file was not opened' });
  await expect(unknown).toContainText('The file is not JSON');
  await drop(page, 'large.json', 'x'.repeat(300_000));
  await expect(unknown).toContainText('is larger than 262144 bytes');
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Scene' }).click();
  await expect(cube(page, 'cube_6').first()).toBeVisible();
});

test('an address names a scene file, and the robot stands in its scene', async ({ platform, open }) => {
  const page = await open('about:blank');
  await page.route(
    ({ pathname }) => pathname === '/my/own.json',
    (route) => route.fulfill({ json: ownScene() }),
  );
  await page.goto(`${platform.viewerUrl}/?try=1&scene=/my/own.json`);
  await live(page);
  await page.getByRole('tab', { name: 'Scene' }).click();
  await expect(page.getByRole('complementary', { name: 'Workbench' }).getByText('pad_3').first()).toBeVisible();
  await expect(page).toHaveURL(/scene=%2Fmy%2Fown\.json|scene=\/my\/own\.json/);
});

test('a session opens its robot in the scene that it names; an unknown one is reported, and the robot stays', async ({
  platform,
  client,
  open,
}) => {
  for (const [sceneId, there] of [
    ['kitchen', 'table_top'],
    ['moon', 'pad_A'],
  ] as const) {
    const { robot } = await client.robots.create({ name: `Robot for ${sceneId}`, model: 'simplesim-humanoid-1' });
    const answer = await fetch(`${platform.rcsUrl}/v1/robots/${robot.id}/session`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${platform.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ scene_id: sceneId }),
    });
    expect(answer.ok).toBe(true);
    const page = await open(await generateRoomKeyUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }));
    await live(page);
    if (sceneId === 'moon') {
      const dialog = page.getByRole('dialog', { name: 'The scene was not opened' });
      await expect(dialog).toContainText('The scene is not there, and the session asks for it; there are warehouse');
      await page.keyboard.press('Escape');
    }
    await page.getByRole('tab', { name: 'Scene' }).click();
    // The name in the picture is hidden where the panel covers it.
    await expect(page.getByRole('tabpanel', { name: 'Scene' }).getByText(there).first()).toBeVisible();
  }
});

test.describe(() => {
  // The drawing is checked, and a time is judged as people experience it.
  test.use({ picture: true });

  test('a dropped scene file replaces the world within 2 s, and a reload resumes there', { tag: '@alone' }, async ({
    platform,
    open,
  }) => {
    const page = await open(`${platform.viewerUrl}/?try=1`);
    await live(page);
    await page.getByRole('tab', { name: 'Scene' }).click();
    await expect(cube(page, 'cube_6').first()).toBeVisible();
    const startedMs = Date.now();
    await drop(page, 'own.json', JSON.stringify(ownScene()));
    // The list of the scene: a name over the world is hidden where its thing is out of sight.
    const list = page.getByRole('complementary', { name: 'Workbench' });
    await expect(list.getByText('pad_3').first()).toBeVisible({ timeout: 2_000 });
    expect(Date.now() - startedMs).toBeLessThan(2_000);
    await expect(cube(page, 'cube_1').first()).toBeVisible();
    await expect(cube(page, 'cube_6')).toHaveCount(0);
    await page.reload();
    await live(page);
    await page.getByRole('tab', { name: 'Scene' }).click();
    await expect(list.getByText('pad_3').first()).toBeVisible();
    await expect(cube(page, 'cube_1').first()).toBeVisible();
  });

  test('a watcher of a robot in a scene from a file gets a notice, and sees neither another world nor actions', async ({
    robot,
    client,
    platform,
    open,
    openHidden,
  }) => {
    const page = await openHidden(await robot.keyUrl());
    await live(page);
    const watcher = await open(await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }));
    await expect(watcher.locator('html')).toHaveAttribute('data-world');
    await drop(page, 'own.json', JSON.stringify(ownScene()));
    await expect(watcher.locator('.notice')).toContainText('stands in the scene own, which this page does not know');
    const late = await open(await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }));
    await expect(late.locator('.notice')).toContainText('stands in the scene own, which this page does not know');
    for (const seen of [watcher, late]) {
      await expect(seen.locator('.world-missing')).toHaveCSS('background-color', /^rgb\(/);
      await expect(seen.locator('main canvas')).toHaveCount(0);
      await expect(seen.getByText('Drawing the scene')).toHaveCount(0);
    }
  });
});
