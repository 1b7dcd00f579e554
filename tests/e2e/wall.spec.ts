/** The page of all robots of an account, in a real browser: by its one-time link, by a pasted key, by keyboard, at three sizes. */
import type { Page } from '@playwright/test';
import type { Robot } from '../../src/protocol/control-service.ts';
import { runtimeIdentity } from '../../src/protocol/identity.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { fakeRobot, fakeSession, showFakeAccount } from './support/fake-account.ts';
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

/** Chooses an entry of the menu of a robot's card. */
async function choose(page: Page, name: string | RegExp, entry: string): Promise<void> {
  await page
    .getByRole('button', { name: typeof name === 'string' ? `More for ${name}` : name })
    .first()
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

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

  await choose(page, 'Wilma', 'Rename');
  await page.getByLabel('Name', { exact: true }).fill('Betty');
  await page.keyboard.press('Enter');
  await expect(card(page, 'Betty')).toBeVisible();

  await choose(page, 'Betty', 'Delete');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(card(page, 'Betty')).toBeVisible();
  await choose(page, 'Betty', 'Delete');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await expect(card(page, 'Betty')).toBeHidden();
  await expect(client.robots.get(id)).rejects.toMatchObject({ code: 'robot.not_found' });
  await robotPage.close();
});

test('the links to drive and to watch open the robot, and a plan shows where it walks', async ({
  platform,
  client,
  robot,
  open,
  openHidden,
}, info) => {
  const own = await openHidden(await robot.keyUrl());
  await expect(own.getByTestId('state')).toHaveText('Ready');
  const page = await open(platform.makeRobotsUrl());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = info.title.slice(0, 60).trim();
  const its = card(page, name);
  const plan = its.getByRole('img', { name: /Plan of the scene Warehouse, from above: .* at x 0\.4 m, y −1\.5 m, heading 0°/ });
  await expect(plan).toBeVisible();
  await expect(its.getByTestId('plan-age')).toHaveText(/^(?:now|\d s ago)$/);

  const mark = its.getByTestId('plan-robot');
  const before = await mark.getAttribute('transform');
  const walked = await client.robots.sendSessionCommand(robot.id, 'go_to', {
    target: { kind: 'pose', pose: { position: [-0.6, -3.6, 0], yaw_deg: 90 } },
  });
  expect(walked.status).toBe('done');
  await expect(its.getByRole('img', { name: /at x −0\.6 m, y −3\.6 m, heading 90°/ })).toBeVisible();
  expect(await mark.getAttribute('transform')).not.toBe(before);

  const opened = async (button: string): Promise<Page> => {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      its.getByRole('button', { name: `${button} ${name}` }).click(),
    ]);
    await expect(tab.getByTestId('freshness')).toContainText('Live');
    expect(tab.url()).toBe(`${platform.viewerUrl}/`);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    return tab;
  };
  const watching = await opened('Watch');
  await expect(watching.getByText('Watching')).toBeVisible();
  await expect(watching.getByRole('button', { name: 'Drive by hand' })).toBeHidden();
  await watching.close();
  const driving = await opened('Drive');
  await expect(driving.getByText('At a distance')).toBeVisible();
  await expect(driving.getByRole('button', { name: 'Drive by hand' })).toBeVisible();
  await expect(its).toContainText('operator');
  await driving.close();

  for (const [entry, does] of [
    ['Copy link to watch', 'They can do nothing'],
    ['Copy link to drive', 'may call, drive and stop the robot'],
  ] as const) {
    await choose(page, name, entry);
    const notice = page.getByRole('listitem').filter({ hasText: does });
    await expect(notice).toContainText('It ends in 4 h');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${platform.viewerUrl}/#key=k1~`));
    expect(await traces(page)).not.toContain(link.split('#key=')[1]);
    const guest = await open(link);
    await expect(guest.getByTestId('freshness')).toContainText('Live');
    await guest.close();
  }
});

test('a robot of a worker, or of a body, is driven and watched, and no page takes its place', async ({ platform, open }) => {
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = [
    fakeRobot(0),
    fakeRobot(1),
    fakeRobot(2, { type: 'physical' }),
    fakeRobot(3),
    fakeRobot(4, { type: 'physical' }),
  ];
  const [first, second, third] = robots as [Robot, Robot, Robot, Robot, Robot];
  await showFakeAccount(page, robots, [fakeSession(first, {}), fakeSession(second, {}, true), fakeSession(third, {}, true)]);
  const words = async (name: string) => {
    const buttons = await card(page, name).getByRole('button').all();
    return Promise.all(buttons.map(async (one) => `${await one.textContent()}${(await one.isEnabled()) ? '' : ' (off)'}`));
  };
  await expect(page.locator('.robot-card')).toHaveCount(5);
  // The last ones are signs: the emergency stop of one that somebody is, and the menu.
  expect(await words('Robot 0')).toEqual(['Open', 'Drive', 'Watch', '', '']);
  expect(await words('Robot 1')).toEqual(['Drive', 'Watch', '', '']);
  expect(await words('Robot 2')).toEqual(['Drive', 'Watch', '', '']);
  expect(await words('Robot 3')).toEqual(['Open', 'Drive (off)', 'Watch (off)', '']);
  expect(await words('Robot 4')).toEqual(['Drive', 'Watch (off)', '']);
  await page.unrouteAll({ behavior: 'wait' });
});

