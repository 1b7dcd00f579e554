/** The lease at the page of an operator, what watchers see of it, and an emergency stop that is not kept from the robot by a dead path. */
import type { BrowserContext, Page } from '@playwright/test';
import { generateOperatorUrl, generateWatchUrl } from '../../src/client/index.ts';
import { LINK_PRESS_PATH } from '../../src/protocol/service/link-press.ts';
import { MAX_VELOCITY_DURATION_S } from '../../src/protocol/wire/limits.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

const lease = (page: Page) => page.getByTestId('driver');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const stateOf = async (witness: WireParticipant) => (await witness.call('runtime.state')).robot;
const isMoving = async (witness: WireParticipant): Promise<boolean> => {
  const { vx, vy, wz } = (await stateOf(witness)).extra.command;
  return vx !== 0 || vy !== 0 || wz !== 0;
};

/** Lets what the page sends into the room go nowhere while `cut` is set: its calls die, and HTTP lives. */
async function cuttable(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { send } = RTCDataChannel.prototype;
    RTCDataChannel.prototype.send = function (this: RTCDataChannel, ...args: never[]) {
      if ('cut' in window) return;
      (send as (...all: never[]) => void).apply(this, args);
    } as typeof send;
  });
}
const cut = (page: Page) => page.evaluate(() => Object.assign(window, { cut: true }));

test('operators take, refuse, ask for and give the lease; every page shows the driver', async ({
  robot,
  client,
  platform,
  open,
  browser,
}) => {
  const robotContext = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const own = await open(await robot.keyUrl(), robotContext);
  const witness = await robot.join('witness');
  await witness.ready();
  const linkFor = (participantName: string) =>
    generateOperatorUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl, participantName });
  const ada = await open(await linkFor('Ada'));
  const ben = await open(await linkFor('Ben'));
  const watcher = await open(await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }));

  await test.step('one drives alone, and all the others see who', async () => {
    await button(ada, 'Drive alone').click();
    await expect(lease(ada)).toContainText('You drive.');
    for (const page of [ben, watcher, own]) await expect(lease(page)).toContainText('The person Ada drives.');
    await expect(button(ben, 'Drive alone')).toHaveCount(0);
    await expect(lease(watcher).getByRole('button')).toHaveCount(0);
    await ben.getByRole('button', { name: /^In the room/ }).click();
    await expect(ben.getByRole('listitem').filter({ hasText: 'drives alone' })).toContainText('Ada');
    await ben.keyboard.press('Escape');
    for (const [page, what] of [
      [ada, 'the one who drives'],
      [ben, 'another drives'],
      [watcher, 'watching one who drives'],
    ] as const) {
      await expectNoAxeFindings(page, what, ['light', 'dark']);
      await expectNothingCutOff(page, what);
    }
  });

  await test.step('keys of an operator without the lease name the driver, and neither move nor stop the robot', async () => {
    await ada.bringToFront();
    await ada.keyboard.press('g');
    await expect(ada.getByRole('region', { name: 'Driving by hand' })).toBeVisible();
    await ada.keyboard.down('s');
    await expect.poll(() => isMoving(witness)).toBe(true);
    await ben.keyboard.press('g');
    const panel = ben.getByRole('region', { name: 'Driving by hand' });
    await expect(panel).toBeVisible();
    for (const key of ['w', 'a', 'd']) await ben.keyboard.press(key, { delay: 120 });
    await expect(panel.getByRole('status')).toContainText('The person Ada drives this robot. Ask for it');
    // A busy machine may renew the velocity late.
    await expect.poll(() => isMoving(witness)).toBe(true);
    await ada.keyboard.up('s');
    await expect.poll(() => isMoving(witness)).toBe(false);
    await ben.keyboard.press('g');
    await ada.keyboard.press('g');
  });

  await test.step('a call from the workbench is refused, with who drives and how to ask', async () => {
    await ben.getByRole('tab', { name: 'Skills' }).click();
    await ben.getByRole('button', { name: /^Turn the head/ }).click();
    await button(ben, 'Run').click();
    await expect(ben.getByText(/the person Ada drives this robot\. Ask for it/).first()).toBeVisible();
  });

  await test.step('one asks and gets the robot; the other gets a notice', async () => {
    await button(ben, 'Ask for it').click();
    await expect(lease(ben)).toContainText('You have asked for it.');
    await expect(lease(ada).getByRole('alert')).toContainText('The person Ben asks for the robot.');
    await expectNoAxeFindings(ben, 'asking');
    await button(ada, 'Give it').click();
    await expect(lease(ben)).toContainText('You drive.');
    await expect(lease(ada)).toContainText('The person Ben drives.');
    await expect(lease(watcher)).toContainText('The person Ben drives.');
  });

  await test.step('the person at the robot takes over, and the former driver gets a notice', async () => {
    await button(own, 'Take over').click();
    await expect(ben.getByText('You no longer drive', { exact: true })).toBeVisible();
    await expect(lease(ben)).toContainText('The person at the robot');
  });

  await test.step('who has asked gets the robot when its driver lets it go', async () => {
    await button(ben, 'Ask for it').click();
    await expect(lease(own).getByRole('alert')).toContainText('The person Ben asks');
    await button(own, 'Let others drive').click();
    await expect(lease(ben)).toContainText('You drive.');
  });

  await test.step('a page that is closed drives no more', async () => {
    await ben.close();
    for (const page of [ada, watcher, own]) await expect(lease(page)).toHaveCount(0);
    await expect(button(ada, 'Drive alone')).toBeVisible();
  });
  await robotContext.close();
});

