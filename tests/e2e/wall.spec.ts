/** The page of all robots of an account, in a real browser: by its one-time link, by a pasted key, by keyboard, at three sizes. */
import type { Page } from '@playwright/test';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

const SIZES = [
  { width: 1440, height: 900, themes: ['dark', 'light'] },
  { width: 900, height: 700, themes: [] },
  { width: 390, height: 844, themes: ['dark', 'light'] },
] as const;

async function check(page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const { width, height, themes } of SIZES) {
    await page.setViewportSize({ width, height });
    await expectNothingCutOff(page, `${state} at ${width} × ${height}`);
    await expectNoAxeFindings(page, `${state} at ${width} × ${height}`, themes);
  }
  if (before) await page.setViewportSize(before);
}

/** Everything that the page has written down somewhere: its elements with their attributes, storage, cookies, address and history. */
const traces = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input, select, textarea')].map((field) => (field as HTMLInputElement).value),
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      databases,
      // The browser itself remembers the address that this tab was opened with; the code in it is used up.
      performance.getEntriesByType('resource').map(({ name }) => name),
    ]);
  });

const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a one-time link shows the robots, once, and leaves neither code nor key behind', async ({ platform, open }) => {
  const url = platform.makeRobotsUrl();
  const code = url.split('#open=')[1] ?? '';
  const page = await open(url);
  await expect(page.getByTestId('count')).toContainText('robot');
  expect(page.url()).toBe(`${platform.viewerUrl}/robots`);
  for (const secret of [code, platform.apiKey]) expect(await traces(page)).not.toContain(secret);
  await page.reload();
  await expect(page.getByText('has forgotten the key')).toBeVisible();
  const again = await open(url);
  await expect(again.getByRole('alert')).toContainText('This link has been used');
  expect(again.url()).toBe(`${platform.viewerUrl}/robots`);
});

test('a key is pasted; what is wrong with another is said; a lock forgets it', async ({ platform, open, expectedProblems }) => {
  // The browser tells of each refusal by itself.
  expectedProblems.push(/status of 401/);
  const page = await open(`${platform.viewerUrl}/robots`);
  const field = page.getByLabel('API key');
  await field.fill('not a key');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('one word without spaces');
  await field.fill('sk_live_nobody-has-this-one');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('does not know that API key');
  await field.fill(platform.apiKey);
  await field.press('Enter');
  await expect(page.getByTestId('count')).toBeVisible();
  expect(await traces(page)).not.toContain(platform.apiKey);
  await page.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByText('The key is forgotten')).toBeVisible();
  expect(await traces(page)).not.toContain(platform.apiKey);
});

