/** The page of all robots: links to them, plans of where they walk, and what goes wrong with either. */
import type { Page } from '@playwright/test';
import { generateOperatorUrl } from '../../src/client/experimental.ts';
import type { LibraryRobot } from '../../src/protocol/service/control-service.ts';
import { runtimeIdentity } from '../../src/protocol/wire/identity.ts';
import { SESSION, TOKEN } from '../client/helpers/fake-fetch.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { fakeRobot, fakeSession, showFakeAccount } from './support/fake-account.ts';
import { expect, test } from './support/fixtures.ts';
import { cardOf, checkAtAllSizes, chooseFromCard, tracesOf } from './support/wall.ts';

test.use({ picture: false });

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
  const its = cardOf(page, name);
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
    return tab;
  };
  const live = async (tab: Page): Promise<void> => {
    await expect(tab.getByTestId('freshness')).toContainText('Live');
    expect(tab.url()).toBe(`${platform.viewerUrl}/`);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
  };
  const watching = await opened('Watch');
  // Before the page knows what became of the first.
  const driving = await opened('Drive');
  await live(watching);
  await expect(watching.getByText('Watching')).toBeVisible();
  await expect(watching.getByRole('button', { name: 'Drive by hand' })).toBeHidden();
  await watching.close();
  await live(driving);
  await expect(driving.getByText('At a distance')).toBeVisible();
  await expect(driving.getByRole('button', { name: 'Drive by hand' })).toBeVisible();
  await expect(its).toContainText('operator');
  await driving.close();

  for (const [entry, does] of [
    ['Copy link to be the robot', 'A tab that opens it is the robot'],
    ['Copy link to watch', 'cannot control the robot'],
    ['Copy link to drive', 'may call, drive and stop the robot'],
  ] as const) {
    await chooseFromCard(page, name, entry);
    const notice = page.getByRole('listitem').filter({ hasText: does });
    await expect(notice).toContainText('It ends in 4 h');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${platform.viewerUrl}/#key=k1~`));
    expect(await tracesOf(page)).not.toContain(link.split('#key=')[1]);
    const guest = await open(link);
    if (entry === 'Copy link to be the robot') await expect(guest.getByText('Another page is this robot')).toBeVisible();
    else await expect(guest.getByTestId('freshness')).toContainText('Live');
    await guest.close();
  }
});

test('a revoked link removes its page from the room, and the page shows it after a reload too', async ({
  platform,
  client,
  robot,
  open,
  startHeadless,
}, info) => {
  await startHeadless(await robot.keyUrl());
  const guest = await open(
    await generateOperatorUrl(client, robot.id, { participantName: 'Olga', viewerBaseUrl: platform.viewerUrl }),
  );
  await expect(guest.getByTestId('freshness')).toContainText('Live');
  const page = await open(platform.makeRobotsUrl());
  await chooseFromCard(page, info.title.slice(0, 60).trim(), 'Links');
  const valid = page.getByRole('list', { name: 'Valid links' });
  await expect(valid.getByRole('listitem')).toHaveText(/^Olga.*link to drive, made .*, ends in 4 h, at \d\d:\d\d/);
  await expectNoAxeFindings(page, 'the valid links of a robot');
  await valid.getByRole('button', { name: 'Revoke the link to drive of Olga' }).click();
  await expect(page.getByText('No link to this robot is valid.')).toBeVisible();
  const said = guest.getByRole('heading', { name: 'This link was revoked' });
  await expect(said).toBeVisible();
  await guest.reload();
  await expect(said).toBeVisible();
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
  const [first, second, third] = robots as [LibraryRobot, LibraryRobot, LibraryRobot, LibraryRobot, LibraryRobot];
  await showFakeAccount(page, robots, [fakeSession(first, {}), fakeSession(second, {}, true), fakeSession(third, {}, true)]);
  const words = async (name: string) => {
    const buttons = await cardOf(page, name).getByRole('button').all();
    return Promise.all(buttons.map(async (one) => `${await one.textContent()}${(await one.isEnabled()) ? '' : ' (off)'}`));
  };
  await expect(page.locator('.robot-card')).toHaveCount(5);
  // The last ones are signs: the emergency stop of a robot that has joined, and the menu.
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
    const its = cardOf(page, robot.name);
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
    // A killed worker sends nothing more; its last report grows old.
    worker.child.kill('SIGKILL');
    await expect(its.locator('.plan-old')).toBeVisible();
    await client.robots.delete(robot.id);
  } finally {
    killWorkers();
  }
});