test('a robot without a page has its plan, and is driven from here', async ({ platform, client, open }) => {
  const worker = runWorker(['--log', 'json', '--seed', '1', '--name', 'walled'], { SIMPLESIM_DATA_DIR: platform.dataDir });
  try {
    await worker.logged('registered');
    const { robot } = await client.robots.create({ name: 'Headless on the wall', model: 'simplesim-humanoid-1' });
    await client.robots.createSession(robot.id, { workerNames: ['walled'] });
    const page = await open(platform.makeRobotsUrl());
    const its = card(page, robot.name);
    await expect(its.getByTestId('plan-robot')).toBeVisible();
    await expect(its.getByTestId('plan-age')).toHaveText(/^(?:now|\d s ago)$/);
    await expect(its.getByRole('button', { name: `Open ${robot.name}` })).toBeHidden();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      its.getByRole('button', { name: `Drive ${robot.name}` }).click(),
    ]);
    await expect(tab.getByTestId('freshness')).toContainText('Live');
    await expect(tab.getByText('At a distance')).toBeVisible();
    await tab.close();
    // A worker that is killed says nothing more; what it said last grows old.
    worker.child.kill('SIGKILL');
    await expect(its.locator('.plan-old')).toBeVisible();
    await client.robots.delete(robot.id);
  } finally {
    killWorkers();
  }
});

