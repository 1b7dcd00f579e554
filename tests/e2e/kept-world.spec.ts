/** Work is never lost in silence: the world after its page goes away during work, and the notices for a person. */
import type { Page } from '@playwright/test';
import { STEP_S } from '../../src/protocol/wire/limits.ts';
import type { WorldRecord } from '../../src/viewer/engine/kept/world-store.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { becomes, readWorlds, type WorldWatch, watchWorlds } from './support/kept-worlds.ts';
import type { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

const BACK_WITHIN_MS = 120_000;
const entity = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });
const state = (caller: WireParticipant) => caller.call('runtime.state');
const wentOn = (page: Page) => page.getByText('The world continues where it was', { exact: true });
const begins = (page: Page) => page.getByText('The world started again', { exact: true });

/** Walks off and continues. @returns the state of a moment in the middle */
async function startWalk(caller: WireParticipant, actionId: string, to: string) {
  let ended = '';
  void caller.invoke('go_to', entity(to), { action_id: actionId }).then(
    (reply) => {
      ended = JSON.stringify(reply);
    },
    () => null,
  );
  for (let walkedFromS: number | null = null; ; ) {
    const now = await state(caller);
    expect(ended).toBe('');
    if (now.runtime.active_action?.phase !== 'walking') continue;
    walkedFromS ??= now.timestamp.sim_time_s as number;
    if (now.timestamp.sim_time_s > walkedFromS + 1) return now;
  }
}

/** Another page of the same origin, which sees what is kept when the robot's own page is gone. */
async function openWitness(page: Page): Promise<Page> {
  const witness = await page.context().newPage();
  await witness.goto(new URL('/third-party-notices.txt', page.url()).href);
  return witness;
}

/** The first stored world of the next page continues the last one of the previous page, bit by bit. @returns that last one */
async function expectGoesOn(worlds: WorldWatch): Promise<WorldRecord> {
  const { before, next } = await worlds.change();
  expect(await worlds.end()).toBeNull();
  if (!before.kept || !next.kept) throw new Error('no world is kept');
  expect(await becomes(before.kept, next.kept)).toBeNull();
  return before;
}

test.describe(() => {
  test.use({ picture: true });

  test('P5 P12 a reload during a walk resumes in place, with seed, clock, cubes and counts; the walk is reported as interrupted', async ({
    robot,
    open,
  }) => {
    test.slow();
    const page = await open(await robot.keyUrl());
    const witness = await openWitness(page);
    const caller = await robot.join();
    await caller.ready();
    expect((await caller.invoke('reset', { seed: 4_711 })).status).toBe('done');
    const worlds = watchWorlds(witness, BACK_WITHIN_MS);
    const middle = await startWalk(caller, 'walk', 'pad_D');
    await page.reload();
    await caller.ready();

    const now = await state(caller);
    expect(now.robot.extra.sim.seed).toBe(4_711);
    expect(now.timestamp.sim_time_s).toBeGreaterThan(middle.timestamp.sim_time_s - 1);
    expect(Math.hypot(...[0, 1].map((axis) => now.robot.pose.position[axis] - middle.robot.pose.position[axis]))).toBeLessThan(
      1.5,
    );
    expect(now.runtime.active_action).toBeUndefined();
    expect(await caller.call('runtime.action', { action_id: 'walk' })).toMatchObject({
      status: 'failed',
      error: { code: 'RUNTIME_SUSPENDED' },
    });
    await expect(wentOn(page)).toBeVisible();
    await expect(
      page.getByText(
        /^The last .* before the page went away (is|are) missing\. “Walk to pad_D” was interrupted\. Start it again/,
      ),
    ).toBeVisible();
    await page.getByRole('tab', { name: 'Actions' }).click();
    await expect(page.getByRole('button', { name: /^Walk to pad_D Interrupted/ })).toBeVisible();
    const last = await expectGoesOn(worlds);
    expect(middle.timestamp.sim_time_s - (last.kept?.world.step ?? 0) * STEP_S).toBeLessThan(1);
    expect((await caller.invoke('go_to', entity('pad_D'))).status).toBe('done');
  });
});

