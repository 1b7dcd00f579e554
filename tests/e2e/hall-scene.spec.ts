/** The second scene and the second robot, from the gate: chosen by a person, shown with their own words, and kept over a reload. */
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

test('hall and picker are chosen in the gate; the robot picks a cube, a reload continues with both, and it places the cube', async ({
  platform,
  open,
}) => {
  const page = await open(platform.viewerUrl);
  const scenes = page.getByRole('group', { name: 'Scene' });
  await expect(scenes.getByRole('radio', { name: 'Warehouse' })).toBeChecked();
  // The picture behind the gate, and while the page loads, is of the warehouse: behind another scene there is none.
  const backdrop = page.locator('#backdrop');
  await expect(backdrop).toHaveCSS('background-image', /backdrop/);
  await scenes.getByRole('radio', { name: 'Warehouse' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(scenes.getByRole('radio', { name: 'Hall' })).toBeChecked();
  await expect(backdrop).toHaveCSS('background-image', 'none');
  await expect(page.getByText('Two tables, six cubes')).toBeVisible();
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
  await expect(page).toHaveURL(/[?&]scene=hall/);
  await expect(page).toHaveURL(/[?&]robot=picker/);
  // The hall has a camera that the warehouse does not have.
  await expect(page.getByRole('button', { name: 'Enlarge the picture of the corner camera' })).toBeVisible();

  /** Runs a skill by its form, until its end is announced in these words. */
  const run = async (skill: string, id: string | null, end: string) => {
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: new RegExp(skill) }).click();
    if (id !== null) await page.getByLabel('Entity id').fill(id);
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(page.getByRole('status').filter({ hasText: `${end}: done` })).toHaveCount(1);
    await page.getByRole('button', { name: /All skills|Back/ }).click();
  };
  await run('go_to', 'cube_2', 'Drive to cube_2');
  await run('pick_entity', 'cube_2', 'Pick up cube_2');
  await page.reload();
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.getByText('Holding cube_2')).toBeVisible();
  await run('go_to', 'pad_2', 'Drive to pad_2');
  await run('place_entity', null, 'Put down on the nearest pad');
  await page.getByRole('tab', { name: 'Scene' }).click();
  await expect(page.getByText('on pad_2').first()).toBeVisible();
  await expectNoAxeFindings(page, 'the hall');
});

test('an unknown scene or robot in the address is reported in the gate and in the page', async ({ platform, open }) => {
  const noScene = /^There is no scene kitchn; there are warehouse, hall/;
  const noRobot = /^There is no robot Picker; there are humanoid, picker/;
  const page = await open(`${platform.viewerUrl}/?scene=kitchn&robot=Picker`);
  const gate = page.locator('#gate');
  await expect(gate.getByText(noScene)).toBeVisible();
  await expect(gate.getByText(noRobot)).toBeVisible();
  await expectNoAxeFindings(page, 'the gate after a mistyped address');
  await page.getByRole('group', { name: 'Scene' }).getByText('Hall').click();
  await expect(gate.getByText(noScene)).toHaveCount(0);

  await page.goto(`${platform.viewerUrl}/?try=1&scene=kitchn`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.locator('.toast').getByText(noScene)).toBeVisible();
});
