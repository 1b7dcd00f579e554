/**
 * The cost of frames of the warehouse, in counts that are the same on every machine. Used by `npm run lab -- frames` and the test
 * that checks them.
 */

import type { FrameCounts, FrameScene, FramesResult } from '../scripts/docs/frames-catalogue.ts';
import { FRAME_PICTURES, FRAME_SCENES } from '../scripts/docs/frames-catalogue.ts';
import type { ScenePlace } from '../src/protocol/wire/place.ts';
import type { RenderState } from '../src/protocol/wire/render-state.ts';
import { placeOf } from '../src/simulation/scene.ts';
import { renderState } from '../src/simulation/world.ts';
import { createWalkingCore, walkInCircle } from './scenarios/walking-core.ts';
import type { BenchStage } from './stage.ts';

/** Steps of the simulation between two frames of 60 a second. */
const STEPS_PER_FRAME = 2;
const LONGEST_PICK_STEPS = 120 * 60;
/** Drawn before anything is counted: one-time uploads are done, and buffers have grown. */
const WARM_UP_FRAMES = 30;
/** Bytes between two samples of the heap. */
const SAMPLE_BYTES = 1024;

/** Draws the warehouse for this many frames, one after the other. */
async function filmOf(scene: FrameScene, frames: number): Promise<{ place: ScenePlace; states: RenderState[] }> {
  const walking = await createWalkingCore();
  const { core, ask, stepsMs } = walking;
  const isHeld = (): boolean => renderState(core.world).things.some(({ held }) => held);
  if (scene === 'carrying') {
    ask('runtime.tools_call', { name: 'pick_entity', input: { target: { kind: 'entity', entity_id: 'cube' } } });
    for (let step = 0; step < LONGEST_PICK_STEPS && !isHeld(); step += 60) stepsMs(60);
    stepsMs(240);
    if (!isHeld()) throw new Error('The robot has taken no cube.');
  }
  if (scene !== 'idle') walkInCircle(walking, 30);
  stepsMs(120);
  const states = Array.from({ length: frames }, () => {
    stepsMs(STEPS_PER_FRAME);
    return structuredClone(renderState(core.world));
  });
  const place = placeOf(core.world.scene, core.world.robot.model.id);
  walking.dispose();
  return { place, states };
}

/** @param frames counted in each scene */
export async function measureFrames(stage: BenchStage, frames: number): Promise<FramesResult> {
  const [browser, pagesUrl] = await Promise.all([stage.browser(), stage.pagesUrl()]);
  const result: FramesResult = {};
  const films = await Promise.all(FRAME_SCENES.map(async (scene) => ({ scene, ...(await filmOf(scene, frames)) })));
  const place = films[0]?.place;
  if (!place) throw new Error('There is no scene to draw.');
  for (const [picture, { audience, quality }] of Object.entries(FRAME_PICTURES)) {
    const page = await browser.newPage();
    await page.goto(`${pagesUrl}frames.html`);
    await page.evaluate((order) => window.openFrames(order), {
      layout: place,
      audience,
      quality,
    });
    const devTools = await page.context().newCDPSession(page);
    for (const { scene, states: drawn } of films) {
      await page.evaluate((asked) => void window.drawFrames(asked), drawn.slice(0, WARM_UP_FRAMES));
      // First without the sampler, whose own work would count as time.
      const counted = await page.evaluate((asked) => window.drawFrames(asked), drawn);
      await devTools.send('HeapProfiler.startSampling', {
        samplingInterval: SAMPLE_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
      await page.evaluate((asked) => void window.drawFrames(asked), drawn);
      const { profile } = await devTools.send('HeapProfiler.stopSampling');
      const perFrame = (total: number): number => total / drawn.length;
      const counts: FrameCounts = {
        drawCalls: perFrame(counted.drawCalls),
        triangles: perFrame(counted.triangles),
        uploadedBytes: perFrame(counted.uploadedBytes),
        uniformBytes: perFrame(counted.uniformBytes),
        allocatedBytes: perFrame(allocatedBytes(profile.head, false)),
        mainThreadMs: perFrame(counted.mainThreadMs),
      };
      result[picture] = { ...result[picture], [scene]: counts };
    }
    await page.close();
  }
  return result;
}

interface HeapNode {
  callFrame: { functionName: string };
  selfSize: number;
  children: HeapNode[];
}

/** All bytes that were allocated while frames were drawn; transferring the states to the page is not included. */
function allocatedBytes({ callFrame, selfSize, children }: HeapNode, within: boolean): number {
  const isWithin = within || callFrame.functionName === 'window.drawFrames';
  return (isWithin ? selfSize : 0) + children.reduce((sum, child) => sum + allocatedBytes(child, isWithin), 0);
}