test('a held cube is still held after a reload and after a crash of the page, and goes where it was to go', async ({
  robot,
  open,
  expectedProblems,
}) => {
  test.slow();
  const url = await robot.keyUrl();
  const page = await open(url);
  const witness = await openWitness(page);
  const caller = await robot.join();
  await caller.ready();
  const picked = await caller.invoke('pick_entity', entity('cube'));
  expect(picked.status, JSON.stringify(picked.error)).toBe('done');
  const held = (await state(caller)).robot.held_entity_ids;
  expect(held).toHaveLength(1);
  await page.reload();
  await caller.ready();
  expect((await state(caller)).robot.held_entity_ids).toEqual(held);
  await expect(wentOn(page)).toBeVisible();

  const worlds = watchWorlds(witness, BACK_WITHIN_MS);
  await startWalk(caller, 'carry', 'pad_C');
  expectedProblems.push(/crash/i);
  const crashed = page.waitForEvent('crash');
  const cdp = await page.context().newCDPSession(page);
  void cdp.send('Page.crash').catch(() => undefined);
  await crashed;
  // A crashed page cannot be reloaded from here; its link is opened again.
  const again = await open(url, page.context());
  await caller.ready();
  expect((await state(caller)).robot.held_entity_ids).toEqual(held);
  await expect(wentOn(again)).toBeVisible();
  await expect(again.getByText(/^Only the last moment before is missing, a second at most\./)).toBeVisible();
  await expectGoesOn(worlds);
  expect((await caller.invoke('go_to', entity('pad_C'))).status).toBe('done');
  expect((await caller.invoke('place_entity', {})).status).toBe('done');
});

test('another tab of the same browser that takes over resumes the world of the first one, and back again', async ({
  robot,
  open,
  browser,
}) => {
  test.slow();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const url = await robot.keyUrl();
  const first = await open(url, context);
  const caller = await robot.join();
  await caller.ready();
  expect((await caller.invoke('pick_entity', entity('cube'))).status).toBe('done');
  const before = await state(caller);
  // Under another name of this machine, as a person may type it.
  const second = await open(url.replace('//127.0.0.1:', '//localhost:'), context);
  await expect(second.getByRole('heading', { name: 'Another tab is this robot' })).toBeVisible();
  expect(new URL(second.url()).hostname).toBe('127.0.0.1');
  await expect(second).toHaveTitle(/^Another tab is this robot/);
  await expectNoAxeFindings(second, 'the question of a second tab', ['light']);
  await expect(wentOn(second)).toHaveCount(0);
  await second.getByRole('button', { name: 'Take over here' }).click();
  await expect(first.getByRole('heading', { name: 'Another tab took over' })).toBeVisible();
  await expect(first.getByText('The world continues there.')).toBeVisible();
  await caller.ready();
  const after = await state(caller);
  expect(after.robot.held_entity_ids).toEqual(before.robot.held_entity_ids);
  expect(after.timestamp.sim_time_s).toBeGreaterThan(before.timestamp.sim_time_s - 1);
  await expect(wentOn(second)).toBeVisible();
  expect((await caller.invoke('go_to', entity('pad_C'))).status).toBe('done');

  await first.getByRole('button', { name: 'Take over here' }).click();
  await expect(second.getByRole('heading', { name: 'Another tab took over' })).toBeVisible();
  await caller.ready();
  const back = await state(caller);
  expect(back.timestamp.sim_time_s).toBeGreaterThan(after.timestamp.sim_time_s);
  expect(back.robot.held_entity_ids).toEqual(before.robot.held_entity_ids);
  await context.close();
});

