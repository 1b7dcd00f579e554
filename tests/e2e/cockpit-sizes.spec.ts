/** The cockpit on a tablet beside the side panel, and on a phone: its parts keep apart, and what stops the robot stays in reach. */
import type { Page } from '@playwright/test';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import { drivenState, OPERATOR, posedState, runningAction, stoppedState, visitors } from '../gallery/states.ts';
import { rcwState, STANDING } from '../ui/rcw-examples.ts';
import { expectNothingCutOff } from './support/axe.ts';
import { expect, type StillPage, test } from './support/still-page.ts';

const cockpit = (page: Page) => page.getByRole('region', { name: 'Cockpit' });
const stop = (page: Page) => cockpit(page).getByRole('button', { name: 'Stop moving' });

async function openCockpit(page: Page): Promise<void> {
  await expect(page.locator('html[data-world]')).toBeAttached();
  await page.keyboard.press('g');
  await expect(cockpit(page)).toBeVisible();
}

/** The reply of a robot that has done what it was asked for. */
const DONE = {
  status: 'done',
  result: {},
  meta: { action_id: 'a-1', started_at_ms: Date.now(), finished_at_ms: Date.now(), duration_ms: 0 },
};
/** Changes from driving to the arms; the robot obeys. */
async function takeArms({ page, answer, set }: StillPage, how: (page: Page) => Promise<void>): Promise<void> {
  await answer('runtime.tools_call', DONE);
  await how(page);
  await set({ runtime: posedState() });
  await expect(page.getByTestId('state')).toHaveText('Arms follow poses');
}

/** Parts of the cockpit outside its card, and parts that overlap. */
const misplaced = (page: Page): Promise<string[]> =>
  cockpit(page).evaluate((card) => {
    const bounds = card.getBoundingClientRect();
    const name = (element: Element) => `${element.className} "${element.textContent?.slice(0, 20)}"`;
    const elements = [...card.querySelectorAll('button, dt, dd, p, .joint-row > *')].filter((each) => each.checkVisibility());
    const outside = elements.filter((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return left < bounds.left || right > bounds.right || top < bounds.top || bottom > bounds.bottom;
    });
    const boxes = elements.filter((each) => each.matches('.joint-row > *, .stop-button, .joint-heads, .cockpit-close, dd'));
    const overlaps = boxes.flatMap((one, index) =>
      boxes.slice(index + 1).flatMap((other) => {
        if (one.contains(other)) return [];
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return width > 1 && height > 1 ? [`${name(one)} on ${name(other)}`] : [];
      }),
    );
    return [...outside.map((each) => `outside: ${name(each)}`), ...overlaps];
  });

const TABLETS = [
  [820, 1180],
  [768, 1024],
  [1024, 768],
  [1180, 820],
] as const;

function expectToTakeAFinger(box: { width: number; height: number } | null, what: string): void {
  const { width = 0, height = 0 } = box ?? {};
  expect([width >= 44, height >= 44], `${what}: ${width} × ${height}`).toEqual([true, true]);
}

