/**
 * `npx tsx scripts/record-animation.ts`: records the animation of the README, and its still: in the demo a robot of the tab picks
 * a cube and carries it away. Run `npm run demo` before. It needs `img2webp` and `cwebp` (`apt-get install webp`) and takes ten
 * minutes. Without a graphics card a frame takes seconds, so the clocks of the page and of its workers stand still meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { preview } from 'vite';
import { BROWSER_ARGS, ensureBrowser } from './ensure-browser.ts';

const ROOT = join(import.meta.dirname, '..');
const ANIMATION = join(ROOT, 'docs/demo.webp');
const STILL = join(ROOT, 'docs/pictures/demo-still.webp');
const SIZE = { width: 960, height: 600 };
const CUBE = 'cube_0';
const LENGTH_MS = 10_000;
const FRAME_MS = 125;
/**
 * The clocks advance in steps that are too short for the simulation to detect a freeze, and only after every thread has seen the
 * previous step.
 */
const CLOCK_STEP_MS = 12.5;
const SEEN_WITHIN_MS = 40;
const QUALITY = '62';
const MAX_BYTES = 3_000_000;
/** The position of the still in the animation, for readers who prefer no motion. */
const STILL_AT = 0.5;

const folder = mkdtempSync(join(tmpdir(), 'simplesim-animation-'));
const server = await preview({
  root: ROOT,
  configFile: false,
  logLevel: 'error',
  build: { outDir: 'demo' },
  preview: { host: '127.0.0.1', port: 0 },
});
const browser = await chromium.launch({ executablePath: ensureBrowser(console.log), args: BROWSER_ARGS });
try {
  const page = await (await browser.newContext({ viewport: SIZE, colorScheme: 'light' })).newPage();
  page.setDefaultTimeout(300_000);
  await page.addInitScript(seeAsMostDo);
  await page.addInitScript(holdClocks);
  await page.addInitScript(holdFrames);
  await page.route(/-worker-[\w-]+\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `(${holdClocks})();\n${await answer.text()}` });
  });
  await page.goto(`${server.resolvedUrls?.local[0]}?try=1`);
  await page.locator('.world[data-drawn=true]').waitFor({ timeout: 120_000 });
  await page.getByText('Waiting for the first picture').first().waitFor({ state: 'hidden' });
  encode(await record(page));
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Draws with shadows and reflections, as with a graphics card, and shows no greeting for first visits. Runs in the page. */
function seeAsMostDo(): void {
  const { getParameter } = WebGL2RenderingContext.prototype;
  const UNMASKED_RENDERER_WEBGL = 0x9246;
  WebGL2RenderingContext.prototype.getParameter = function (name: number) {
    return name === UNMASKED_RENDERER_WEBGL ? 'A graphics card' : getParameter.call(this, name);
  };
  localStorage.setItem('simplesim.quality', 'high');
  localStorage.setItem('simplesim.greeted', 'yes');
}

/** From the first message on, code that reads a clock gets the time set by the messages. Runs in the page and in its workers. */
function holdClocks(): void {
  const clocks = [Date, performance].map((clock) => ({ clock, now: clock.now.bind(clock), heldAtMs: 0 }));
  new BroadcastChannel('clock').addEventListener('message', ({ data: passedMs }: MessageEvent<number>) => {
    for (const held of clocks) {
      held.heldAtMs ||= held.now();
      held.clock.now = () => held.heldAtMs + passedMs;
    }
  });
}

/** Draws while the document's title is not `held`, because the states between two frames of the animation are not needed. */
function holdFrames(): void {
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      if (document.title === 'held') window.requestAnimationFrame(callback);
      else callback(time);
    });
}

/** Advances the clocks of the page. @returns their time, in milliseconds since they were first held */
async function advance(page: Page, fromMs: number, byMs: number): Promise<number> {
  const step = { from: fromMs, by: byMs, each: CLOCK_STEP_MS, seenWithin: SEEN_WITHIN_MS };
  return page.evaluate(async ({ from, by, each, seenWithin }) => {
    const channel = new BroadcastChannel('clock');
    const { title } = document;
    document.title = 'held';
    for (let at = from; at <= from + by; at += each) {
      channel.postMessage(at);
      await new Promise((resolve) => setTimeout(resolve, seenWithin));
    }
    channel.close();
    document.title = title;
    return from + by;
  }, step);
}

/** Lets the robot pick the cube, and bring it to the pad of its colour as soon as it holds it. @returns the files of the frames */
async function record(page: Page): Promise<string[]> {
  const files: string[] = [];
  await advance(page, 0, 0);
  await press(page, 'Pick up');
  let isHeld = false;
  for (let atMs = 0; atMs < LENGTH_MS; atMs = await advance(page, atMs, FRAME_MS)) {
    const file = join(folder, `${String(files.length).padStart(3, '0')}.png`);
    await page.screenshot({ path: file });
    files.push(file);
    if (isHeld || !(await page.getByTestId('state').textContent())?.startsWith('Holding')) continue;
    isHeld = true;
    await press(page, /^Put it on pad_D/);
  }
  return files;
}

/** Presses a button of the cube in the list of the scene, and closes the list again, because only the picture matters. */
async function press(page: Page, button: string | RegExp): Promise<void> {
  // A page that draws for seconds never looks stable to the pointer actions.
  const click = (found: Locator): Promise<void> => found.dispatchEvent('click');
  const panel = page.getByRole('button', { name: 'Side panel' });
  if ((await panel.getAttribute('aria-pressed')) === 'false') await click(panel);
  await page.getByRole('tab', { name: 'Scene' }).dispatchEvent('mousedown', { button: 0 });
  const ofCube = page.getByRole('tabpanel').getByRole('button', { name: button }).first();
  if ((await ofCube.count()) === 0) await click(page.getByRole('tabpanel').getByRole('button', { name: new RegExp(CUBE) }));
  await click(ofCube);
  await page.keyboard.press('Escape');
  await click(panel);
}

function encode(files: readonly string[]): void {
  const settings = ['-loop', '0', '-d', String(FRAME_MS), '-lossy', '-q', QUALITY, '-m', '6'];
  execFileSync('img2webp', [...settings, ...files, '-o', ANIMATION], { stdio: 'ignore' });
  const still = files[Math.floor(files.length * STILL_AT)];
  if (still) execFileSync('cwebp', ['-quiet', '-q', '80', still, '-o', STILL]);
  const bytes = statSync(ANIMATION).size;
  console.log(`${files.length} frames, ${(bytes / 1e6).toFixed(2)} MB: ${ANIMATION}`);
  if (bytes > MAX_BYTES) throw new Error(`The animation may have ${MAX_BYTES} bytes. Lower QUALITY.`);
}