test('another browser starts a new world, and the tab that lost the robot still has its own', async ({ robot, open }) => {
  test.slow();
  const url = await robot.keyUrl();
  const first = await open(url);
  const caller = await robot.join();
  await caller.ready();
  expect((await caller.invoke('pick_entity', entity('cube'))).status).toBe('done');
  const held = (await state(caller)).robot.held_entity_ids;
  const other = await open(url);
  // The page names the robot that it would displace, and displaces it on request.
  await expect(other.getByRole('heading', { name: 'Another page is this robot' })).toBeVisible();
  await expect(other.getByRole('alert')).toContainText(/^“Chrome on Linux” has been this robot for \d+ seconds?\./);
  await expectNoAxeFindings(other, 'the question of another browser', ['light']);
  expect((await state(caller)).robot.held_entity_ids).toEqual(held);
  await other.getByRole('button', { name: 'Take over here' }).click();
  await expect(first.getByRole('alert')).toContainText(/^“Chrome on Linux” took this robot over \d+ seconds? ago/);
  await expect(first.getByText(/^This tab keeps its world/)).toBeVisible();
  await caller.ready();
  expect((await state(caller)).robot.held_entity_ids).toEqual([]);
  await expect(wentOn(other)).toHaveCount(0);
  await first.getByRole('button', { name: 'Take over here' }).click();
  await expect(other.getByRole('heading', { name: 'Another page took over' })).toBeVisible();
  await caller.ready();
  expect((await state(caller)).robot.held_entity_ids).toEqual(held);
});

test('a world that the browser does not store: the page reports it at once, asks before leaving during an action, and keeps the seed', async ({
  robot,
  open,
  expectedProblems,
}) => {
  test.slow();
  expectedProblems.push(/favicon/);
  const url = await robot.keyUrl();
  const page = await open(new URL('/third-party-notices.txt', url).href);
  // The browser refuses the page's requests with an error from now on: there is a database of a newer page.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('simplesim.worlds', 1_000);
        opening.onsuccess = () => resolve(opening.result.close());
      }),
  );
  await page.goto(url);
  const caller = await robot.join();
  await caller.ready();
  await expect(page.getByText('A reload would lose this world', { exact: true })).toBeVisible();
  expect((await caller.invoke('reset', { seed: 4_711 })).status).toBe('done');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('simplesim.world'))).toContain('4711');

  // Nothing runs, so there is no question.
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  // A browser asks only where a person has used the page.
  await page.mouse.click(700, 450);
  await page.reload();
  expect(asked).toBe(0);
  await caller.ready();
  await expect(begins(page)).toBeVisible();
  expect((await state(caller)).robot.extra.sim.seed).toBe(4_711);

  await page.mouse.click(700, 450);
  await startWalk(caller, 'walk', 'pad_D');
  await page.reload();
  expect(asked).toBe(1);
});

test('a database that is cleared beside the page does not block it, and the world is stored again', async ({
  open,
  platform,
}) => {
  const page = await open(`${platform.viewerUrl}/?try=1`);
  const witness = await openWitness(page);
  await expect.poll(async () => (await readWorlds(witness).catch(() => [])).length).toBe(1);
  const cleared = await witness.evaluate(
    () =>
      new Promise((resolve) => {
        const clearing = indexedDB.deleteDatabase('simplesim.worlds');
        clearing.onsuccess = () => resolve('cleared');
        clearing.onblocked = () => resolve('blocked');
      }),
  );
  expect(cleared).toBe('cleared');
  await expect.poll(async () => (await readWorlds(witness).catch(() => [])).length).toBe(1);
  await expect(page.getByText('A reload would lose this world', { exact: true })).toHaveCount(0);
});

test('a robot of this tab alone resumes after a reload, and ends when a person leaves it', async ({ open, platform }) => {
  test.slow();
  const page = await open(`${platform.viewerUrl}/?try=1`);
  const witness = await openWitness(page);
  await expect(page.locator('[data-phase=live]')).toBeVisible();
  const worlds = watchWorlds(witness, BACK_WITHIN_MS);
  await expect.poll(() => worlds.seen.at(-1)?.kept?.world.step ?? 0).toBeGreaterThan(240);
  await page.goto('about:blank');
  await page.goBack();
  await expect(wentOn(page)).toBeVisible();
  await expectGoesOn(worlds);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Back to the start' }).click();
  await expect.poll(() => readWorlds(witness)).toEqual([]);
});