test('a tablet drives by touch: both sticks take a thumb, what stops or releases is 44 px wide and high, and the robot stays in view', async ({
  still,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, hasTouch: true });
  const robot = await still('physical', { context });
  const { page, set, calls } = robot;
  const toggle = page.getByRole('button', { name: 'Side panel' });
  for (const [width, height] of TABLETS) {
    await page.setViewportSize({ width, height });
    await openCockpit(page);
    await expect(toggle, 'the cockpit closes the side panel').toHaveAttribute('aria-pressed', 'false');
    for (const pressed of ['false', 'true']) {
      if ((await toggle.getAttribute('aria-pressed')) !== pressed) await toggle.tap();
      const state = `${width} × ${height}, panel ${pressed}`;
      // A tap waits until nothing covers what it is for.
      for (const name of [/^Walk:/, /^Turn:/]) await page.getByRole('button', { name }).tap({ trial: true });
      await expect.poll(() => misplaced(page), { message: state }).toEqual([]);
      await expectNothingCutOff(page, state);
      for (const name of ['Stop moving', 'Emergency stop']) {
        const button = page.getByRole('button', { name }).first();
        await button.tap({ trial: true });
        expectToTakeAFinger(await button.boundingBox(), `${name}, ${state}`);
      }
    }
    await toggle.tap();
    await takeArms(robot, () => page.getByRole('button', { name: 'Arms' }).tap());
    await expect.poll(() => misplaced(page), { message: `${width} × ${height}, arms` }).toEqual([]);
    const card = await cockpit(page).boundingBox();
    const isAcross = width > height;
    // Beside the robot, or below it.
    if (isAcross) expect(card?.x).toBeGreaterThan(width / 2);
    else expect(card?.y).toBeGreaterThan(height * 0.6);
    const before = (await calls('emergencyStop')).length;
    await page.getByRole('button', { name: 'Emergency stop' }).tap();
    await set({ runtime: stoppedState('worker') });
    await page.getByRole('button', { name: 'Release…' }).tap();
    for (const name of ['Keep it stopped', 'Release the robot'])
      expectToTakeAFinger(await page.getByRole('button', { name }).boundingBox(), `${name}, ${width} × ${height}`);
    await page.getByRole('button', { name: 'Keep it stopped' }).tap();
    expectToTakeAFinger(await page.getByRole('button', { name: 'Release…' }).boundingBox(), `Release…, ${width} × ${height}`);
    await page.getByRole('button', { name: 'Release…' }).tap();
    await page.getByRole('button', { name: 'Release the robot' }).tap();
    expect((await calls('emergencyStop')).slice(before).map(({ args }) => args)).toEqual([[true], [false]]);
    await set({ runtime: rcwState() });
    await expect(page.getByRole('button', { name: 'Release the robot' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Close the cockpit' }).tap();
    await expect(toggle, 'the side panel is back').toHaveAttribute('aria-pressed', 'true');
  }
  await context.close();
});

test('a phone drives by touch: both sticks take a thumb below the card of the cockpit', async ({ still, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const { page } = await still('physical', { context });
  await openCockpit(page);
  for (const name of [/^Walk:/, /^Turn:/]) await page.getByRole('button', { name }).tap({ trial: true });
  const [card, stick] = [await cockpit(page).boundingBox(), await page.getByRole('button', { name: /^Walk:/ }).boundingBox()];
  const gapPx = (stick?.y ?? 0) - (card?.y ?? 0) - (card?.height ?? 0);
  expect(gapPx).toBeGreaterThanOrEqual(0);
  expect(gapPx, 'right above the sticks').toBeLessThan(40);
  await expect(stop(page)).toBeInViewport({ ratio: 1 });
  await context.close();
});

test('the parts of the cockpit keep apart on a tablet, with and without the side panel, and on a phone', async ({ still }) => {
  const robot = await still('physical');
  const { page } = robot;
  await openCockpit(page);
  for (const inArms of [false, true]) {
    if (inArms) await takeArms(robot, () => page.keyboard.press('m'));
    for (const [width, height] of [
      [1280, 800],
      [1024, 768],
      [820, 1180],
      [720, 1024],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const pressed of ['true', 'false']) {
        const toggle = page.getByRole('button', { name: 'Side panel' });
        if ((await toggle.getAttribute('aria-pressed')) !== pressed) await toggle.click();
        const state = `${width} × ${height}, panel ${pressed}, arms ${inArms}`;
        await expect.poll(() => misplaced(page), { message: state }).toEqual([]);
        await expectNothingCutOff(page, state);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => misplaced(page), { message: `a phone, arms ${inArms}` }).toEqual([]);
  }
});

test('on a phone a card leaves speed, modes and Stop of the cockpit in reach', async ({ still, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const robot = await still('physical', { context });
  const { page } = robot;
  await openCockpit(page);
  await page.mouse.click(78, 560);
  await expect(page.getByRole('region', { name: 'About this place' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close this card' })).toBeInViewport({ ratio: 1 });
  // A click waits until nothing covers what it is for.
  for (const part of [stop(page), cockpit(page).getByRole('slider'), page.getByTestId('measured-walking')])
    await part.click({ trial: true });
  await takeArms(robot, () => page.keyboard.press('m'));
  await stop(page).click({ trial: true });
  await page.getByRole('button', { name: 'Close this card' }).click();
  await context.close();
});

/** The longest words of the link that its age, answers and losses make. */
const LONG_LINK_TEXT = ['59 min old · no answer', '100 % lost'];

/** Returns what leaves the bar at the top, with the link's words as they are and at their longest, and where the emergency stop is. */
const barAt = (page: Page): Promise<{ faults: string[]; stop: number[] }> =>
  page.evaluate((longest) => {
    const found: string[] = [];
    const bar = document.querySelector('.top-bar');
    const stop = bar?.querySelector('.emergency-stop');
    if (!bar || !stop) throw new Error('no bar');
    const look = (text: string) => {
      const bounds = bar.getBoundingClientRect();
      for (const part of bar.querySelectorAll('h1, p, button')) {
        if (!part.checkVisibility()) continue;
        const { left, right, top, bottom } = part.getBoundingClientRect();
        if (left < 0 || top < 0 || right > innerWidth || bottom > bounds.bottom)
          found.push(`${part.ariaLabel ?? part.className} at ${Math.round(left)}, ${Math.round(top)} with ${text}`);
      }
      const { x, y } = stop.getBoundingClientRect();
      return [x, y].map(Math.round);
    };
    const spans = [...document.querySelectorAll('.link-words > span:not(.link-dot)')];
    const before = spans.map((span) => span.textContent);
    const at = look(before.join(' · '));
    spans.forEach((span, index) => {
      span.textContent = longest[index] ?? '';
    });
    const atLongest = look(longest.join(' · '));
    spans.forEach((span, index) => {
      span.textContent = before[index] ?? '';
    });
    if (`${at}` !== `${atLongest}`) found.push(`the emergency stop moves from ${at} to ${atLongest}`);
    return { faults: found, stop: at };
  }, LONG_LINK_TEXT);

test('the bar of an operator stays whole on a tablet, and its emergency stop in its place, whatever the page does', async ({
  still,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  const robot = await still('operating-physical', { context });
  const { page, set } = robot;
  const named = visitors('Ada of the second shift in the northern hall');
  await set({ participants: named, known: named });
  const state = page.getByTestId('state');
  await page.getByRole('button', { name: 'Drive alone' }).waitFor();
  const places = new Map<number, number[]>();
  const expectWhole = async (when: string) => {
    for (const [width, height] of [...TABLETS, [390, 844] as const]) {
      await page.setViewportSize({ width, height });
      const said = `${width} × ${height}, ${when}`;
      await expect.poll(async () => (await barAt(page)).faults, { message: said }).toEqual([]);
      const { stop } = await barAt(page);
      expect(stop, `${said}: where the emergency stop is`).toEqual(places.get(width) ?? stop);
      places.set(width, stop);
    }
    await page.setViewportSize({ width: 1024, height: 768 });
  };
  await expectWhole('joined');
  await page.getByRole('button', { name: 'Drive alone' }).tap();
  await set({ runtime: drivenState({ ...OPERATOR, kind: 'person' }, rcwState()) });
  await expect(page.getByTestId('driver')).toContainText('You drive.');
  await openCockpit(page);
  await expectWhole('driving alone');
  await page.getByRole('button', { name: 'Let others drive' }).tap();
  await set({ runtime: rcwState() });
  await takeArms(robot, () => page.getByRole('button', { name: 'Arms' }).tap());
  await set({ actions: [runningAction({ name: 'set_upper_body', input: STANDING, caller: PAGE })] });
  await expect(page.getByRole('button', { name: /In the room: 2/ })).toContainText('this page drives');
  await expectWhole('in arm mode');
  await page.getByRole('button', { name: 'Emergency stop' }).tap();
  await set({ runtime: stoppedState('worker', OPERATOR.identity) });
  await expect(state).toHaveText('Emergency stop');
  await expectWhole('stopped');
  await context.close();
});

test('the lists of people and of the menu leave the emergency stop free', async ({ still, browser }) => {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  const { page: own, set } = await still('unsigned', { context });
  await set({ runtime: rcwState() });
  const { page } = await still('operating-physical', { context });
  for (const [at, name] of [
    [page, /In the room/],
    [own, /In the room/],
    [own, 'Menu'],
  ] as const) {
    await at.bringToFront();
    for (const [width, height] of [...TABLETS, [390, 844] as const]) {
      await at.setViewportSize({ width, height });
      const button = at.getByRole('button', { name });
      if (!(await button.isVisible())) continue;
      await button.tap();
      // It is outside the window until it has its place.
      await expect(at.locator('.popover, .menu')).toBeInViewport({ ratio: 1 });
      const covered = () =>
        at.evaluate(() => {
          const [list, stop] = ['.popover, .menu', '.emergency-stop'].map((each) =>
            document.querySelector(each)?.getBoundingClientRect(),
          );
          if (!list || !stop) return 'nothing there';
          const width = Math.min(list.right, stop.right) - Math.max(list.left, stop.left);
          const height = Math.min(list.bottom, stop.bottom) - Math.max(list.top, stop.top);
          return width > 0 && height > 0 ? `${Math.round(width)} × ${Math.round(height)} px` : null;
        });
      await expect.poll(covered, { message: `${name}, ${width} × ${height}` }).toBeNull();
      await at.keyboard.press('Escape');
      await expect(at.locator('.popover, .menu')).toHaveCount(0);
    }
  }
  await context.close();
});
