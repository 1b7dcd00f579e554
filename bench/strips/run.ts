/**
 * `npm run strips [-- name …]`: film strips of the robot's motions for people to look at, in `.cache/strips/<name>.png`: the rows are
 * views from the side, from the front and from a corner, the columns moments.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build, preview } from 'vite';
import { BROWSER_ARGS, ensureBrowser } from '../../scripts/ensure-browser.ts';
import { carriedPadId, furnitureOf, type ScenePlace } from '../../src/protocol/place.ts';
import { placeOf } from '../../src/simulation/scene.ts';
import type { StripView } from '../pages/strips/messages.ts';
import { MOTIONS, play } from './motions.ts';

const OUT_DIR = join(import.meta.dirname, '../../.cache/strips');
const VIEWS: readonly StripView[] = [
  { name: 'side', aroundDeg: -90, distanceM: 2.9, eyeHeightM: 0.75, lookHeightM: 0.6 },
  { name: 'front', aroundDeg: 8, distanceM: 2.9, eyeHeightM: 0.9, lookHeightM: 0.6 },
  { name: 'corner', aroundDeg: 130, distanceM: 2.9, eyeHeightM: 1.3, lookHeightM: 0.6 },
];

/** Racks and walls would stand between robot and camera. */
function openHall(whole: ScenePlace): ScenePlace {
  const { min, max } = whole.bounds;
  return {
    ...whole,
    obstacles: whole.obstacles.filter(({ obstacle_id: id }) => carriedPadId(furnitureOf(whole, id)) !== null),
    bounds: { min: [min[0] - 6, min[1] - 6, min[2]], max: [max[0] + 6, max[1] + 6, max[2]] },
  };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !MOTIONS.some((motion) => motion.name === name));
if (unknown.length > 0) {
  console.error(`There is no motion ${unknown.join(', ')}. Motions: ${MOTIONS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const pages = {
  configFile: false as const,
  root: join(import.meta.dirname, '../pages/strips'),
  logLevel: 'error' as const,
  build: { outDir: join(import.meta.dirname, '../../.cache/strip-pages'), emptyOutDir: true, chunkSizeWarningLimit: 2_500 },
  preview: { port: 0, host: '127.0.0.1' },
};
await mkdir(OUT_DIR, { recursive: true });
await build(pages);
const server = await preview(pages);
const browser = await chromium.launch({ executablePath: ensureBrowser((line) => console.log(line)), args: BROWSER_ARGS });
const page = await browser.newPage();
await page.goto(server.resolvedUrls?.local[0] ?? '');
for (const motion of MOTIONS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { t, kept } = await play(motion);
  const order = {
    title: motion.name,
    layout: openHall(placeOf(t.core.world.scene, t.core.world.robot.model.id)),
    frames: kept,
    views: VIEWS,
    frameWidthPx: 130,
    frameHeightPx: 230,
  };
  const url = await page.evaluate((asked) => window.renderStrip(asked), order);
  const file = join(OUT_DIR, `${motion.name}.png`);
  await writeFile(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  console.log(file);
}
await browser.close();
await server.close();
