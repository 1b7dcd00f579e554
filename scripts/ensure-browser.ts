/** Finds a Chromium for the tests, or installs one: Playwright's own if it can be downloaded, otherwise the system's. */
import { spawnSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { BROWSER_ARGS, findBrowser as findInstalledBrowser, isExecutable } from '../src/headless/pictures/find-browser.ts';
import { installSystemPackage } from './system-package.ts';

export { BROWSER_ARGS };

/**
 * An argument for Chromium. Recompiling the physics engine into faster code takes a tenth of the processor time of the page
 * tests.
 */
export const COMPILED_ONCE = '--js-flags=--liftoff-only';

/**
 * Returns the path of the browser for the tests: `SIMPLESIM_CHROMIUM`, a system browser, or Playwright's own.
 * @returns null if there is none.
 */
export function findBrowser(): string | null {
  const playwrights = process.env.SIMPLESIM_CHROMIUM ? [] : [chromium.executablePath()];
  return findInstalledBrowser() ?? playwrights.find(isExecutable) ?? null;
}

/** Same as `findBrowser`, but installs a browser if there is none. @throws Error with what to install by hand. */
export function ensureBrowser(log: (line: string) => void): string {
  const found = findBrowser();
  if (found) return found;
  log('Chromium is missing; asking Playwright to download its own.');
  const download = spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
  const downloaded = download.status === 0 ? findBrowser() : null;
  if (downloaded) return downloaded;
  installSystemPackage('chromium', 'The download is unavailable', log, true);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'The page tests need Chromium. Install it (Debian: apt-get install chromium) or name one in SIMPLESIM_CHROMIUM.',
  );
}
