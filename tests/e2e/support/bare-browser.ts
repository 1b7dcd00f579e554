/**
 * A browser of one's own, attached to without Playwright's defaults: `launch()` forces focus on every page, so only here can a
 * page be really hidden or frozen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, errors, type Page } from '@playwright/test';
import { BROWSER_ARGS, COMPILED_ONCE, findBrowser } from '../../../scripts/ensure-browser.ts';

const ATTACHED_WITHIN_MS = 40_000;

export interface BareBrowser {
  browser: Browser;
  /** The profile's own context: incognito ones would count as focused again. */
  context: BrowserContext;
  /** Ends the browser with all its processes and removes its profile. */
  stop(): Promise<void>;
}

/**
 * Starts Chromium with a fresh profile. Throws when there is none or when it ends before it can be attached to.
 * @param args besides `BROWSER_ARGS`
 * @param settings the person's settings of the browser, as its profile has them
 */
export async function startBareBrowser(args: readonly string[] = [], settings: object = {}): Promise<BareBrowser> {
  const executable = findBrowser();
  if (!executable) throw new Error('No Chromium found; `npm test` installs one.');
  const userDataDir = await mkdtemp(join(tmpdir(), 'simplesim-browser-'));
  await mkdir(join(userDataDir, 'Default'));
  await writeFile(join(userDataDir, 'Default', 'Preferences'), JSON.stringify(settings));
  // A process group of its own: its helper processes write to the profile until they have ended too.
  const child = spawn(
    executable,
    ['--headless=new', ...BROWSER_ARGS, ...args, '--remote-debugging-port=0', `--user-data-dir=${userDataDir}`],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const stop = async () => {
    await endGroup(child);
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const browser = await attach(await debuggingAddress(child));
    const context = browser.contexts()[0];
    if (!context) throw new Error('the browser has no default context');
    return { browser, context, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** As pages of Playwright have it: a hidden page keeps its timers and its share of the processor, and is not drawn. */
const AWAKE_ARGS = [
  COMPILED_ONCE,
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Tabs behind another one, in a browser of their own: hidden from their first moment, as while a person works in another window. */
export interface HiddenTabs {
  /** Opens a tab. It draws nothing, so a test that waits for drawing or clicks in it waits for ever. */
  open(): Promise<Page>;
  /** Ends the browser. */
  stop(): Promise<void>;
}

/** Starts Chromium for hidden tabs. Throws as `startBareBrowser` does. */
export async function startHiddenTabs(): Promise<HiddenTabs> {
  const { browser, context, stop } = await startBareBrowser(AWAKE_ARGS);
  try {
    const inFront = context.pages()[0] ?? (await context.newPage());
    await inFront.bringToFront();
    const session = await browser.newBrowserCDPSession();
    return {
      async open() {
        const opened = context.waitForEvent('page');
        await session.send('Target.createTarget', { url: 'about:blank', background: true });
        const page = await opened;
        if ((await page.evaluate(() => document.visibilityState)) !== 'hidden') throw new Error('the tab is not hidden');
        return page;
      },
      stop,
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

/** A browser that has only just started may leave the first to attach without an answer. The test's own limit is the one that counts. */
async function attach(address: string): Promise<Browser> {
  for (;;) {
    try {
      return await chromium.connectOverCDP(address, { noDefaults: true, timeout: ATTACHED_WITHIN_MS });
    } catch (fault) {
      if (!(fault instanceof errors.TimeoutError)) throw fault;
    }
  }
}

const debuggingAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk) => {
      text += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(text);
      if (found?.[1]) resolve(found[1]);
    });
    child.on('exit', () => reject(new Error(`the browser ended: ${text.slice(-500)}`)));
  });

/** Kills the process group and waits until nothing of it is left; 5 s at most, as a process without a parent that reaps it stays listed for ever. */
async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  for (let ask = 0; ask < 100; ask += 1) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      return;
    }
    // There is no event for the end of a grandchild, so it is polled.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
