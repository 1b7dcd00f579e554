/** Finds a Chromium for the tests, or installs one: Playwright's own where it can be downloaded, the system's where it cannot. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { chromium } from '@playwright/test';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** What a Chromium without a graphics card, a desktop or the internet is started with. */
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

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

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
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0) {
    log('The download is not to be had; installing the system package chromium.');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 300_000 });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
      stdio: 'ignore',
      timeout: 600_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'The page tests need Chromium. Install it (Debian: apt-get install chromium) or name one in SIMPLESIM_CHROMIUM.',
  );
}
