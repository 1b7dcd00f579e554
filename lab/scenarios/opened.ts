import type { Browser, Page } from '@playwright/test';

/** How the page is opened. */
export interface Opening {
  /** An HTTP proxy for all traffic. */
  proxyUrl?: string;
  /**
   * The slow-down factor of the page's own thread. Its workers are not slowed down, because Chromium cannot do that.
   * @default 1
   */
  slowerBy?: number;
}

const WINDOW = { width: 1440, height: 900 };
/** A busy machine is slow, not broken. */
const OPENS_WITHIN_MS = 180_000;

export const UNTIL_LOADED = (page: Page): Promise<unknown> => page.waitForLoadState('load');
export const UNTIL_GATE = (page: Page): Promise<unknown> => page.waitForSelector('html[data-gate]');
export const UNTIL_ALONE = (page: Page): Promise<unknown> => page.waitForSelector('.interface[data-phase=live]');

/** The coarse picture of the scene, or the complete one. */
export const UNTIL_SEEN = (page: Page): Promise<unknown> => page.waitForSelector('.coarse[data-drawn], html[data-world]');

/** Returns how long a page with a new profile takes from its address until a condition is true. */
export async function openedMs(
  browser: Browser,
  url: string,
  until: (page: Page) => Promise<unknown>,
  { proxyUrl, slowerBy = 1 }: Opening = {},
): Promise<number> {
  const context = await browser.newContext({
    viewport: WINDOW,
    // Without this Chromium bypasses the proxy for its own machine.
    ...(proxyUrl ? { proxy: { server: proxyUrl, bypass: '<-loopback>' } } : {}),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(OPENS_WITHIN_MS);
  if (slowerBy !== 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowerBy });
  const startedAtMs = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await until(page);
  const tookMs = performance.now() - startedAtMs;
  await context.close();
  return tookMs;
}
