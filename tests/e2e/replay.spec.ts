/** The same calls in Node and in Chromium: the same world, bit by bit, at every step. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { playOn } from '../promises/replay-agent.ts';
import { GOLDEN_LOGS } from '../promises/replay-golden-logs.ts';
import { type CallLog, createStage, firstDifference, type Replay, replay } from '../promises/replay-log.ts';

/** Seeded stories beside the golden ones; 10,000 steps are the golden logs', these come on top. */
const STORY_SEEDS = [11, 12];
const STORY_STEPS = 1_500;

let folder: string;
let server: Server;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simplesim-replay-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(import.meta.dirname, '../..'),
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      lib: { entry: join(import.meta.dirname, 'support/replay-worker.ts'), formats: ['es'], fileName: 'worker' },
    },
  });
  server = createServer(async ({ url = '/' }, response) => {
    const isPage = url === '/';
    response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
    response.end(isPage ? '<!doctype html><title>replay</title>' : await readFile(join(folder, 'worker.js')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

test.afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

test('P12 ten thousand steps and more replay in Chromium to the hashes of Node, each of them', async ({ page, browser }) => {
  await RAPIER.init();
  const logs = [...GOLDEN_LOGS, ...STORY_SEEDS.map(recordedStory)];
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const inChromium = await page.evaluate(
    (asked) =>
      new Promise<Replay[]>((resolve, reject) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(asked);
      }),
    logs,
  );
  let steps = 0;
  for (const [index, log] of logs.entries()) {
    const here = replay(RAPIER, log);
    const there = inChromium[index];
    expect(there?.ends, log.name).toEqual(here.ends);
    expect(firstDifference(here.hashes, there?.hashes ?? []), `${log.name}: first step that differs`).toBeNull();
    steps += here.hashes.length;
  }
  test.info().annotations.push({ type: 'steps compared', description: `${steps}, Chromium ${browser.version()}` });
  expect(steps).toBeGreaterThanOrEqual(10_000);
});

/** What a seeded agent calls in a world of its own. */
function recordedStory(seed: number): CallLog {
  const stage = createStage(RAPIER, seed);
  const { calls } = playOn(stage, seed, STORY_STEPS);
  stage.runtime.dispose();
  return { name: `story ${seed}`, seed, steps: STORY_STEPS, calls };
}
