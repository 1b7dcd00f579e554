/** A 1280 × 720 `get_vision` over the room against a bare render and read-back of the same stage in the same browser, in turn. */
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-compat';
import type { Browser } from '@playwright/test';
import { build, preview } from 'vite';
import { layout } from '../../src/simulation/scene.ts';
import { createWorld, renderState } from '../../src/simulation/world.ts';
import type { BareOrder } from '../pages/messages.ts';
import type { BenchPlatform } from '../platform.ts';
import { type Comparison, figuresOf } from '../statistics.ts';

const ROUNDS = 25;
const WARM_UP = 3;
const WIDTH_PX = 1280;
const HEIGHT_PX = 720;

export async function benchCapture(platform: BenchPlatform, browser: Browser): Promise<Comparison> {
  const pageConfig = {
    configFile: false as const,
    root: join(import.meta.dirname, '../pages'),
    logLevel: 'error' as const,
    build: { outDir: join(import.meta.dirname, '../../.cache/bench-pages'), emptyOutDir: true },
    worker: { format: 'es' as const },
    preview: { port: 0, host: '127.0.0.1' },
  };
  await build(pageConfig);
  const server = await preview(pageConfig);
  const barePage = await browser.newPage();
  await barePage.goto(server.resolvedUrls?.local[0] ?? '');
  const robot = await platform.newRobot();
  const robotPage = await browser.newPage();
  await robotPage.goto(await robot.keyUrl());
  const caller = await robot.join('bench-caller');
  await caller.ready();

  await RAPIER.init();
  const world = createWorld(RAPIER, { seed: 1 });
  const order: BareOrder = { layout: layout(world), renderState: renderState(world), widthPx: WIDTH_PX, heightPx: HEIGHT_PX };
  const samples = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const bareMs = await barePage.evaluate((asked) => window.renderBare(asked), order);
    const id = `bench-${round}`;
    const startedAtMs = performance.now();
    const picture = caller.file(id);
    const reply = await caller.call('runtime.cameras_capture', {
      selector: { kind: 'id', id: 'pov' },
      options: { width: WIDTH_PX, height: HEIGHT_PX },
      stream: { id, topic: 'platform.camera_capture' },
    });
    if (reply.status !== 'done') throw new Error(JSON.stringify(reply.error));
    await picture;
    const oursMs = performance.now() - startedAtMs;
    if (round < WARM_UP) continue;
    samples.bare.push(bareMs);
    samples.ours.push(oursMs);
  }
  await caller.leave();
  await robotPage.close();
  await barePage.close();
  await server.close();
  return {
    name: 'get_vision 1280 × 720 / bare render and read-back',
    unit: 'ms',
    ours: figuresOf(samples.ours),
    bare: figuresOf(samples.bare),
    target: 1.25,
  };
}
