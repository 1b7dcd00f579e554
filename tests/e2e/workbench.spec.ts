/** The workbench: an agent's author at the page calls skills, reads what came of them, and watches who else drives. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { NEWEST_LIVEKIT, pythonWith } from '../../scripts/ensure-python.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ picture: false });

const run = promisify(execFile);
const CLONE = join(import.meta.dirname, '../..');
const PERMISSIONS = ['clipboard-read', 'clipboard-write'];

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const reply = (page: Page) => page.getByRole('region', { name: 'Reply' });

async function openSkill(page: Page, name: string): Promise<void> {
  const back = button(page, 'Back to all skills');
  if (await back.isVisible()) await back.click();
  await page.getByLabel('Find a skill').fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true }).first()).toBeVisible();
  await expect(page.locator('.call-head .call-name')).toHaveText(name);
}

const everybodyCanUse = (page: Page): Promise<void> => expectNoAxeFindings(page, 'the workbench', ['light']);

test('skills are run from forms, refused at their fields, kept, and copied as programs that run', async ({
  robot,
  open,
  browser,
  platform,
}, info) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: PERMISSIONS });
  const page = await open(await robot.keyUrl(), context);

  await test.step('a cube is picked with the keyboard alone', async () => {
    await openSkill(page, 'pick_entity');
    const entity = page.getByLabel('Entity id');
    await expect(entity).toBeFocused();
    await page.keyboard.type('cube_0');
    await expect(page.getByRole('option', { name: /cube_0.*on pad_A/ })).toBeVisible();
    await everybodyCanUse(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listbox')).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(reply(page).getByText('Done', { exact: true })).toBeVisible();
    await expect(reply(page)).toContainText('held count');
    await expect(page.getByTestId('state')).toHaveText('Holding cube_0');
  });

  await test.step('a bad value is refused at its field, before anything is sent', async () => {
    await openSkill(page, 'set_head');
    await page.getByLabel(/^Yaw/).fill('2');
    await page.keyboard.press('Enter');
    const yaw = page.getByLabel(/^Yaw/);
    await expect(yaw).toHaveAttribute('aria-invalid', 'true');
    await expect(yaw).toHaveAccessibleDescription(/This must be a number from −1\.4 to 1\.4; it is 2\./);
    await expect(yaw).toBeFocused();
    await yaw.fill('0.4');
    await expect(yaw).toHaveAttribute('aria-invalid', 'false');
  });

  await test.step('a refusal of the robot itself stands at the field it names', async () => {
    await page.getByText('Options of the call').click();
    const actionId = page.getByLabel(/^Action id/);
    await actionId.fill('cancel-active');
    await page.keyboard.press('Enter');
    await expect(actionId).toHaveAccessibleDescription(/must not be "cancel-active"/);
    await expect(reply(page).getByText('Refused')).toBeVisible();
    await expect(reply(page).getByText('INVALID_INPUT')).toBeVisible();
    await actionId.fill('');
  });

  await test.step('JSON keeps what was typed, and is sent with Ctrl and Enter', async () => {
    await page.getByRole('radio', { name: 'JSON' }).check();
    const json = page.getByLabel('Input as JSON');
    await expect(json).toHaveValue(/"yaw": 0\.4/);
    await json.fill('{ "yaw": 0.3,');
    await expect(page.getByText(/This is not JSON yet/)).toBeVisible();
    await page.getByRole('radio', { name: 'Form' }).check();
    await page.getByRole('radio', { name: 'JSON' }).check();
    await expect(json).toHaveValue('{ "yaw": 0.3,');
    await json.fill('{ "yaw": 0.3 }');
    await json.press('Control+Enter');
    await expect(reply(page).getByText('Done', { exact: true })).toBeVisible();
  });

  await test.step('the programs that are copied run as they are, in a clone', async () => {
    const env: NodeJS.ProcessEnv = { ...process.env, FORCE_COLOR: '0' };
    delete env.PLATFORM_API_KEY;
    const copied = async (language: 'TypeScript' | 'Python'): Promise<string> => {
      await page.getByRole('radio', { name: language }).check();
      await expect(page.getByRole('region', { name: `The call in ${language}` })).toContainText('set_head');
      await button(page, 'Copy the code').click();
      await expect(page.getByText('Copied')).toBeVisible();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await button(page, 'Show as code').click();
    // In the clone, under a name that its keeper ignores.
    const [call, pyCall] = [join(CLONE, '.cache', `copied-${info.workerIndex}.ts`), info.outputPath('call.py')];
    await writeFile(call, await copied('TypeScript'));
    const withKey = { ...env, PLATFORM_API_KEY: platform.apiKey };
    const inTypescript = await run('npx', ['tsx', call], { env: withKey, cwd: CLONE }).finally(() => rm(call, { force: true }));
    expect(inTypescript.stdout).toMatch(/^done \{ target: \{ yaw: 0\.3/);
    await writeFile(pyCall, await copied('Python'));
    // The key is where `npm start` leaves it.
    await mkdir(info.outputPath('.simplesim'));
    await writeFile(info.outputPath('.simplesim/local.json'), JSON.stringify({ api_key: platform.apiKey }));
    const python = pythonWith(NEWEST_LIVEKIT, () => {});
    const inPython = await run(python, [pyCall], { env, cwd: info.outputPath() });
    expect(inPython.stdout).toContain('done');
  });

  await test.step('pictures and reads come to the same place', async () => {
    await openSkill(page, 'runtime.cameras_capture');
    await page.getByLabel(/^Width/).fill('320');
    await page.getByLabel(/^Height/).fill('180');
    await page.keyboard.press('Enter');
    const picture = page.getByRole('img', { name: /What the camera pov saw at step/ });
    await expect(picture).toHaveJSProperty('naturalWidth', 320);
    await expect(reply(page)).toContainText('intrinsics');
    await openSkill(page, 'runtime.scene_state');
    await page.getByRole('checkbox', { name: 'pad' }).check();
    await button(page, 'Ask').click();
    await expect(page.getByRole('treeitem', { name: /^pad_E/ })).toBeVisible();
    await expect(page.getByRole('treeitem', { name: /^cube_0/ })).toBeHidden();
    await everybodyCanUse(page);
  });

  await test.step('the history outlives a reload; a call of it is changed and run again', async () => {
    await page.reload();
    await page.getByRole('radio', { name: /^History/ }).check();
    await expect(page.getByRole('list', { name: 'Called from this page' }).getByRole('listitem')).toHaveCount(5);
    await button(page, 'Change: Pick up cube_0').click();
    await expect(page.getByLabel('Entity id')).toHaveValue('cube_0');
    await page.getByLabel('Entity id').fill('cube_99');
    await button(page, 'Run').click();
    await expect(page.getByLabel('Entity id')).toHaveAccessibleDescription(/Nothing in the scene has the id "cube_99"/);
    await page.getByLabel('Entity id').fill('cube_1');
    await button(page, 'Run').click();
    // The reload has left the cube of the first call in the hands.
    await expect(reply(page).getByText('HANDS_FULL')).toBeVisible();
  });
  await context.close();
});

test('the panel shows the driver, past actions with their times, and the present state', async ({
  robot,
  open,
  expectedProblems,
}) => {
  const page = await open(await robot.keyUrl());
  const ada = await robot.join('ada');
  await ada.ready();
  await expect(tab(page, 'Skills')).toBeVisible();

  await test.step('people: who has the robot moving, and what each did last', async () => {
    // Time runs slowly, so that the walk lasts however busy the machine is.
    await ada.invoke('set_sim_speed', { speed: 0.1 });
    const walk = ada.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_C' } }, { action_id: 'walk' }, 300_000);
    await button(page, /^In the room: 2\. ada drives/).click();
    const room = page.getByRole('dialog', { name: 'In the room' });
    await expect(room).toContainText(/ada has the robot moving for .*: Walk to pad_C/);
    await expect(room.getByRole('listitem').filter({ hasText: 'ada' })).toContainText(/Walk to pad_C · running/);
    // Any number of people may come: those that have no room are scrolled to, and none is off the page.
    await page.setViewportSize({ width: 1440, height: 180 });
    await expect.poll(() => room.evaluate((list) => list.getBoundingClientRect().bottom)).toBeLessThanOrEqual(180);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await ada.call('runtime.state')).robot.extra.command.vx).toBeGreaterThan(0.4);
    await button(page, 'Cancel: Walk to pad_C').click();
    expect((await walk).error.code).toBe('CANCELLED');
    await expect(button(page, /^In the room: 2$/)).toBeVisible();
    await ada.invoke('set_sim_speed', { speed: 1 });
  });

  await test.step('charts show the walk, also in figures', async () => {
    await tab(page, 'State').click();
    await expect(page.locator('.chart-canvas canvas').first()).toBeVisible();
    const speed = page.getByRole('table', { name: /^Speed/ });
    await expect(speed.getByRole('row', { name: /^Measured/ })).toContainText(/[01]\.[1-9]\d m\/s/);
    await expect(page.getByRole('table', { name: /^Real-time factor/ })).toContainText('×');
  });

  await test.step('every value can be found and is alive', async () => {
    await page.getByLabel('Find a value').fill('head measured yaw');
    const yaw = page.getByRole('treeitem', { name: /^yaw/ });
    await expect(yaw).toHaveCount(1);
    const before = await yaw.innerText();
    await ada.invoke('set_head', { yaw: 0.7 });
    await expect(yaw).not.toHaveText(before);
    await yaw.click();
    await expect(page.locator('.tree-path')).toHaveText('robot.extra.head.measured.yaw');
    await everybodyCanUse(page);
  });

  await test.step('an entity is chosen and looked at from the list of the scene', async () => {
    await tab(page, 'Scene').click();
    await page.getByLabel('Find an entity').fill('red pad');
    const row = button(page, /^pad_B/);
    await row.focus();
    await page.keyboard.press('Enter');
    await expect(row).toHaveAttribute('aria-expanded', 'true');
    await page.locator('.side-panel').getByRole('button', { name: 'Look at: pad_B' }).press('Enter');
    await expect(page.locator('.entity-run')).toContainText('Look at pad_B: done in');
  });

  await test.step('actions are filtered, saved, and taken back to the console', async () => {
    await tab(page, 'Actions').click();
    const rows = page.locator('.action');
    await expect(rows).toHaveCount(5);
    await page.getByRole('radio', { name: '30 min' }).check();
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
      '5 actions in the last 30 minutes: 4 done, 1 cancelled.',
    );
    await button(page, 'Filter').click();
    await page.getByRole('combobox', { name: 'Caller' }).selectOption('participant ada');
    await expect(rows).toHaveCount(4);
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('cancelled');
    await expect(rows).toHaveCount(1);
    await everybodyCanUse(page);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as JSON').click()]);
    expect(download.suggestedFilename()).toMatch(/^actions-.*\.json$/);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(saved).toMatchObject({
      filter: { caller: 'participant ada', status: 'cancelled' },
      actions: [{ action_id: 'walk', name: 'go_to', caller: 'ada', result: { error: { code: 'CANCELLED' } } }],
    });
    expect(saved.actions).toHaveLength(1);
    await page.getByRole('group', { name: 'Actions over time' }).getByRole('button').first().click();
    await button(page, 'Run again').click();
    await expect(page.getByLabel('Entity id')).toHaveValue('pad_C');
  });

  await test.step('a picture of the robot is saved by one press, under a name that describes it', async () => {
    const save = button(page, 'Save a picture of the head camera');
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toMatch(/^[A-Za-z0-9-]+_pov_step-\d+\.jpg$/);
    expect([...(await readFile(await download.path())).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  });

  await test.step('a participant that has left is marked, and the person here is “this page”', async () => {
    const bob = await robot.join('bob');
    expect((await bob.invoke('set_head', { yaw: 0.2 }, { action_id: 'bobs' })).status).toBe('done');
    await expect(button(page, /^In the room: 3/)).toBeVisible();
    await bob.leave();
    await button(page, /^In the room: 2/).click();
    const room = page.getByRole('dialog', { name: 'In the room' });
    await expect(room.getByRole('listitem').filter({ hasText: 'bob' })).toContainText('has left');
    await expect(room.getByRole('listitem').filter({ hasText: 'this page' })).toHaveCount(1);
    await page.keyboard.press('Escape');
  });

  await test.step('a part that fails takes nothing else with it, and can be shown again', async () => {
    expectedProblems.push(/A part of the page fails/);
    await page.evaluate(() => {
      Element.prototype.scrollIntoView = () => {
        throw new Error('A part of the page fails');
      };
    });
    await button(page, 'Show as code').click();
    await expect(page.getByRole('alert')).toContainText('The workbench failed, and is hidden. The robot keeps running.');
    const turning = ada.invoke('set_velocity', { wz: 0.2, duration_s: 300 }, {}, 300_000);
    await button(page, /^Stop/).click();
    expect((await turning).error.code).toBe('CANCELLED');
    await button(page, 'Show it again').click();
    await expect(tab(page, 'Skills')).toBeVisible();
  });
});
