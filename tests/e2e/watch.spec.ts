/** The page of who only watches: the same world, live, by a link that allows nothing else. */
import type { Page } from '@playwright/test';
import { generateWatchUrl } from '../../src/client/index.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expectNoAxeFindings, expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

const freshness = (page: Page) => page.getByTestId('freshness');
const notice = (page: Page) => page.locator('.notice');

/** Where a thing of the scene is, as the page's list of the scene has it. */
async function positionOf(page: Page, id: string): Promise<[number, number, number]> {
  const row = page.getByRole('button', { name: new RegExp(`^${id}\\b`) });
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  const text = await page.locator('.entity[data-selected="true"] .entity-pose').innerText();
  const [x, y, z] = [...text.matchAll(/-?\d+\.\d+/g)].map(([figure]) => Number(figure));
  return [x ?? Number.NaN, y ?? Number.NaN, z ?? Number.NaN];
}

const distanceM = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((value, k) => value - (b[k] ?? Number.NaN)));

/** Everything that a page has kept or shows, in which a key could be found. The tab's own key for a reload is left out. */
const traces = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [
      location.href,
      document.referrer,
      JSON.stringify(history.state),
      JSON.stringify({ ...localStorage }),
      JSON.stringify(databases),
      document.cookie,
      document.documentElement.outerHTML,
      JSON.stringify(Object.entries(sessionStorage).filter(([name]) => name !== 'simplesim.key')),
    ].join('\n');
  });

test('two watch a robot by one link: it walks, carries, goes and comes back', async ({
  robot,
  client,
  platform,
  open,
  openHidden,
}) => {
  const url = await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl });
  const first = await open(url);

  await test.step('before a robot has joined, the page shows it', async () => {
    await expect(notice(first)).toContainText('The robot is offline.');
    await expectNoAxeFindings(first, 'no robot has joined');
  });

  const robotUrl = await robot.keyUrl();
  const tab = await openHidden(robotUrl);
  const caller = await robot.join('sorter');
  await caller.ready();
  const second = await open(url);

  await test.step('both see it live, and nothing to act with', async () => {
    for (const page of [first, second]) {
      await expect(freshness(page)).toHaveText('Live');
      await expect(page.getByTestId('state')).toHaveText('Ready');
      await expect(page.locator('.world')).toHaveAttribute('data-drawn', 'true');
      for (const name of [/emergency stop/i, /drive/i, /^stop$/i, /cockpit/i])
        await expect(page.getByRole('button', { name })).toHaveCount(0);
    }
    expect(await first.title()).toContain('SimpleSim');
    await expectNoAxeFindings(first, 'watching');
    await expectNothingCutOff(first, 'watching');
  });

  await test.step('nothing of the link is left in the page', async () => {
    const token = url.split('~').at(-1) ?? '';
    for (const part of token.split('.')) expect(await traces(first)).not.toContain(part);
  });

  await test.step('the robot picks a cube up and carries it: both see where it is', async () => {
    for (const page of [first, second]) await page.getByRole('button', { name: 'Side panel' }).click();
    const scene = await caller.call('runtime.scene_state');
    const lies = Object.values<{ entity_id: string; kind: string }>(scene.entities).find(({ kind }) => kind === 'cube');
    const id = lies?.entity_id ?? '';
    const picked = await caller.call('runtime.tools_call', {
      name: 'pick_entity',
      input: { target: { kind: 'entity', entity_id: id } },
    });
    expect(picked, JSON.stringify(picked.error)).toMatchObject({ status: 'done' });
    for (const page of [first, second]) await expect(page.getByTestId('state')).toHaveText(`Holding ${id}`);
    const before = await positionOf(first, id);
    const walking = caller.call('runtime.tools_call', {
      name: 'go_to',
      input: { target: { kind: 'entity', entity_id: 'pad_C' } },
    });
    await expect(first.getByTestId('state')).toContainText('Walking');
    expect(await walking).toMatchObject({ status: 'done' });
    const after = await caller.call('runtime.scene_state');
    const carried: readonly number[] = after.entities[id].pose.position;
    expect(distanceM(before, carried)).toBeGreaterThan(1);
    for (const page of [first, second])
      await expect.poll(async () => distanceM(await positionOf(page, id), carried)).toBeLessThan(0.02);
  });

  await test.step('the robot’s tab closes: the watchers see at once that the picture is old', async () => {
    await tab.close();
    for (const page of [first, second]) {
      await expect(notice(page)).toContainText(/^The robot has been offline since/, { timeout: 15_000 });
      await expect(freshness(page)).not.toHaveText('Live');
      await expect(notice(page)).toContainText('What you see is');
    }
    await expectNoAxeFindings(first, 'the robot has gone');
  });

  await test.step('it comes back, and they see it again automatically', async () => {
    await openHidden(robotUrl);
    for (const page of [first, second]) {
      await expect(freshness(page)).toHaveText('Live');
      await expect(notice(page)).toHaveCount(0);
    }
  });

  await test.step('a watcher leaves: the tab has forgotten its link', async () => {
    await second.getByRole('button', { name: 'Stop watching' }).click();
    await expect(second.getByRole('heading', { name: 'You no longer watch' })).toBeVisible();
    expect(await second.evaluate(() => sessionStorage.getItem('simplesim.key'))).toBeNull();
    await expectNoAxeFindings(second, 'left');
  });

  await test.step('a frame with a watch key shows the robot live, and offers nothing that acts', async () => {
    const key = new URL(url).searchParams.get('key');
    const frame = await open(`${platform.viewerUrl}/?embed=1&panels=drive,skills,scene&allow=call,stop#key=${key}`);
    await expect(freshness(frame)).toHaveText('Live');
    await expect(frame.getByTestId('state')).toContainText('Holding cube_');
    await expect(frame.getByRole('tab', { name: 'Scene' })).toBeVisible();
    await expect(frame.getByRole('tab')).toHaveCount(1);
    for (const name of [/emergency stop/i, /drive/i, /^stop$/i]) await expect(frame.getByRole('button', { name })).toHaveCount(0);
    await expectNoAxeFindings(frame, 'a frame that watches');
    await frame.close();
  });

  await test.step('the session is closed: the page explains it', async () => {
    await client.robots.deleteSession(robot.id);
    await expect(first.getByRole('heading', { name: 'The session was closed' })).toBeVisible();
  });
});

test('a robot without a page is watched as well', async ({ platform, client, open }) => {
  const worker = runWorker(['--log', 'json', '--seed', '1', '--name', 'watched'], { SIMPLESIM_DATA_DIR: platform.dataDir });
  try {
    await worker.logged('registered');
    const { robot } = await client.robots.create({ name: 'Headless', model: 'm' });
    await client.robots.createSession(robot.id, { workerNames: ['watched'] });
    const page = await open(await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl }));
    await expect(freshness(page)).toHaveText('Live');
    await expect(page.locator('.world')).toHaveAttribute('data-drawn', 'true');
    await expect(page.getByText('Physical contract')).toBeVisible();
    await client.robots.delete(robot.id);
    await expect(page.getByRole('heading', { name: 'The session was closed' })).toBeVisible();
  } finally {
    worker.child.kill('SIGTERM');
    await worker.exit;
    killWorkers();
  }
});

test('a watch link pasted at the gate, and reloaded', async ({ robot, client, platform, open }) => {
  const url = await generateWatchUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl });
  const page = await open(platform.viewerUrl);
  await page.locator('#gate-key').fill(url);
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(notice(page)).toContainText('The robot is offline.');
  await page.reload();
  await expect(notice(page)).toContainText('The robot is offline.');
  expect(page.url()).not.toContain('key');
});
