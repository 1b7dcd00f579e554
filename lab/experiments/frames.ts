import { BENCH_SIZES, type BenchSize } from '../../scripts/docs/bench-catalogue.ts';
import { FRAME_PICTURES, FRAME_SCENES, overBounds } from '../../scripts/docs/frames-catalogue.ts';
import { FRAME_HEAD, frameRowsOf } from '../../scripts/docs/performance-page.ts';
import type { Experiment } from '../experiment.ts';
import { measureFrames } from '../frames.ts';
import { withStage } from '../stage.ts';

/** How many frames are drawn in each scene; at full size four seconds of them. */
const FRAMES: Record<BenchSize, number> = { smoke: 60, full: 240 };

export const frames: Experiment<Record<never, never>, BenchSize> = {
  sizes: BENCH_SIZES,
  options: {},
  head: FRAME_HEAD,
  run: ({ size }, report) =>
    withStage(async (stage) => {
      const measured = await measureFrames(stage, FRAMES[size]);
      report.publish('frames.json', () => measured);
      for (const row of frameRowsOf(measured)) report.row(...row);
      for (const [name, picture] of Object.entries(FRAME_PICTURES)) {
        for (const scene of FRAME_SCENES) {
          const counts = measured[name]?.[scene];
          if (counts) for (const over of overBounds(picture, scene, counts)) report.fail(`${name}, ${scene}: ${over}`);
        }
      }
      return measured;
    }),
};
