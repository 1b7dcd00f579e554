import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { carriedPadId, furnitureOf, type ScenePlace } from '../../src/protocol/wire/place.ts';
import { placeOf } from '../../src/simulation/scene.ts';
import type { Experiment } from '../experiment.ts';
import type { StripView } from '../pages/strips/messages.ts';
import { PROJECT_DIR } from '../result.ts';
import { withStage } from '../stage.ts';
import { MOTIONS, play } from '../strips/motions.ts';

const VIEWS: readonly StripView[] = [
  { name: 'side', aroundDeg: -90, distanceM: 2.9, eyeHeightM: 0.75, lookHeightM: 0.6 },
  { name: 'front', aroundDeg: 8, distanceM: 2.9, eyeHeightM: 0.9, lookHeightM: 0.6 },
  { name: 'corner', aroundDeg: 130, distanceM: 2.9, eyeHeightM: 1.3, lookHeightM: 0.6 },
];

/** Racks and walls would hide the robot from the camera. */
function openHall(whole: ScenePlace): ScenePlace {
  const { min, max } = whole.bounds;
  return {
    ...whole,
    obstacles: whole.obstacles.filter(({ obstacle_id: id }) => carriedPadId(furnitureOf(whole, id)) !== null),
    bounds: { min: [min[0] - 6, min[1] - 6, min[2]], max: [max[0] + 6, max[1] + 6, max[2]] },
  };
}

const PAGES = {
  configFile: false as const,
  root: join(import.meta.dirname, '../pages/strips'),
  logLevel: 'error' as const,
  build: { outDir: join(PROJECT_DIR, '.cache/lab/strip-pages'), emptyOutDir: true, chunkSizeWarningLimit: 2_500 },
  preview: { port: 0, host: '127.0.0.1' },
};

/**
 * Draws film strips of the robot's motions for people to look at. The rows are views from the side, from the front and from a
 * corner; the columns are moments.
 */
export const strips: Experiment<Record<never, never>, 'smoke' | 'full'> = {
  sizes: ['smoke', 'full'],
  choices: { noun: 'motion', names: MOTIONS.map(({ name }) => name) },
  options: {},
  head: ['motion', 'picture'],
  run: ({ size, names, outDir }, { row }) =>
    withStage(async (stage) => {
      const folder = join(outDir, 'strips');
      await mkdir(folder, { recursive: true });
      await build(PAGES);
      const server = await preview(PAGES);
      const page = await (await stage.browser()).newPage();
      await page.goto(server.resolvedUrls?.local[0] ?? '');
      const chosen = MOTIONS.filter(({ name }) => names.length === 0 || names.includes(name));
      const files: string[] = [];
      for (const motion of size === 'full' ? chosen : chosen.slice(0, 1)) {
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
        const file = join(folder, `${motion.name}.png`);
        await writeFile(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
        files.push(file);
        row(motion.name, file);
      }
      await server.close();
      return { files };
    }),
};
