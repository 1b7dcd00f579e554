/** A page that the browser translates, and one whose person writes with an input method. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

/** As the translator of Chrome does: each text is moved into two elements of its own, also each that comes later. */
function translate(): void {
  const isDone = (text: Node): boolean => text.parentElement?.closest('font, script, style, [translate="no"]') !== null;
  const wrap = (text: Text): void => {
    if (text.data.trim() === '' || isDone(text)) return;
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    text.replaceWith(outer);
    // The old node leaves the page, as there.
    inner.textContent = text.data;
  };
  const look = (): void => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(wrap);
  };
  look();
  new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
}

/** Texts that stand beside other children of an element: a translator would freeze them. */
const bareTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('#app') ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentNode } = walker.currentNode as Text;
      if (data.trim() !== '' && parentNode && parentNode.childNodes.length > 1)
        found.push((parentNode as Element).outerHTML.slice(0, 200));
    }
    return found;
  });

test('a page that the browser translates shows each change of an emergency stop, and an input method keeps its keys', async ({
  platform,
  open,
}) => {
  const page = await open(`${platform.viewerUrl}/?try=1`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  expect(await bareTexts(page)).toEqual([]);
  await page.evaluate(translate);
  const notice = page.getByRole('alert').filter({ hasText: 'Emergency stop' });
  // Twice, because what is frozen shows the first text rightly.
  for (const _ of [1, 2]) {
    await page.getByRole('button', { name: 'Emergency stop' }).click();
    await expect(notice).toContainText('it accepts no command until the stop is released.');
    await page.getByRole('button', { name: 'Release…' }).click();
    await expect(notice).toContainText('After that the robot accepts commands again.');
    await expect(notice).not.toContainText('it accepts no command until the stop is released.');
    await page.getByRole('button', { name: 'Release the robot' }).click();
    await expect(notice).toHaveCount(0);
  }

  await page.getByRole('button', { name: 'Walk to' }).first().click();
  const picker = page.getByRole('combobox').first();
  await picker.fill('cube');
  await expect(page.getByRole('listbox')).toBeVisible();
  const composing = { key: 'Enter', bubbles: true, cancelable: true };
  await picker.dispatchEvent('keydown', { ...composing, isComposing: true });
  await picker.dispatchEvent('keydown', { ...composing, keyCode: 229 });
  await expect(picker).toHaveValue('cube');
  await picker.press('Enter');
  await expect(picker).toHaveValue(/^cube_\d+$/);
  expect(await bareTexts(page)).toEqual([]);
});
