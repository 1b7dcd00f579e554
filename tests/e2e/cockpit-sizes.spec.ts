/** The cockpit on a tablet beside the side panel, and on a phone: its parts keep apart, and what stops the robot stays in reach. */
import type { Page } from '@playwright/test';
import { expectNothingCutOff } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';

const cockpit = (page: Page) => page.getByRole('region', { name: 'Cockpit' });
const stop = (page: Page) => cockpit(page).getByRole('button', { name: 'Stop moving' });

async function openCockpit(page: Page): Promise<void> {
  await expect(page.locator('html[data-world]')).toBeAttached();
  await page.keyboard.press('g');
  await expect(cockpit(page)).toBeVisible();
}

/** What of the cockpit leaves its card, and which of its parts lie on each other. */
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

test('a tablet drives by touch: both sticks take a thumb, what stops is 44 px high, and the robot stays in view', async ({
  platform,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 820, height: 1180 }, hasTouch: true });
  const page = await open(`${platform.viewerUrl}/?try=1&profile=worker`, context);
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
        expect((await button.boundingBox())?.height, `${name}, ${state}`).toBeGreaterThanOrEqual(44);
      }
    }
    await toggle.tap();
    await page.getByRole('button', { name: 'Arms' }).tap();
    await expect(page.getByTestId('state')).toHaveText('Arms follow poses');
    await expect.poll(() => misplaced(page), { message: `${width} × ${height}, arms` }).toEqual([]);
    const card = await cockpit(page).boundingBox();
    const isAcross = width > height;
    // Beside the robot, or below it.
    if (isAcross) expect(card?.x).toBeGreaterThan(width / 2);
    else expect(card?.y).toBeGreaterThan(height * 0.6);
    await page.getByRole('button', { name: 'Close the cockpit' }).tap();
    await expect(toggle, 'the side panel is back').toHaveAttribute('aria-pressed', 'true');
  }
  await context.close();
});

test('a phone drives by touch: both sticks take a thumb below the card of the cockpit', async ({ platform, open, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await open(`${platform.viewerUrl}/?try=1&profile=worker`, context);
  await openCockpit(page);
  for (const name of [/^Walk:/, /^Turn:/]) await page.getByRole('button', { name }).tap({ trial: true });
  const [card, stick] = [await cockpit(page).boundingBox(), await page.getByRole('button', { name: /^Walk:/ }).boundingBox()];
  const gapPx = (stick?.y ?? 0) - (card?.y ?? 0) - (card?.height ?? 0);
  expect(gapPx).toBeGreaterThanOrEqual(0);
  expect(gapPx, 'right above the sticks').toBeLessThan(40);
  await expect(stop(page)).toBeInViewport({ ratio: 1 });
  await context.close();
});

test('the parts of the cockpit keep apart on a tablet, with and without the side panel, and on a phone', async ({
  platform,
  open,
}) => {
  const page = await open(`${platform.viewerUrl}/?try=1&profile=worker`);
  await openCockpit(page);
  for (const inArms of [false, true]) {
    if (inArms) {
      await page.keyboard.press('m');
      await expect(page.getByTestId('state')).toHaveText('Arms follow poses');
    }
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

test('on a phone a card leaves speed, modes and Stop of the cockpit in reach', async ({ platform, open, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await open(`${platform.viewerUrl}/?try=1&profile=worker`, context);
  await openCockpit(page);
  await page.mouse.click(78, 560);
  await expect(page.getByRole('region', { name: 'About this place' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close this card' })).toBeInViewport({ ratio: 1 });
  // A click waits until nothing covers what it is for.
  for (const part of [stop(page), cockpit(page).getByRole('slider'), page.getByTestId('measured-walking')])
    await part.click({ trial: true });
  await page.keyboard.press('m');
  await expect(page.getByTestId('state')).toHaveText('Arms follow poses');
  await stop(page).click({ trial: true });
  await page.getByRole('button', { name: 'Close this card' }).click();
  await context.close();
});
