/** The page of all robots, for everyone: by keyboard, for a screen reader, at three sizes, within its policy, with two hundred of them. */
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { fakeRobot, fakeSession, showFakeAccount } from './support/fake-account.ts';
import { expect, test } from './support/fixtures.ts';
import { cardOf, checkAtAllSizes, chooseFromCard } from './support/wall.ts';

test('by keyboard alone: the key, a robot, a dialog left by Escape', async ({ platform, open, client }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  await expect(page.getByLabel('API key')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('API key')).toBeFocused();
  await page.keyboard.insertText(platform.apiKey);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('count')).toBeVisible();
  const wanted = page.getByRole('button', { name: 'New robot' });
  for (let i = 0; i < 5 && !(await wanted.evaluate((element) => element === document.activeElement)); i += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'By hand is made' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(wanted).toBeFocused();
  await expect(cardOf(page, 'By hand')).toBeVisible();
  const more = page.getByRole('button', { name: 'More for By hand' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rename By hand' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  const { robots } = await client.robots.list({ limit: 100 });
  for (const { id, name } of robots) if (name === 'By hand') await client.robots.delete(id);
});

test('axe finds nothing and no word is cut off: the way in, the list, every dialog', async ({ platform, open, robot }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  await expect(page.getByRole('heading', { name: 'Your robots' })).toBeVisible();
  await checkAtAllSizes(page, 'the way in');
  await page.getByLabel('API key').press('Enter');
  await expect(page.getByRole('alert')).toContainText('This is empty');
  await checkAtAllSizes(page, 'the way in, with a problem');
  await page.goto('about:blank');
  await page.goto(platform.makeRobotsUrl());
  await expect(page.getByTestId('count')).toBeVisible();
  await expect(page.getByText('No robot there').first()).toBeVisible();
  await checkAtAllSizes(page, `the list with ${robot.id}`);
  await page.getByRole('searchbox').fill('nothing of that name');
  await expect(page.getByText('No robot matches')).toBeVisible();
  await checkAtAllSizes(page, 'a search that finds nothing');
  await page.getByRole('searchbox').fill('');
  for (const name of ['New robot', 'Claim', 'API keys']) {
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    if (name === 'API keys') await expect(page.getByText('this page uses it')).toBeVisible();
    await checkAtAllSizes(page, name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await expect(page.getByRole('menuitem', { name: 'Copy link to drive' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await expectNothingCutOff(page, 'the menu of a robot');
  await expectNoAxeFindings(page, 'the menu of a robot');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(page.getByRole('button', { name: /^More for/ }).first()).toBeFocused();
  await chooseFromCard(page, /^More for/, 'Rename');
  await checkAtAllSizes(page, 'renaming');
  await page.keyboard.press('Escape');
  await chooseFromCard(page, /^More for/, 'Delete');
  await checkAtAllSizes(page, 'deleting');
});

test('nothing that the page does breaks its policy, and it asks no other address', async ({ platform, browser, open }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const violations: string[] = [];
  const addresses: string[] = [];
  await context.exposeFunction('noteViolation', (text: string) => violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = window as unknown as { noteViolation: (text: string) => void };
      noteViolation(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on('request', (request) => addresses.push(request.url()));
  const page = await open(platform.makeRobotsUrl(), context);
  await expect(page.getByTestId('count')).toBeVisible();
  for (const name of ['New robot', 'API keys']) {
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
  }
  expect(violations).toEqual([]);
  expect(await page.evaluate(() => document.querySelectorAll('style').length)).toBe(0);
  expect(addresses.filter((url) => !url.startsWith(platform.viewerUrl))).toEqual([]);
  expect(addresses.join('\n')).not.toContain('open=');
  await page.close();
  await context.close();
});

test('a card shows its whole last action and keeps its stop beside its links, and three cards fill the width of a desktop window', async ({
  platform,
  open,
}) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = [fakeRobot(1), fakeRobot(2), fakeRobot(3)];
  const finished_at_ms = Date.now() - 3_600_000;
  const last_action = { name: 'configure_benchmark', status: 'cancelled', finished_at_ms } as const;
  await showFakeAccount(
    page,
    robots,
    robots.map((robot) => fakeSession(robot, { last_action })),
  );
  const card = cardOf(page, 'Robot 1');
  const facts = card.locator('dd');
  await expect(facts.first()).toContainText('configure_benchmark cancelled');
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = () =>
      facts.evaluateAll((all) => all.filter((dd) => dd.scrollWidth > dd.clientWidth || dd.scrollHeight > dd.clientHeight).length);
    await expect.poll(cut, { message: `what is cut off at ${width}` }).toBe(0);
    const topOf = async (name: RegExp) => (await card.getByRole('button', { name }).boundingBox())?.y ?? -1;
    expect(Math.abs((await topOf(/^Emergency stop/)) - (await topOf(/^Open/))), `rows of buttons at ${width}`).toBeLessThan(10);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const last = await cardOf(page, 'Robot 3').boundingBox();
  expect(1440 - ((last?.x ?? 0) + (last?.width ?? 0)), 'free to the right of the third card').toBeLessThan(48);
  await page.unrouteAll({ behavior: 'wait' });
});

test('two hundred robots are in the list, found, and asked after with two requests', async ({ platform, open }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = Array.from({ length: 200 }, (_, i) => fakeRobot(i));
  const { asked } = await showFakeAccount(
    page,
    robots,
    robots.slice(0, 150).map((robot, i) => fakeSession(robot, { scene_id: i % 2 === 0 ? 'warehouse' : 'hall' })),
  );
  await expect(page.getByTestId('count')).toHaveText('200 robots, 150 in a room');
  await expect(page.locator('.robot-card')).toHaveCount(200);
  expect(asked).toEqual(['/rcs/v1/robots', '/rcs/v1/robots', '/rcs/v1/sessions', '/rcs/v1/sessions']);
  await expect(page.locator('.plan-picture')).toHaveCount(150);
  await page.getByRole('searchbox').fill('robot 17');
  await expect(page.locator('.robot-card')).toHaveCount(12);
  await page.unrouteAll({ behavior: 'wait' });
});