test('what goes wrong with a link is said, and no link is left behind', async ({ platform, open, expectedProblems }) => {
  expectedProblems.push(/status of 4\d\d/);
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = [fakeRobot(0), fakeRobot(1, { type: 'physical' })];
  const [first] = robots as [Robot, Robot];
  const account = await showFakeAccount(page, robots, [fakeSession(first, {})]);
  const asked: string[] = [];
  let answer: { status: number; json: object } = { status: 200, json: {} };
  await page.route('**/session{,/participant-token}', async (route) => {
    asked.push(`${new URL(route.request().url()).pathname} ${route.request().postData()}`);
    await route.fulfill(answer);
  });
  const token = { livekit_url: 'wss://sfu', participant_token: 'se.cr.et', expires_at: '2030-01-01T04:00:00.000Z' };
  const made = { status: 200, json: { code: 'ok', result: token } };
  const notice = card(page, 'Robot 0').getByRole('status');

  await test.step('the session has ended meanwhile', async () => {
    answer = {
      status: 404,
      json: { code: 'session.not_found', message: 'The robot has no open session. Open one.', details: {} },
    };
    await page.getByRole('button', { name: 'Watch Robot 0' }).click();
    await expect(notice).toContainText('has no open session');
    await check(page, 'a link that was refused');
  });
  await test.step('the clipboard is refused', async () => {
    answer = made;
    // What a browser does that does not let the page write.
    await page.evaluate(() => {
      const refuse = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
      Object.defineProperty(navigator, 'clipboard', { value: { write: refuse, writeText: refuse } });
    });
    await choose(page, 'Robot 0', 'Copy link to watch');
    await expect(notice).toContainText('Nothing was copied');
  });
  await test.step('the press is too long ago, and another press opens the same link', async () => {
    await page.evaluate(() => {
      const page = window as unknown as { opened: string[] };
      page.opened = [];
      window.open = (url, _target, features) => {
        page.opened.push(`${url} ${features}`);
        return null;
      };
      Object.defineProperty(navigator, 'userActivation', { value: { isActive: false }, configurable: true });
    });
    await page.getByRole('button', { name: 'Drive Robot 0' }).click();
    await expect(notice).toContainText('would block the new tab');
    expect(await traces(page)).not.toContain('k1~');
    await page.evaluate(() => Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } }));
    await notice.getByRole('button', { name: 'Open it now' }).click();
    // No other tab comes to the front, as when the browser blocks it.
    await expect(notice).toContainText('allow pop-ups for this site');
    const opened = await page.evaluate(() => (window as unknown as { opened: string[] }).opened);
    expect(opened).toEqual([expect.stringMatching(/#key=k1~\S+ noopener,noreferrer$/)]);
    expect(await traces(page)).not.toContain('k1~');
  });
  await test.step('the robot of a body gets its session first, with the workers of the platform', async () => {
    asked.length = 0;
    await page.getByRole('button', { name: 'Drive Robot 1' }).click();
    await expect(card(page, 'Robot 1').getByRole('status')).toContainText('pop-ups');
    expect(asked).toEqual([
      '/v1/robots/robot-001/session {}',
      expect.stringMatching(
        /^\/v1\/robots\/robot-001\/session\/participant-token \{"access":"drive","participant_identity":"operator-/,
      ),
    ]);
  });
  await test.step('two presses in a row make one link', async () => {
    asked.length = 0;
    await page.getByRole('button', { name: 'Watch Robot 0' }).dblclick();
    await expect(notice).toContainText('pop-ups');
    expect(asked).toHaveLength(1);
  });
  await test.step('the API key has ended: the page is locked', async () => {
    const refused = { code: 'http.401', message: 'unauthorized', details: { hint: 'This API key has expired.' } };
    answer = { status: 401, json: refused };
    await page.getByRole('button', { name: 'Drive Robot 0' }).click();
    await expect(page.getByRole('alert')).toContainText('This API key has expired');
    expect(account.asked.length).toBeGreaterThan(0);
  });
  await page.unrouteAll({ behavior: 'wait' });
});

test('a runtime that lies about its place is shown as one that does not say it', async ({
  platform,
  client,
  robot,
  open,
}, info) => {
  const liar = await robot.join(runtimeIdentity('simulator', robot.id));
  const said: { robot: Record<string, unknown>; extra: Record<string, unknown> } = { robot: {}, extra: {} };
  liar.room.localParticipant?.registerRpcMethod('runtime.state', async () =>
    JSON.stringify({
      runtime: { status: 'ready' },
      robot: { status: 'ready', held_entity_ids: [], ...said.robot, extra: { scene_id: 'warehouse', ...said.extra } },
    }).replaceAll('"1e999"', '1e999'),
  );
  const page = await open(platform.makeRobotsUrl());
  const its = card(page, info.title.slice(0, 60).trim());
  await expect(its).toContainText('It does not say where it is.');

  said.robot = { pose: { position: [2, 1, 0], yaw_deg: 45 }, held_entity_ids: ['<img src=x onerror=alert(1)>', 'b\u202ec'] };
  said.extra = { scene_id: 'moon' };
  await expect(its).toContainText('no plan of its scene moon. It is at x 2.0 m, y 1.0 m, heading 45°');
  await expect(its).toContainText('<img src=x onerror=alert(1)>');
  expect(await its.locator('img').count()).toBe(0);
  await expectNothingCutOff(page, 'a scene that the page does not know');
  await expectNoAxeFindings(page, 'a scene that the page does not know');

  said.extra = { scene_id: '"><script>alert(1)</script>' };
  await expect(its).toContainText('It does not say which scene it is in');
  said.extra = {};
  await expect(its.getByTestId('plan-robot')).toBeVisible();
  // Beyond what a number holds; the service's own tests have more.
  said.robot = { pose: { position: ['1e999', 0, 0], yaw_deg: 0 } };
  await expect(its).toContainText('It does not say where it is.');
  await expect(its.getByTestId('plan-robot')).toBeHidden();
  said.robot = { pose: { position: [900, 3, 0], yaw_deg: 0 } };
  await expect(its.getByRole('img', { name: 'outside of the plan' })).toBeVisible();
  await expect(its.getByTestId('plan-robot')).toBeHidden();

  await test.step('once it has left, its last place is dimmed and says its age', async () => {
    said.robot = { pose: { position: [0, 0, 0], yaw_deg: 0 } };
    await expect(its.getByTestId('plan-robot')).toBeVisible();
    await liar.leave();
    await expect(its).toContainText('Nobody there');
    await expect(its.locator('.plan-old')).toBeVisible();
    await expect(its.getByTestId('plan-age')).toHaveText(/^(?:\d\d s|\d+ min) ago$/);
    await expectNoAxeFindings(page, 'an old plan');
    await client.robots.deleteSession(robot.id);
    await expect(its).toContainText('It is in no room.');
  });
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
  await expect(wanted).toBeFocused();
  await expect(card(page, 'By hand')).toBeVisible();
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
  await choose(page, /^More for/, 'Rename');
  await check(page, 'renaming');
  await page.keyboard.press('Escape');
  await choose(page, /^More for/, 'Delete');
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
  const robots = Array.from({ length: 200 }, (_, i) => fakeRobot(i));
  const { asked } = await showFakeAccount(
    page,
    robots,
    robots.slice(0, 150).map((robot, i) => fakeSession(robot, { scene_id: i % 2 === 0 ? 'warehouse' : 'hall' })),
  );
  await expect(page.getByTestId('count')).toHaveText('200 robots, 150 in a room');
  await expect(page.locator('.robot-card')).toHaveCount(200);
  expect(asked).toEqual(['/v1/robots', '/v1/robots', '/v1/sessions', '/v1/sessions']);
  await expect(page.locator('.plan-picture')).toHaveCount(150);
  await page.getByRole('searchbox').fill('robot 17');
  await expect(page.locator('.robot-card')).toHaveCount(12);
  await page.unrouteAll({ behavior: 'wait' });
});