test('a page cut off from the room stops the robot over HTTP, and names the source of its answer', async ({
  robot,
  client,
  platform,
  open,
  startHeadless,
  browser,
}) => {
  await startHeadless(await robot.keyUrl());
  const witness = await robot.join('witness');
  await witness.ready();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await cuttable(context);
  const link = await generateOperatorUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl, participantName: 'Ada' });
  const page = await open(link, context);
  await button(page, 'Emergency stop').waitFor();
  await expect(page.getByTestId('state')).toHaveText('Ready');
  // Longer than the rest of the test, so that no look comes too late for it.
  const turning = witness.call('runtime.tools_call', {
    name: 'set_velocity',
    input: { wz: 0.2, duration_s: MAX_VELOCITY_DURATION_S },
  });
  await expect.poll(() => isMoving(witness)).toBe(true);
  await cut(page);
  await button(page, 'Emergency stop').click();
  expect(await turning).toMatchObject({ status: 'failed' });
  await expect(page.getByText('The platform reports that the emergency stop is latched and the robot stands')).toBeVisible();
  await expectNoAxeFindings(page, 'stopped over HTTP alone');
  // The page's own name in the room, which is its link's where the platform takes seconds to give it another.
  const [ada] = [...witness.room.remoteParticipants.values()].filter(({ name }) => name === 'Ada');
  expect(ada).toBeDefined();
  await expect.poll(() => JSON.parse(witness.room.metadata ?? '{}').emergency_stop?.by).toBe(ada?.identity);
  await expect.poll(async () => (await stateOf(witness)).extra.emergency_stop.by).toBe(ada?.identity);
  await context.close();
});

test('a page whose platform is dead stops the robot over the room; without both it reports that it cannot', async ({
  robot,
  client,
  platform,
  open,
  browser,
  expectedProblems,
}) => {
  expectedProblems.push(/Failed to load resource.*emergency-stop/s, /net::ERR_FAILED/);
  const robotContext = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const own = await open(await robot.keyUrl(), robotContext);
  const witness = await robot.join('witness');
  await witness.ready();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await cuttable(context);
  const page = await open(await generateOperatorUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }), context);
  await button(page, 'Emergency stop').waitFor();
  await page.route(`**${LINK_PRESS_PATH}`, (route) => route.abort());
  await button(page, 'Emergency stop').click();
  await expect(page.getByTestId('state')).toHaveText('Emergency stop');
  await button(own, 'Release…').click();
  await button(own, 'Release the robot').click();
  await expect(page.getByTestId('state')).toHaveText('Ready');
  await expect(page.getByTestId('released').getByRole('status')).toContainText('A person at the robot’s page has released');
  await expect(own.getByTestId('released').getByRole('status')).toContainText('A person at this page has released');
  await cut(page);
  await button(page, 'Emergency stop').click();
  await expect(page.getByRole('alert').filter({ hasText: 'The robot does not answer the stop' })).toBeVisible();
  expect((await stateOf(witness)).extra.emergency_stop).toBeNull();
  await context.close();
  await robotContext.close();
});

