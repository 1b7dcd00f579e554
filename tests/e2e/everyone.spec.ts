/** The page for everyone: axe on every state, the keyboard alone, small screens, reduced motion. */
import type { Locator, Page } from '@playwright/test';
import { expectGoodAt } from './support/axe.ts';
import { expectToBeAsInGallery } from './support/engine-state.ts';
import { expect, test } from './support/still-page.ts';

/** Colours are the same at every size; what stands where is not. */
const SIZES = [
  { width: 1440, height: 900, themes: ['dark', 'light'] },
  { width: 1024, height: 768, themes: [] },
  { width: 390, height: 844, themes: ['dark'] },
] as const;

const check = (page: Page, state: string): Promise<void> => expectGoodAt(SIZES, page, state);

test('axe finds nothing and no word is cut off: the gate, with a refused key too', async ({ still }) => {
  const { page } = await still('gate');
  const field = page.getByRole('textbox', { name: /room key/i });
  await expect(field).toBeVisible();
  await check(page, 'gate');
  await field.fill('hello');
  await field.press('Enter');
  await expect(page.getByRole('alert').first()).toHaveText(/not a room key/);
  await check(page, 'gate with a refused key');
});

test('axe finds nothing and no word is cut off: the live page with every tab, menu and popover', async ({ still }) => {
  const { page } = await still('ready');
  await expect(page.locator('html')).toHaveAttribute('data-world');
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (let index = 0; index < (await tabs.count()); index += 1) {
    const tab = tabs.nth(index);
    await tab.click();
    await check(page, `tab ${await tab.textContent()}`);
  }
  await page.getByRole('tab', { name: 'Skills' }).click();
  await page.getByRole('button', { name: /go_to/ }).click();
  await check(page, 'form of a skill');
  await page.getByRole('tab', { name: 'Actions' }).click();
  await page
    .getByRole('button', { name: /Refused/ })
    .first()
    .click();
  await check(page, 'a refused call, opened');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await check(page, 'menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'What is drawn' }).click();
  await check(page, 'menu of the view');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /In the room/ }).click();
  await check(page, 'people');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Enlarge the picture of the head camera/ }).click();
  await check(page, 'camera picture');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Drive by hand' }).click();
  await expect(page.getByRole('region', { name: 'Driving by hand' })).toBeVisible();
  await check(page, 'driving');
});

test('axe finds nothing and no word is cut off: a robot in a frame', async ({ still }) => {
  const { page } = await still('frame');
  await expect(page.locator('.embed')).toHaveAttribute('data-phase', 'live');
  await check(page, 'embedded');
});

test('axe finds nothing and no word is cut off: after the end of a stay', async ({ still }) => {
  const { page } = await still('left');
  await expect(page.getByRole('alert').first()).toBeVisible();
  await check(page, 'left');
});

/** Presses Tab until the element has the focus; every stop on the way can be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 80; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body) return null;
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(focused);
      const isMarked =
        (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || focused.matches('input, textarea');
      return isMarked ? null : `${focused.tagName} "${focused.textContent}" ${borderColor}`;
    });
    expect(unseen, 'focused without being marked').toBeNull();
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Asks for less motion. @returns the names of the animations that run all the same */
async function watchMotion(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Reported at its start, because the loading card may disappear before anyone looks.
  const moved: string[] = [];
  await page.exposeFunction('tellMoved', (name: string) => moved.push(name));
  await page.addInitScript(() => {
    const report = ({ target }: Event) => {
      for (const animation of (target as Element).getAnimations()) {
        const { playState, effect } = animation;
        if (playState === 'running' && Number(effect?.getComputedTiming().duration) > 1)
          (window as unknown as { reportMoved(name: string): void }).reportMoved(
            (animation as CSSAnimation).animationName ?? 'transition',
          );
      }
    };
    for (const begin of ['animationstart', 'transitionstart']) document.addEventListener(begin, report, { capture: true });
  });
  return moved;
}

test('the keyboard alone, with less motion: from the gate to a cube in the hands, its result announced, and a walk stopped', async ({
  platform,
  open,
}) => {
  const page = await open('about:blank');
  const moved = await watchMotion(page);
  await page.goto(platform.viewerUrl);
  const tryHere = page.getByRole('button', { name: 'Try it here' });
  await expect(page.getByRole('textbox', { name: /room key/i })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await tabTo(page, tryHere);
  await page.keyboard.press('Enter');
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');

  await expectToBeAsInGallery(page, 'this-tab');

  const skill = (name: string) => page.getByRole('button', { name: new RegExp(name) });
  await tabTo(page, page.getByRole('tab', { name: 'Skills' }));
  await tabTo(page, skill('pick_entity'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Entity id'));
  await page.keyboard.type('cube_0');
  await tabTo(page, page.getByRole('button', { name: /^Run/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: /cube_0: done/ })).toHaveCount(1);

  await tabTo(page, page.getByRole('button', { name: /All skills|Back/ }));
  await page.keyboard.press('Enter');
  await tabTo(page, skill('go_to'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Entity id'));
  await page.keyboard.type('pad_B');
  await tabTo(page, page.getByRole('button', { name: /^Run/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('state')).toHaveText(/Walking to pad_B/);
  await page.keyboard.press('Space');
  await expect(page.getByRole('status').filter({ hasText: /pad_B: cancelled/ })).toHaveCount(1);
  // Nothing moves for who asked for less motion: not the cards and menus, nor what announces the results.
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  expect(moved).toEqual([]);
});
