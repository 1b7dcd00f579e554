/** Finds a Chromium for the tests, or installs one: Playwright's own where it can be downloaded, the system's where it cannot. */
import { spawnSync } from 'node:child_process';
import { chromium } from '@playwright/test';
import { installSystemPackage, isExecutable } from './system-package.ts';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The arguments of a Chromium without a graphics card, a desktop or the internet. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
];

/**
 * Path of the browser the tests run: `SIMPLESIM_CHROMIUM`, a system browser, or Playwright's own.
 * @returns null when there is none.
 */
export function findBrowser(): string | null {
  const named = process.env.SIMPLESIM_CHROMIUM;
  if (named) return isExecutable(named) ? named : null;
  return [...SYSTEM_BROWSERS, chromium.executablePath()].find(isExecutable) ?? null;
}

/**
 * As `findBrowser`, installing one when there is none.
 * @throws Error with what to install by hand.
 */
export function ensureBrowser(log: (line: string) => void): string {
  const found = findBrowser();
  if (found) return found;
  log('No Chromium here yet; asking Playwright to download its own.');
  const download = spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
  const downloaded = download.status === 0 ? findBrowser() : null;
  if (downloaded) return downloaded;
  installSystemPackage('chromium', 'The download is not to be had', log, true);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'The page tests need Chromium. Install it (Debian: apt-get install chromium) or name one in SIMPLESIM_CHROMIUM.',
  );
}
