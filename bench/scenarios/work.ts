/**
 * How the page fares while an agent works, minute by minute: how smoothly it draws, how soon reads are answered, and what it holds on to.
 */
import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page, Worker } from '@playwright/test';
import { CAPTURES_PER_SECOND, readUntil, workUntil } from '../agent.ts';
import type { BenchPlatform, BenchRobot } from '../platform.ts';
import { figuresOf } from '../statistics.ts';

const WINDOW = { width: 1440, height: 900 };
const MINUTE_MS = 60_000;

/** Runs in the page, before it: counts tasks that kept the page from answering. */
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

/** Runs in whichever thread draws: counts frames in which something was drawn for a person. */
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

/** An agent carries cubes and takes pictures; each minute says how the page fares. */
export async function benchWork(platform: BenchPlatform, browser: Browser, minutes: number): Promise<void> {
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
  const work = workUntil(caller, startedAtMs + minutes * MINUTE_MS);
  let readsMs: number[] = [];
  const reader = await robot.join('bench-reader');
  const reading = readUntil(reader, startedAtMs + minutes * MINUTE_MS, (tookMs) => readsMs.push(tookMs));
  let before = await countsOf(page, painter);
  for (let minute = 1; minute <= minutes; minute += 1) {
    // A minute of work is what is measured.
    await new Promise((resolve) => setTimeout(resolve, startedAtMs + minute * MINUTE_MS - Date.now()));
    const now = await countsOf(page, painter);
    const reads = figuresOf(readsMs);
    readsMs = [];
    const memory = await memoryOf(devtools, browser);
    const factor = (await caller.call('runtime.state')).robot.extra.sim.real_time_factor as number;
    console.log(
      [
        `minute ${minute}`,
        `${((now.frames - before.frames) / 60).toFixed(1)} frames/s`,
        `${now.longTasks - before.longTasks} long tasks of ${((now.longMs - before.longMs) / Math.max(1, now.longTasks - before.longTasks)).toFixed(0)} ms`,
        `longest so far ${now.longestMs.toFixed(0)} ms`,
        `reads answered in ${reads.median.toFixed(0)} ms (p99 ${reads.p99.toFixed(0)})`,
        `real-time factor ${factor.toFixed(2)}`,
        `page heap ${(memory.heapBytes / 1e6).toFixed(1)} MB`,
        `tab ${(memory.tabBytes / 1e6).toFixed(0)} MB`,
      ].join(', '),
    );
    before = now;
  }
  const { carried, failed, pictures } = await work;
  await reading;
  console.log(
    `the agent carried ${carried} cubes, met ${failed} refusals, took ${pictures} pictures (${CAPTURES_PER_SECOND}/s wanted)`,
  );
  await reader.leave();
  await caller.leave();
  await page.close();
}

/** Where a worker draws the person's picture: that one. */
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

/** After a collection: what the page's own thread holds, and what the whole process of the tab, workers included, has in memory. */
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

/** Linux tells it under /proc; elsewhere there is no figure. */
function residentBytes(processId: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