test('only a link to drive stops a robot over HTTP, its own, and as long as its session lives', async ({
  robot,
  client,
  platform,
  startHeadless,
}) => {
  await startHeadless(await robot.keyUrl());
  const witness = await robot.join('witness');
  await witness.ready();
  const press = async (link: string) => {
    const token = (new URL(link).searchParams.get('key') ?? '').split('~').at(-1);
    const answer = await fetch(`${platform.viewerUrl}${LINK_PRESS_PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    return (await answer.json()).stop;
  };
  const options = { viewerBaseUrl: platform.viewerUrl };
  expect(await press(await generateWatchUrl(client, robot.id, options))).toBeNull();
  const other = (await client.robots.create({ name: 'Other', model: 'm' })).robot;
  await client.robots.createSession(other.id, { workerNames: [] });
  expect((await press(await generateOperatorUrl(client, other.id, options))).robot_id).toBe(other.id);
  expect((await stateOf(witness)).extra.emergency_stop).toBeNull();
  const link = await generateOperatorUrl(client, robot.id, options);
  const flood = await Promise.all(Array.from({ length: 200 }, () => press(link)));
  expect(flood.every((stop) => stop.stands === true)).toBe(true);
  expect((await stateOf(witness)).extra.emergency_stop).not.toBeNull();
  await client.robots.deleteSession(robot.id);
  expect(await press(link)).toBeNull();
  await client.robots.delete(other.id);
});

test('at a signed robot the lease is held by signed calls, and 5 s of silence end it', async ({ platform, client, open }) => {
  const worker = runWorker(['--log', 'json', '--seed', '1', '--name', 'seated'], { SIMPLESIM_DATA_DIR: platform.dataDir });
  try {
    await worker.logged('registered');
    const { robot } = await client.robots.create({ name: 'Seated', model: 'm' });
    await client.robots.createSession(robot.id, { workerNames: ['seated'] });
    const { livekit_url, participant_token } = await client.robots.createParticipantToken(robot.id, {
      participantIdentity: 'witness',
    });
    const witness = await WireParticipant.join(livekit_url, participant_token);
    await witness.runtimeIdentity();
    const linkFor = (participantName: string) =>
      generateOperatorUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl, participantName });
    const ada = await open(await linkFor('Ada'));
    const ben = await open(await linkFor('Ben'));
    const cockpit = (page: Page) => page.getByRole('region', { name: 'Cockpit' });

    await test.step('the one drives; keys and arm mode of the other neither move nor stop the robot', async () => {
      await button(ada, 'Drive alone').click();
      await expect(lease(ada)).toContainText('You drive.');
      await expect(lease(ben)).toContainText('The person Ada drives.');
      await ada.keyboard.press('g');
      await expect(cockpit(ada)).toBeVisible();
      await ada.keyboard.down('s');
      await expect.poll(() => isMoving(witness)).toBe(true);
      await ben.keyboard.press('g');
      await expect(cockpit(ben)).toBeVisible();
      for (const key of ['w', 'm', 'e']) await ben.keyboard.press(key, { delay: 120 });
      await expect(cockpit(ben).locator('.cockpit-notice')).toContainText('The person Ada drives this robot. Ask for it');
      // A busy machine may renew the velocity late; a stop has the name of its caller.
      await expect.poll(() => isMoving(witness)).toBe(true);
      expect((await stateOf(witness)).extra.control.stopped_by).toBeNull();
      await expectNoAxeFindings(ben, 'a cockpit of one who does not drive');
    });

    await test.step('its page dies: after 5 s the lease ends, the body is at rest, and the other may drive', async () => {
      const crashed = ada.waitForEvent('crash');
      const session = await ada.context().newCDPSession(ada);
      const ended = witness.reported((event) => event.type === 'driver_changed' && event.driver === null);
      const diedAtMs = Date.now();
      session.send('Page.crash').catch(() => undefined);
      await crashed;
      const event = await ended;
      expect(event).toMatchObject({ why: 'silent', previous: { name: 'Ada' } });
      // The worker's time of the event, on the clock of this machine.
      expect(event.at_ms - diedAtMs).toBeLessThan(9_000);
      expect((await stateOf(witness)).extra.driver).toBeNull();
      await expect(lease(ben)).toHaveCount(0);
      expect(await isMoving(witness)).toBe(false);
      await button(ben, 'Drive alone').click();
      await expect(lease(ben)).toContainText('You drive.');
      await ben.keyboard.down('s');
      await expect.poll(() => isMoving(witness)).toBe(true);
      await ben.keyboard.up('s');
    });
    await witness.leave();
    await client.robots.delete(robot.id);
  } finally {
    worker.child.kill('SIGTERM');
    await worker.exit;
    killWorkers();
  }
});
