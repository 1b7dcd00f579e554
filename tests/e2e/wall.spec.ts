/** The page of all robots of an account, in a real browser: the ways in, its robots and its keys. */
import { expect, test } from './support/fixtures.ts';
import { cardOf, chooseFromCard, tracesOf } from './support/wall.ts';

test.use({ picture: false });

test('a one-time link shows the robots, once, and leaves neither code nor key behind', async ({ platform, open }) => {
  const url = platform.makeRobotsUrl();
  const code = url.split('#open=')[1] ?? '';
  const page = await open(url);
  await expect(page.getByTestId('count')).toContainText('robot');
  expect(page.url()).toBe(`${platform.viewerUrl}/robots`);
  for (const secret of [code, platform.apiKey]) expect(await tracesOf(page)).not.toContain(secret);
  await page.reload();
  await expect(page.getByText('has removed the key')).toBeVisible();
  const again = await open(url);
  await expect(again.getByRole('alert')).toContainText('This link has been used');
  expect(again.url()).toBe(`${platform.viewerUrl}/robots`);
});

test('a key is pasted; the fault of another is shown; a lock forgets it', async ({ platform, open, expectedProblems }) => {
  // The browser reports each rejection on its own.
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
  expect(await tracesOf(page)).not.toContain(platform.apiKey);
  await page.getByRole('button', { name: 'Lock' }).click();
  await expect(page.getByText('The key is forgotten')).toBeVisible();
  expect(await tracesOf(page)).not.toContain(platform.apiKey);
});

test('a robot is made, opened, renamed and deleted, and its card shows its activity', async ({ platform, client, open }) => {
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
  await expect(cardOf(page, 'Wilma')).toContainText('Not open');

  const longest = 'x'.repeat(60);
  await page.getByRole('button', { name: 'New robot' }).click();
  await page.getByLabel('Name', { exact: true }).fill(longest);
  await page.getByRole('button', { name: 'Make it' }).click();
  const made = page.getByRole('dialog', { name: `${longest} is made` });
  const wide = () => made.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  await expect.poll(wide).toBe(0);
  await made.getByRole('button', { name: 'Close' }).click({ trial: true });
  await made.getByRole('button', { name: 'Done' }).click();

  const [robotPage] = await Promise.all([
    page.context().waitForEvent('page'),
    cardOf(page, 'Wilma').getByRole('button', { name: 'Open Wilma' }).click(),
  ]);
  await expect(robotPage.getByTestId('state')).toHaveText('Ready');
  expect(robotPage.url()).toBe(`${platform.viewerUrl}/`);
  await expect(cardOf(page, 'Wilma')).toContainText('Ready');
  await expect(cardOf(page, 'Wilma')).toContainText('its page');
  const { robots } = await client.robots.list({ limit: 100 });
  const id = robots.find(({ name }) => name === 'Wilma')?.id ?? '';
  await client.robots.sendSemanticCommand(id, 'turn-left');
  await expect(cardOf(page, 'Wilma')).toContainText('set_velocity done');

  await chooseFromCard(page, 'Wilma', 'Rename');
  await page.getByLabel('Name', { exact: true }).fill('Betty');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'Betty')).toBeVisible();

  await chooseFromCard(page, 'Betty', 'Delete');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(cardOf(page, 'Betty')).toBeVisible();
  await chooseFromCard(page, 'Betty', 'Delete');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(cardOf(page, 'Betty')).toBeHidden();
  const whatIsLeft = (): Promise<unknown> => client.robots.get(id).catch(({ code }: { code: string }) => code);
  await expect.poll(whatIsLeft).toBe('robot.not_found');
  await robotPage.close();
});

test('a claim with a wrong PIN shows the error and keeps the typed text', async ({ platform, open, expectedProblems }) => {
  expectedProblems.push(/status of 4\d\d/);
  const page = await open(platform.makeRobotsUrl());
  await page.getByRole('button', { name: 'Claim' }).click();
  await page.getByLabel('Id of the robot').fill('nobody');
  await page.getByLabel('PIN').fill('123456');
  await page.getByRole('button', { name: 'Claim it' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('No robot here has this id');
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
  expect(await tracesOf(page)).not.toContain(key);
  await page.getByRole('button', { name: 'Revoke Sorting agent' }).click();
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await expect(page.getByText('Sorting agent', { exact: true })).toBeHidden();
  expect(await statusWith(key)).toBe(401);
  await page.getByRole('button', { name: 'Revoke of the page' }).click();
  await page.getByRole('button', { name: 'Revoke now' }).click();
  await expect(page.getByText('The key that this page used is revoked')).toBeVisible();
  expect(await tracesOf(page)).not.toContain(own);
});
