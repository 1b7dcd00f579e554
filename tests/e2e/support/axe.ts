import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * WCAG 2.5.8 excepts a small target with an equivalent one on the same page. A bar of the timeline is as long as its action took, and the
 * row below does the same.
 */
const isExcepted = (rule: string, target: string): boolean => rule === 'target-size' && target.includes('.lane-bars');

type Theme = 'dark' | 'light';

/** The rules of those above that depend on colours: nothing else differs from one theme to the other. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns what to load into the page for axe: nothing but an empty script if an earlier check has loaded it, undefined for axe itself. */
async function axeFor(page: Page): Promise<string | undefined> {
  const isThere = page.frames().length === 1 && (await page.evaluate(() => 'axe' in window));
  return isThere ? 'void 0' : undefined;
}

/** Parts that float below the head get the head's height within a frame after a change of the window's size. */
const floatingPartsPlaced = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => void requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

/** axe finds nothing in what the page shows now, in each of the themes. @param state for the report */
export async function expectNoAxeFindings(
  page: Page,
  state: string,
  themes: readonly Theme[] = ['dark', 'light'],
): Promise<void> {
  await floatingPartsPlaced(page);
  for (const [index, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme });
    // In legacy mode axe stays in this page; else it opens another, and this one is hidden meanwhile.
    // It would also describe correct elements, one by one, which no one reads.
    const axeSource = await axeFor(page);
    const builder = new AxeBuilder({ page, ...(axeSource ? { axeSource } : {}) }).options({ resultTypes: ['violations'] });
    const ruled = index === 0 ? builder.withTags(RULES) : builder.withRules(COLOUR_RULES);
    const { violations } = await ruled.setLegacyMode(true).analyze();
    const findings = violations.flatMap(({ id, help, nodes }) =>
      nodes
        .filter(({ target }) => !isExcepted(id, target.join(' ')))
        .map(({ target, failureSummary, html, any }) => {
          const related = any.flatMap(({ relatedNodes }) => relatedNodes ?? []).map((node) => node.html.slice(0, 120));
          return `${id}: ${help} — ${target.join(' ')} (${html.slice(0, 120)}): ${failureSummary} ${related.join(' ')}`;
        }),
    );
    expect(findings, `${state}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Nothing of the page is wider than the window, and no word on a button, tab or heading is cut off without a way to read it. */
export async function expectNothingCutOff(page: Page, state: string): Promise<void> {
  const cut = () =>
    page.evaluate(() => {
      const found: string[] = [];
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.slice(0, 40)}"`;
      if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page scrolls sideways');
      for (const element of document.querySelectorAll<HTMLElement>(
        'button, a, h1, h2, h3, label, p, [role=tab], dt, dd, td, th, li',
      )) {
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest('.visually-hidden'))
          continue;
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.height === 0) continue;
        if (box.left < -1 || box.right > window.innerWidth + 1) {
          const scrolls = element.parentElement?.closest('[data-scrolls-sideways]');
          if (!scrolls) found.push(`beyond the window: ${name(element)}`);
        }
        const style = getComputedStyle(element);
        const clips = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
        if (clips && style.overflowX === 'hidden' && !element.title) found.push(`cut off: ${name(element)}`);
      }
      return found;
    });
  await expect.poll(cut, { message: state, timeout: 20_000 }).toEqual([]);
}

/** Sizes of the window, with the themes whose colours are looked at there. */
export type Sizes = readonly { width: number; height: number; themes: Parameters<typeof expectNoAxeFindings>[2] }[];

/** Every automatic check of a state: no finding, nothing cut off, at every size. */
export async function expectGoodAt(sizes: Sizes, page: Page, state: string): Promise<void> {
  const before = page.viewportSize();
  for (const { width, height, themes } of sizes) {
    await page.setViewportSize({ width, height });
    await expectNothingCutOff(page, `${state} at ${width} × ${height}`);
    await expectNoAxeFindings(page, `${state} at ${width} × ${height}`, themes);
  }
  if (before) await page.setViewportSize(before);
}