test('a robot is made, opened, renamed and deleted, and its card says what it does', async ({ platform, client, open }) => {
  const page = await open(platform.makeRobotsUrl());
  await page.getByRole('button', { name: 'New robot' }).click();
  await page.getByRole('button', { name: 'Make it' }).click();
  await expect(page.getByRole('alert')).toContainText('needs a name');
  await page.getByLabel('Name', { exact: true }).fill('Wilma');
  await page.getByRole('button', { name: 'Make it' }).click();
  await expect(page.getByRole('dialog', { name: 'Wilma is made' })).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(page.locator('.secret-text')).toContainText(/\d{6}/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(card(page, 'Wilma')).toContainText('Not open');

  const [robotPage] = await Promise.all([
    page.context().waitForEvent('page'),
    card(page, 'Wilma').getByRole('button', { name: 'Open Wilma' }).click(),
  ]);
  await expect(robotPage.getByTestId('state')).toHaveText('Ready');
  expect(robotPage.url()).toBe(`${platform.viewerUrl}/`);
  await expect(card(page, 'Wilma')).toContainText('Ready');
  await expect(card(page, 'Wilma')).toContainText('its page');
  const { robots } = await client.robots.list({ limit: 100 });
  const id = robots.find(({ name }) => name === 'Wilma')?.id ?? '';
  await client.robots.sendSemanticCommand(id, 'turn-left');
  await expect(card(page, 'Wilma')).toContainText('set_velocity done');

  await page.getByRole('button', { name: 'Rename Wilma' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Betty');
  await page.keyboard.press('Enter');
  await expect(card(page, 'Betty')).toBeVisible();

  await page.getByRole('button', { name: 'Delete Betty' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(card(page, 'Betty')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Betty' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(card(page, 'Betty')).toBeHidden();
  await expect(client.robots.get(id)).rejects.toMatchObject({ code: 'robot.not_found' });
  await robotPage.close();
});

test('a claim with a wrong PIN says so, and what was typed stays', async ({ platform, open, expectedProblems }) => {
  expectedProblems.push(/status of 4\d\d/);
  const page = await open(platform.makeRobotsUrl());
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByLabel('Id of the robot').fill('nobody');
  await page.getByLabel('PIN').fill('123456');
  await page.getByRole('button', { name: 'Claim it' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('no robot with this id');
  await expect(page.getByLabel('Id of the robot')).toHaveValue('nobody');
});

test('a key is made, shown once, used and revoked; revoking the own one locks the page', async ({
  platform,
  client,
  open,
  expectedProblems,
}) => {
  expectedProblems.push(/status of 401/);
  const { api_key: own } = await client.apiKeys.create({ name: 'of the page' });
  const page = await open(`${platform.viewerUrl}/robots`);
  await page.getByLabel('API key').fill(own);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'API keys' }).click();
  await page.getByLabel('Name of a new key').fill('Sorting agent');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await expect(page.getByText('Copy the key now')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const key = (await page.locator('.secret-text code').textContent()) ?? '';
  const statusWith = async (given: string) =>
    (await fetch(`${platform.baseUrl}/v1/robots`, { headers: { Authorization: `Bearer ${given}` } })).status;
  expect(await statusWith(key)).toBe(200);
  await page.getByRole('button', { name: 'I have it' }).click();
  expect(await traces(page)).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke Sorting agent' }).click();
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await expect(page.getByText('Sorting agent', { exact: true })).toBeHidden();
  expect(await statusWith(key)).toBe(401);
  await page.getByRole('button', { name: 'Revoke of the page' }).click();
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await expect(page.getByText('The key that this page used is revoked')).toBeVisible();
  expect(await traces(page)).not.toContain(own);
});

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
  await expect(card(page, 'By hand')).toBeVisible();
  const { robots } = await client.robots.list({ limit: 100 });
  for (const { id, name } of robots) if (name === 'By hand') await client.robots.delete(id);
});

test('axe finds nothing and no word is cut off: the way in, the list, every dialog', async ({ platform, open, robot }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  await expect(page.getByRole('heading', { name: 'Your robots' })).toBeVisible();
  await check(page, 'the way in');
  await page.getByLabel('API key').press('Enter');
  await expect(page.getByRole('alert')).toContainText('This is empty');
  await check(page, 'the way in, with a problem');
  await page.goto('about:blank');
  await page.goto(platform.makeRobotsUrl());
  await expect(page.getByTestId('count')).toBeVisible();
  await expect(page.getByText('Nobody there').first()).toBeVisible();
  await check(page, `the list with ${robot.id}`);
  await page.getByRole('searchbox').fill('nothing of that name');
  await expect(page.getByText('No robot fits')).toBeVisible();
  await check(page, 'a search that finds nothing');
  await page.getByRole('searchbox').fill('');
  for (const name of ['New robot', 'Claim', 'API keys']) {
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    if (name === 'API keys') await expect(page.getByText('this page uses it')).toBeVisible();
    await check(page, name);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await page
    .getByRole('button', { name: /^Rename/ })
    .first()
    .click();
  await check(page, 'renaming');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await check(page, 'deleting');
});

test('nothing that the page does breaks its policy, and it asks no other address', async ({ platform, browser, open }) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const violations: string[] = [];
  const addresses: string[] = [];
  await context.exposeFunction('noteViolation', (words: string) => violations.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { noteViolation } = window as unknown as { noteViolation: (words: string) => void };
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

test('two hundred robots are in the list, found, and asked after with two requests', async ({ platform, open }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = Array.from({ length: 200 }, (_, i) => ({
    id: `robot-${String(i).padStart(3, '0')}`,
    name: `Robot ${i}`,
    model: 'simplesim-humanoid-1',
    type: 'virtual',
  }));
  const asked: string[] = [];
  await page.route('**/v1/**', async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.pathname);
    const after = url.searchParams.get('after_id') ?? '';
    const rest = robots.filter(({ id }) => id > after);
    const result = url.pathname === '/v1/robots' ? rest.slice(0, 100) : [];
    const nextId = url.pathname === '/v1/robots' && rest.length > 100 ? result.at(-1)?.id : null;
    await route.fulfill({ json: { code: 'ok', result, next_id: nextId, total: robots.length } });
  });
  await page.getByLabel('API key').fill('sk_live_of-this-test');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('count')).toHaveText('200 robots, 0 in a room');
  await expect(page.locator('.robot-card')).toHaveCount(200);
  expect(asked).toEqual(['/v1/robots', '/v1/robots', '/v1/sessions']);
  await page.getByRole('searchbox').fill('robot 17');
  await expect(page.locator('.robot-card')).toHaveCount(12);
  await page.unrouteAll({ behavior: 'wait' });
});
