import { defineConfig } from '@playwright/test';
import { BROWSER_ARGS, COMPILED_ONCE, findBrowser } from './scripts/ensure-browser.ts';
import { STARTED_FAST } from './scripts/test-files.ts';

const executablePath = findBrowser();
if (!executablePath) throw new Error('No Chromium found; `npm test` installs one, or name one in SIMPLESIM_CHROMIUM.');

// The processes of tests, and the platforms and programs that these start.
Object.assign(process.env, STARTED_FAST.env);

/** Tests that hold the product against times: how long a stop, a stall or a way back takes. Beside another tab they would measure the machine. */
const ALONE = /@alone/;
/** Such tests too, which wait for most of their time and so leave the machine to one of the others. */
const QUIET = /@quiet/;

const launchOptions = { executablePath, args: BROWSER_ARGS };

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  // Two pages keep two cores busy. A third lane starved a robot for a second, which it takes for a freeze.
  workers: 2,
  projects: [
    {
      name: 'together',
      grepInvert: [ALONE, QUIET],
      fullyParallel: true,
      use: { launchOptions: { ...launchOptions, args: [...BROWSER_ARGS, COMPILED_ONCE] } },
    },
    { name: 'alone', grep: ALONE, workers: 1 },
    { name: 'quiet', grep: QUIET, workers: 1 },
  ],
  retries: 0,
  forbidOnly: true,
  // Far more than any test takes: a busy machine is no failure. Bounds that are promises stand in the tests.
  timeout: 300_000,
  expect: {
    timeout: 45_000,
    // Letters differ by a shade from one build of the browser to the next; a thing that moved differs by far more.
    toHaveScreenshot: { maxDiffPixelRatio: 0.01, stylePath: 'tests/e2e/support/look.css' },
  },
  snapshotPathTemplate: 'tests/e2e/snapshots/{arg}{ext}',
  outputDir: 'test-results',
  use: {
    // As long as an expectation: what is missing is told by its name, and not by the end of the test.
    actionTimeout: 45_000,
    // Actions, console and network. Pictures and copies of the page would cost a software-drawn one more than the test itself.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    viewport: { width: 1440, height: 900 },
    launchOptions,
  },
});
