import { type Browser, chromium } from 'playwright-core';
import { BROWSER_ARGS, findBrowser } from '../../scripts/ensure-browser.ts';

/**
 * Starts the browser of a part. Ctrl-C does not end it, because the current slice needs it to the end.
 * @throws Error if it is missing
 */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; `npm test` installs one, or name one in SIMPLESIM_CHROMIUM.');
  return chromium.launch({ executablePath, args: BROWSER_ARGS, handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
}
