/** The second robot, from the gate: chosen by a person, told in its own words, and kept over a reload. */
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

test('the picker is chosen in the gate; it picks a cube, a reload goes on with it, and it places the cube', async ({
  platform,
  open,
}) => {
  const page = await open(platform.viewerUrl);
  const robots = page.getByRole('group', { name: 'Robot' });
  await expect(robots.getByRole('radio', { name: 'Humanoid' })).toBeChecked();
  await robots.getByRole('radio', { name: 'Humanoid' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(robots.getByRole('radio', { name: 'Picker' })).toBeChecked();
  await expect(page.getByText('one arm on a lift')).toBeVisible();
  await expectNoAxeFindings(page, 'the gate');
  await expectNothingCutOff(page, 'the gate');
  await page.getByRole('button', { name: 'Try it here' }).click();
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page).toHaveURL(/[?&]robot=picker/);

  /** Runs a skill by its form, until its end is announced in these words. */
  const run = async (skill: string, id: string | null, end: string) => {
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: new RegExp(skill) }).click();
    if (id !== null) await page.getByLabel('Entity id').fill(id);
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(page.getByRole('status').filter({ hasText: `${end}: done` })).toHaveCount(1);
    await page.getByRole('button', { name: /All skills|Back/ }).click();
  };
  await run('pick_entity', 'cube_0', 'Pick up cube_0');
  await page.reload();
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.getByText('Holding cube_0')).toBeVisible();
  await run('go_to', 'pad_D', 'Drive to pad_D');
  await run('place_entity', null, 'Put down on the nearest pad');
});
