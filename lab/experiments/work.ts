/**
 * How the page performs while an agent works, minute by minute: how smoothly it draws, how soon it answers reads, and which
 * memory it keeps.
 */
import type { Browser, CDPSession, Page, Worker } from '@playwright/test';
import { CAPTURES_PER_SECOND, readUntil, type Worked, workUntil } from '../agent.ts';
import type { Experiment, Report } from '../experiment.ts';
import type { BenchPlatform, BenchRobot } from '../platform.ts';
import { residentBytes } from '../process-memory.ts';
import { withStage } from '../stage.ts';
import { figuresOf } from '../statistics.ts';

const OPTIONS = { minutes: { takes: 'number', about: 'minutes that the agent works; default: 1 (smoke) or 30 (full)' } } as const;
const MINUTES = { smoke: 1, full: 30 } as const;

/** An agent carries cubes and takes pictures; each minute shows how the page performs. */
export const work: Experiment<typeof OPTIONS, keyof typeof MINUTES> = {
  sizes: ['smoke', 'full'],
  options: OPTIONS,
  head: [
    'minute',
    'frames/s',
    'long tasks',
    'mean long task, ms',
    'longest so far, ms',
    'reads answered, ms: median',
    '99 of 100',
    'real-time factor',
    'page heap, MB',
    'tab, MB',
  ],
  run: ({ size, values }, report) =>
    withStage(async (stage) =>
      measureWork(await stage.platform(), await stage.browser(), values.minutes ?? MINUTES[size], report),
    ),
};

const WINDOW = { width: 1440, height: 900 };
const MINUTE_MS = 60_000;

/** Runs in the page before its own code: counts tasks that kept the page from answering. */
function countTasks(): void {
  const counts = { longTasks: 0, longMs: 0, longestMs: 0 };
  Object.assign(globalThis, { __benchTasks: counts });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      counts.longTasks += 1;
      counts.longMs += duration;
      counts.longestMs = Math.max(counts.longestMs, duration);
    }
  }).observe({ type: 'longtask' });
}

/** Runs in the thread that draws: counts frames in which something was drawn for a person. */
function countFrames(): void {
  const counts = { frames: 0 };
  Object.assign(globalThis, { __benchFrames: counts });
  let drewInFrame = false;
  const { prototype } = WebGL2RenderingContext;
  for (const name of ['drawElements', 'drawElementsInstanced', 'drawArrays'] as const) {
    const draw = prototype[name] as (...args: unknown[]) => void;
    Object.assign(prototype, {
      [name](this: WebGL2RenderingContext, ...args: unknown[]) {
        if (!drewInFrame) {
          drewInFrame = true;
          counts.frames += 1;
          queueMicrotask(() => {
            drewInFrame = false;
          });
        }
        draw.apply(this, args);
      },
    });
  }
}

interface Counts {
  frames: number;
  longTasks: number;
  longMs: number;
  longestMs: number;
}

async function measureWork(platform: BenchPlatform, browser: Browser, minutes: number, report: Report): Promise<Worked> {
  const robot: BenchRobot = await platform.newRobot();
  const page = await browser.newPage({ viewport: WINDOW });
  await page.addInitScript(countTasks);
  await page.addInitScript(countFrames);
  await page.goto(await robot.keyUrl());
  const caller = await robot.join('bench-agent');
  await caller.ready();
  await page.waitForSelector('html[data-world]', { timeout: 180_000 });
  const painter = await pictureWorker(page);
  await painter?.evaluate(countFrames);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const startedAtMs = Date.now();
  const working = workUntil(caller, startedAtMs + minutes * MINUTE_MS);
  let readsMs: number[] = [];
  const reader = await robot.join('bench-reader');
  const reading = readUntil(reader, startedAtMs + minutes * MINUTE_MS, (tookMs) => readsMs.push(tookMs));
  let before = await countsOf(page, painter);
  for (let minute = 1; minute <= minutes; minute += 1) {
    // A minute of work is measured.
    await new Promise((resolve) => setTimeout(resolve, startedAtMs + minute * MINUTE_MS - Date.now()));
    const now = await countsOf(page, painter);
    const reads = figuresOf(readsMs);
    readsMs = [];
    const memory = await memoryOf(devtools, browser);
    const factor = (await caller.call('runtime.state')).robot.extra.sim.real_time_factor as number;
    const longTasks = now.longTasks - before.longTasks;
    report.row(
      minute,
      ((now.frames - before.frames) / 60).toFixed(1),
      longTasks,
      ((now.longMs - before.longMs) / Math.max(1, longTasks)).toFixed(0),
      now.longestMs.toFixed(0),
      reads.median.toFixed(0),
      reads.p99.toFixed(0),
      factor.toFixed(2),
      (memory.heapBytes / 1e6).toFixed(1),
      (memory.tabBytes / 1e6).toFixed(0),
    );
    before = now;
  }
  const worked = await working;
  await reading;
  report.say(
    `The agent carried ${worked.carried} cubes, met ${worked.failed} rejections and took ${worked.pictures} pictures (${CAPTURES_PER_SECOND}/s wanted).`,
  );
  await reader.leave();
  await caller.leave();
  await page.close();
  return worked;
}

/** If a worker draws the person's picture, returns that worker. */
async function pictureWorker(page: Page): Promise<Worker | undefined> {
  const names = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.name)));
  return page.workers()[names.indexOf('picture')];
}

async function countsOf(page: Page, painter: Worker | undefined): Promise<Counts> {
  const read = () => (globalThis as unknown as { __benchFrames: { frames: number } }).__benchFrames.frames;
  const tasks = await page.evaluate(() => ({
    ...(globalThis as unknown as { __benchTasks: Omit<Counts, 'frames'> }).__benchTasks,
  }));
  return { ...tasks, frames: await (painter ? painter.evaluate(read) : page.evaluate(read)) };
}

/** After a garbage collection: the heap of the page's own thread, and the memory of the tab's whole process, workers included. */
async function memoryOf(devtools: CDPSession, browser: Browser): Promise<{ heapBytes: number; tabBytes: number }> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  await whole.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => residentBytes(id));
  return { heapBytes, tabBytes: Math.max(...tabs) };
}