test('a failed link is reported, and no link is left behind', async ({ platform, open, expectedProblems }) => {
  expectedProblems.push(/status of 4\d\d/);
  const page = await open(`${platform.viewerUrl}/robots`);
  const robots = [fakeRobot(0), fakeRobot(1, { type: 'physical' })];
  const [first] = robots as [LibraryRobot, LibraryRobot];
  const account = await showFakeAccount(page, robots, [fakeSession(first, {})]);
  const asked: string[] = [];
  let answer: { status: number; json: object } = { status: 200, json: {} };
  await page.route('**/session{,/participant-token}', async (route) => {
    asked.push(`${new URL(route.request().url()).pathname} ${route.request().postData()}`);
    await route.fulfill(answer);
  });
  const made = { status: 200, json: { ...SESSION, ...TOKEN, livekit_url: 'wss://sfu', participant_token: 'se.cr.et' } };
  const notice = cardOf(page, 'Robot 0').getByRole('status');

  await test.step('the session has ended meanwhile', async () => {
    answer = {
      status: 404,
      json: { code: 'session.not_found', message: 'The robot has no open session. Open one.', details: {} },
    };
    await page.getByRole('button', { name: 'Watch Robot 0' }).click();
    await expect(notice).toContainText('has no open session');
    await checkAtAllSizes(page, 'a link that was refused');
  });
  await test.step('the clipboard is refused', async () => {
    answer = made;
    // A browser that does not let the page write.
    await page.evaluate(() => {
      const refuse = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
      Object.defineProperty(navigator, 'clipboard', { value: { write: refuse, writeText: refuse } });
    });
    await chooseFromCard(page, 'Robot 0', 'Copy link to watch');
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
    expect(await tracesOf(page)).not.toContain('k1~');
    await page.evaluate(() => Object.defineProperty(navigator, 'userActivation', { value: { isActive: true } }));
    await notice.getByRole('button', { name: 'Open it now' }).click();
    // No other tab comes to the front, as when the browser blocks it.
    await expect(notice).toContainText('allow pop-ups for this site');
    const opened = await page.evaluate(() => (window as unknown as { opened: string[] }).opened);
    expect(opened).toEqual([expect.stringMatching(/#key=k1~\S+ noopener,noreferrer$/)]);
    expect(await tracesOf(page)).not.toContain('k1~');
  });
  await test.step('the robot of a body gets its session first, with the workers of the platform', async () => {
    asked.length = 0;
    await page.getByRole('button', { name: 'Drive Robot 1' }).click();
    await expect(cardOf(page, 'Robot 1').getByRole('status')).toContainText('pop-ups');
    expect(asked).toEqual([
      '/rcs/v1/robots/robot-001/session {}',
      expect.stringMatching(
        /^\/rcs\/v1\/robots\/robot-001\/session\/participant-token \{"participant_identity":"operator-.*"access":"drive"/,
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

test('a runtime with a false place is shown as one without a place', async ({ platform, client, robot, open }, info) => {
  const liar = await robot.join(runtimeIdentity('simulator', robot.id));
  const said: { robot: Record<string, unknown>; extra: Record<string, unknown> } = { robot: {}, extra: {} };
  liar.room.localParticipant?.registerRpcMethod('runtime.state', async () =>
    JSON.stringify({
      runtime: { status: 'ready' },
      robot: { status: 'ready', held_entity_ids: [], ...said.robot, extra: { scene_id: 'warehouse', ...said.extra } },
    }).replaceAll('"1e999"', '1e999'),
  );
  const page = await open(platform.makeRobotsUrl());
  const its = cardOf(page, info.title.slice(0, 60).trim());
  await expect(its).toContainText('It does not report its place.');

  said.robot = { pose: { position: [2, 1, 0], yaw_deg: 45 }, held_entity_ids: ['<img src=x onerror=alert(1)>', 'b\u202ec'] };
  said.extra = { scene_id: 'moon' };
  await expect(its).toContainText('no plan of its scene moon. It is at x 2.0 m, y 1.0 m, heading 45°');
  await expect(its).toContainText('<img src=x onerror=alert(1)>');
  expect(await its.locator('img').count()).toBe(0);
  await expectNothingCutOff(page, 'a scene that the page does not know');
  await expectNoAxeFindings(page, 'a scene that the page does not know');

  said.extra = { scene_id: '"><script>alert(1)</script>' };
  await expect(its).toContainText('Its scene is unknown');
  said.extra = {};
  await expect(its.getByTestId('plan-robot')).toBeVisible();
  // Beyond what a number holds; the service's own tests have more.
  said.robot = { pose: { position: ['1e999', 0, 0], yaw_deg: 0 } };
  await expect(its).toContainText('It does not report its place.');
  await expect(its.getByTestId('plan-robot')).toBeHidden();
  said.robot = { pose: { position: [900, 3, 0], yaw_deg: 0 } };
  await expect(its.getByRole('img', { name: 'outside of the plan' })).toBeVisible();
  await expect(its.getByTestId('plan-robot')).toBeHidden();

  await test.step('once it has left, its last place is dimmed and shows its age', async () => {
    said.robot = { pose: { position: [0, 0, 0], yaw_deg: 0 } };
    await expect(its.getByTestId('plan-robot')).toBeVisible();
    await liar.leave();
    await expect(its).toContainText('No robot there');
    await expect(its.locator('.plan-old')).toBeVisible();
    await expect(its.getByTestId('plan-age')).toHaveText(/^(?:\d\d s|\d+ min) ago$/);
    await expectNoAxeFindings(page, 'an old plan');
    await client.robots.deleteSession(robot.id);
    await expect(its).toContainText('It is in no room.');
  });
});
