/** The page explains itself: in the gate and in the menu, where the scene is started again and the theme is chosen too. */
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/still-page.ts';

test.use({ picture: false });

/** The reply of a robot that has begun again. */
const DONE = { status: 'done', result: {}, meta: { action_id: 'a-1', started_at_ms: 1, finished_at_ms: 1, duration_ms: 0 } };
const colourScheme = () => getComputedStyle(document.documentElement).colorScheme;

test('the gate explains the page, and links to the manual', async ({ still }) => {
  const { page } = await still('gate');
  await page.getByText('What is this?').click();
  await expect(page.getByText(/a humanoid with two arms or a picker with one, with cameras and physics/)).toBeVisible();
  await expectNothingCutOff(page, 'gate that explains itself');
  const manual = page.getByRole('link', { name: 'manual' });
  await expect(manual).toHaveAttribute('href', 'manual/');
  await expect(manual).toHaveAttribute('target', '_blank');
});

test('the manual is served with its pages, which axe finds nothing in', async ({ platform, open }) => {
  const manual = await open(`${platform.viewerUrl}/manual/`);
  await expect(manual.getByRole('heading', { name: 'Manual' })).toBeVisible();
  await manual.getByRole('main').getByRole('link', { name: 'Troubleshooting', exact: true }).click();
  await expect(manual.getByRole('heading', { name: 'Troubleshooting', level: 1 })).toBeVisible();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await manual.setViewportSize(size);
    await expectNoAxeFindings(manual, `manual at ${size.width}`, ['dark', 'light']);
    expect(await manual.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  expect((await manual.request.get(`${platform.viewerUrl}/manual`)).url()).toBe(`${platform.viewerUrl}/manual/`);
  expect(await (await manual.request.get(`${platform.viewerUrl}/llms.txt`)).text()).toContain('](manual/tutorial.md): ');
  const markdown = await manual.request.get(`${platform.viewerUrl}/manual/tutorial.md`);
  expect(markdown.headers()['content-type']).toBe('text/markdown; charset=utf-8');
});

test('Help lists the keys, starts again with a seed, and keeps the chosen theme', async ({ still }) => {
  const { page, answer, calls } = await still('this-tab');
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  const openHelp = async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
  };
  await openHelp();
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help).toContainText('stop the robot while it moves');
  await expect(help.getByRole('link', { name: 'manual' })).toHaveAttribute('href', new URL('manual/', page.url()).href);
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await expectNothingCutOff(page, `help at ${size.width}`);
    await expectNoAxeFindings(page, `help at ${size.width}`, ['dark', 'light']);
  }

  const seed = help.getByRole('spinbutton', { name: 'Seed' });
  await expect(seed).toHaveValue('1');
  await seed.fill('7');
  await answer('runtime.tools_call', DONE);
  await help.getByRole('button', { name: 'Start again' }).click();
  expect((await calls('call')).at(-1)?.args).toMatchObject(['runtime.tools_call', { name: 'reset', input: { seed: 7 } }]);
  await expect(help).toContainText('Start again: done.');

  await help.getByRole('radio', { name: 'Light' }).click();
  expect(await page.evaluate(colourScheme)).toBe('light');
  await help.getByRole('radio', { name: 'Dark' }).click();
  expect(await page.evaluate(colourScheme)).toBe('dark');
  await help.getByRole('radio', { name: 'Light' }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  expect(await page.evaluate(colourScheme)).toBe('light');
  await openHelp();
  await help.getByRole('radio', { name: 'As the system' }).click();
  expect(await page.evaluate(colourScheme)).toBe('dark');
});
