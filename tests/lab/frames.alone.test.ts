/** The cost of a frame of the warehouse stays within its bounds, which are counts and so independent of the machine's load. */
import { expect, it } from 'vitest';
import { measureFrames } from '../../lab/frames.ts';
import { withStage } from '../../lab/stage.ts';
import { FRAME_PICTURES, FRAME_SCENES, overBounds } from '../../scripts/docs/frames-catalogue.ts';

const FRAMES = 60;

it('a frame asks, sends and allocates no more than its bounds: idle, walking, carrying', async () => {
  const frames = await withStage((stage) => measureFrames(stage, FRAMES));
  for (const [name, picture] of Object.entries(FRAME_PICTURES)) {
    for (const scene of FRAME_SCENES) {
      const counts = frames[name]?.[scene];
      if (!counts) throw new Error(`${name}, ${scene} was not measured.`);
      expect(counts.drawCalls).toBeGreaterThan(10);
      expect(counts.allocatedBytes).toBeGreaterThan(0);
      expect(overBounds(picture, scene, counts), `${name}, ${scene}`).toEqual([]);
    }
  }
}, 300_000);
