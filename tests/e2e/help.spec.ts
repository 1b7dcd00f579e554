/** The page explains itself: in the gate and in the menu, where the scene is started again and the theme is chosen too. */
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const colourScheme = () => getComputedStyle(document.documentElement).colorScheme;

test('Help says what the page is and its keys, starts again with a seed, and keeps the chosen theme', async ({
  platform,
  open,
}) => {
  const page = await open(platform.viewerUrl);
  await page.getByText('What is this?').click();
  await expect(page.getByText(/a humanoid with two arms or a picker with one, with cameras and physics/)).toBeVisible();
  await expectNothingCutOff(page, 'gate that explains itself');
  const [manual] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'manual' }).click()]);
  await expect(manual.getByRole('heading', { name: 'Documentation' })).toBeVisible();
  await manual.getByRole('link', { name: 'troubleshooting', exact: true }).click();
  await expect(manual.getByRole('heading', { name: 'Troubleshooting' })).toBeVisible();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await manual.setViewportSize(size);
    await expectNoAxeFindings(manual, `manual at ${size.width}`, ['dark', 'light']);
    expect(await manual.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
  }
  await manual.close();
  expect((await page.request.get(`${platform.viewerUrl}/manual`)).url()).toBe(`${platform.viewerUrl}/manual/`);

  expect(await (await page.request.get(`${platform.viewerUrl}/llms.txt`)).text()).toContain('](/manual/tutorial.md): ');
  const markdown = await page.request.get(`${platform.viewerUrl}/manual/tutorial.md`);
  expect(markdown.headers()['content-type']).toBe('text/markdown; charset=utf-8');

  await page.goto(`${platform.viewerUrl}/?try=1`);
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  const openHelp = async () => {
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Help' }).click();
  };
  await openHelp();
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help).toContainText('stop the robot while it moves');
  await expect(help.getByRole('link', { name: 'manual' })).toHaveAttribute('href', '/manual/');
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
  await help.getByRole('button', { name: 'Start again' }).click();
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
