/** A person does a task in the page: chosen, played by skills, judged, proven, and watched again. */
import { readFileSync } from 'node:fs';
import { expectNoAxeFindings } from './support/axe.ts';
import { drop } from './support/drop.ts';
import { expect, test } from './support/still-page.ts';

test.use({ picture: false });

test('a person chooses a task, does it by the skills of the page, saves its proof and watches it again', async ({
  platform,
  open,
}) => {
  const page = await open(`${platform.viewerUrl}/?try=1&scene=hall`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tasks' });
  await expect(dialog.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await expectNoAxeFindings(page, 'the list of tasks');
  await dialog.getByLabel('Scene').selectOption('Kitchen');
  await expect(dialog.getByRole('button', { name: /Hold the blue cube and no other/ })).toBeHidden();
  await dialog.getByLabel('Scene').selectOption('Hall');
  await dialog.getByRole('button', { name: /Hold the blue cube and no other/ }).click();
  await expect(page).toHaveURL(/[?&]task=hall-hold-blue/);
  await expect(page.getByRole('tab', { name: 'Task' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.getByRole('heading', { name: 'Hold the blue cube and no other' })).toBeVisible();
  await expectNoAxeFindings(page, 'a task');
  // However long a person looks at it first.
  await expect(page.getByText('The clock starts with your first action.')).toBeVisible();
  await expect(page.getByText(/^0 s of /)).toBeVisible();

  const run = async (skill: string, end: string) => {
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: new RegExp(skill) }).click();
    await page.getByLabel('Entity id').fill('cube_2');
    await page.getByRole('button', { name: /^Run/ }).click();
    await expect(page.getByRole('status').filter({ hasText: `${end}: done` })).toHaveCount(1);
    await page.getByRole('button', { name: /All skills|Back/ }).click();
  };
  await run('go_to', 'Walk to cube_2');
  await run('pick_entity', 'Pick up cube_2');
  const ended = page.getByTestId('task-ended');
  await expect(ended).toContainText(/Passed: Hold the blue cube and no other\. It took 2 actions and \d+ s\./);
  await expectNoAxeFindings(page, 'a task that is passed');
  await ended.getByRole('button', { name: 'Show the task' }).click();
  await expect(page.getByTestId('verdict')).toContainText('Passed. The goal was reached.');

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the proof' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('hall-hold-blue-seed-1.json');
  const text = readFileSync(await saved.path(), 'utf8');
  expect(text.length).toBeLessThan(20_000);
  expect(JSON.parse(text)).toMatchObject({ format: 'simplesim.proof/2', verdict: { outcome: 'passed' } });

  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Watch it again' }).click();
  const replay = await opening;
  await expect(replay.getByTestId('judged')).toHaveText('True');
  await expect(replay.getByTestId('verdict')).toContainText('Passed. The goal was reached.');

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  await expect(dialog.getByRole('button', { name: /Hold the blue cube and no other \(solved\)/ })).toBeVisible();
  await expect(dialog).toContainText('You have solved 1 of 40 in this browser.');
  await page.keyboard.press('Escape');
  await expect(ended.getByRole('button', { name: /^Next: / })).toBeVisible();

  // Another seed is another layout, and the run starts again.
  await page.getByRole('button', { name: 'Another layout' }).click();
  await expect(page.getByTestId('verdict')).toHaveCount(0);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
});

test('a first visit shows once what a person can do, until the person does something', async ({ platform, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const hint = page.getByText('Click a cube, or press G to drive. Tasks in the menu gives it something to do.', { exact: true });
  // The physical contract has nothing of that to offer.
  await page.goto(`${platform.viewerUrl}/?try=1&profile=worker`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(hint).toBeHidden();
  await page.goto(`${platform.viewerUrl}/?try=1`);
  await expect(hint).toBeVisible();
  await page.keyboard.press('g');
  await expect(hint).toBeHidden();
  await page.reload();
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.getByText('The world continues where it was', { exact: true })).toBeVisible();
  await expect(hint).toBeHidden();
  await context.close();
});

test('an unknown task in the address opens the default robot with a notice', async ({ platform, open }) => {
  const page = await open(`${platform.viewerUrl}/?try=1&task=nosuch`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(
    page.getByText('There is no task nosuch. See Tasks in the menu for the available tasks.', { exact: true }),
  ).toBeVisible();
});

test('a task file is dropped on the page, and an address opens one; a failed task shows what was missing', async ({
  platform,
  open,
}) => {
  const own = {
    format: 'simplesim.task/1',
    id: 'own-task',
    suite: 'own',
    title: 'Hold a cube at once',
    scene: 'hall',
    instruction: { default: 'Hold a cube.', vague: 'Cube?', specific: 'Pick any cube.' },
    goal: { kind: 'held', things: { category: 'cube' } },
    budgets: { calls: 1, simulated_s: 30 },
  };
  const page = await open(`${platform.viewerUrl}/?try=1`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await drop(page, 'wrong.json', JSON.stringify({ ...own, scene: 'moon' }));
  const refused = page.getByRole('dialog', { name: 'The task was not opened' });
  await expect(refused).toContainText('There is no scene "moon"');
  await page.keyboard.press('Escape');
  await drop(page, 'own.json', JSON.stringify(own));
  const heading = page.getByRole('heading', { name: 'Hold a cube at once' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/[?&]try=1/);
  expect(new URL(page.url()).searchParams.get('task')).toBeNull();
  for (let call = 0; call < 2; call += 1) {
    await page.getByRole('tab', { name: 'Skills' }).click();
    await page.getByRole('button', { name: /^Turn the head/ }).click();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByRole('button', { name: /All skills|Back/ }).click();
  }
  await page.getByTestId('task-ended').getByRole('button', { name: 'Show the task' }).click();
  await expect(page.getByTestId('verdict')).toContainText('Failed.');
  await expect(page.getByText(/^The robot does not hold cube_0, cube_1/)).toBeVisible();

  await page.route(
    ({ pathname }) => pathname === '/own/task.json',
    (route) => route.fulfill({ json: own }),
  );
  await page.goto(`${platform.viewerUrl}/?try=1&task=/own/task.json`);
  await expect(heading).toBeVisible();
  await page.reload();
  await expect(heading).toBeVisible();
});
