/** Helpers of the tests of the page of all robots. */
import type { Page } from '@playwright/test';
import { expectGoodAt } from './axe.ts';

const SIZES = [
  { width: 1440, height: 900, themes: ['dark', 'light'] },
  { width: 900, height: 700, themes: [] },
  { width: 390, height: 844, themes: ['dark', 'light'] },
] as const;

/** Axe finds nothing and no word is cut off, at three sizes. */
export const checkAtAllSizes = (page: Page, state: string): Promise<void> => expectGoodAt(SIZES, page, state);

/** Everything that the page has written down somewhere: its elements with their attributes, storage, cookies, address and history. */
export const tracesOf = (page: Page): Promise<string> =>
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

/** The card of a robot. */
export const cardOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Chooses an entry of the menu of a robot's card. */
export async function chooseFromCard(page: Page, name: string | RegExp, entry: string): Promise<void> {
  await page
    .getByRole('button', { name: typeof name === 'string' ? `More for ${name}` : name })
    .first()
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}
