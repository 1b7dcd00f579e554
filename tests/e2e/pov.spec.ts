/**
 * The picture of the camera in the robot's head, measured in pixels against where things are. The robot is one without a page, which
 * draws what a tab draws (headless-pictures.spec.ts), and of which a picture is taken at any step of a walk.
 */
import type { Page } from '@playwright/test';
import { findBrowser } from '../../scripts/ensure-browser.ts';
import { createSimulation, type Simulation } from '../../src/headless/index.ts';
import { expect, test } from './support/fixtures.ts';
import { boundsOf, outlineOf, type PictureFrame, polygonCentroid, project } from './support/projection.ts';

process.env.SIMPLESIM_CHROMIUM ||= findBrowser() ?? '';

const SIZE = { width: 960, height: 540 };
/** An edge may end anywhere in a pixel, and its box in the next. */
const EDGE_PX = 1.5;
/** Cubes are drawn with edges rounded by 4 mm: a rounded corner lies up to (√3 − 1) times that inside of the sharp one. */
const CORNER_M = 0.003;
const MIDDLE_PX = 1.5;
/** Half a second. */
const STEPS_BETWEEN_PICTURES = 60;
/** The edges of cubes are rounded, so that none fills its outline. */
const MOSTLY = 0.96;

interface Seen {
  bytes: Buffer;
  frame: PictureFrame;
  entities: { entity_id: string; box: [number, number, number, number]; visible_fraction: number; depth_m: number }[];
}

async function look(robot: Simulation): Promise<Seen> {
  const { reply, jpeg } = await robot.capture('pov', { ...SIZE, quality: 1, annotations: ['boxes'] });
  const { status, result, error } = reply;
  expect(status, JSON.stringify(error)).toBe('done');
  return { bytes: Buffer.from(jpeg ?? []), frame: result.frame, entities: result.entities };
}

/** Pixels of the picture near a colour, inside a box, as the browser decodes them: how many, and their middle. */
function pixelsNear(page: Page, jpeg: Buffer, colour: string, within: readonly number[]) {
  return page.evaluate(
    async ({ base64, hex, box }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const wanted = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const [x0 = 0, y0 = 0, w = 0, h = 0] = box;
      let [count, sumX, sumY] = [0, 0, 0];
      for (let y = Math.max(0, y0); y < Math.min(height, y0 + h); y += 1) {
        for (let x = Math.max(0, x0); x < Math.min(width, x0 + w); x += 1) {
          const at = (y * width + x) * 4;
          if (wanted.some((value, channel) => Math.abs(value - (data[at + channel] ?? 0)) > 40)) continue;
          count += 1;
          sumX += x + 0.5;
          sumY += y + 0.5;
        }
      }
      return { count, x: sumX / count, y: sumY / count };
    },
    { base64: jpeg.toString('base64'), hex: colour, box: within },
  );
}

type Entities = Record<string, { kind: string; pose: { position: number[]; orientation_xyzw?: number[] } }>;
type Colours = Record<string, string>;

const isWhole = ([x, y, w, h]: readonly [number, number, number, number]): boolean =>
  x > 1 && y > 1 && x + w < SIZE.width - 1 && y + h < SIZE.height - 1;

/** Holds every cube that is whole in the picture against its place in the world. @returns how many there were */
async function expectTrue(page: Page, seen: Seen, cubes: Entities, colours: Colours): Promise<number> {
  let checked = 0;
  for (const { entity_id: id, box, visible_fraction: fraction, depth_m: depthM } of seen.entities) {
    const cube = cubes[id];
    if (cube?.kind !== 'cube' || fraction < MOSTLY || !isWhole(box)) continue;
    checked += 1;
    const outline = outlineOf(cube.pose, 0.15, seen.frame);
    const [x0, y0, x1, y1] = boundsOf(outline);
    const [, , trueDepthM] = project(cube.pose.position, seen.frame);
    const edgePx = EDGE_PX + (CORNER_M * seen.frame.intrinsics.fx) / (trueDepthM - 0.075);
    for (const [drawn, true_] of [
      [box[0], x0],
      [box[1], y0],
      [box[0] + box[2], x1],
      [box[1] + box[3], y1],
    ] as const)
      expect(Math.abs(drawn - true_), `${id}: box ${box}, outline ${[x0, y0, x1, y1].map((v) => v.toFixed(1))}`).toBeLessThan(
        edgePx,
      );
    expect(Math.abs(depthM - trueDepthM)).toBeLessThan(0.002);
    const [x, y] = polygonCentroid(outline);
    const drawn = await pixelsNear(page, seen.bytes, colours[id] ?? '', [box[0] - 2, box[1] - 2, box[2] + 4, box[3] + 4]);
    expect(drawn.count, id).toBeGreaterThan(20);
    expect(
      Math.hypot(drawn.x - x, drawn.y - y),
      `${id}: colour at (${drawn.x}, ${drawn.y}), centre at (${x}, ${y})`,
    ).toBeLessThan(MIDDLE_PX);
  }
  return checked;
}

/** Where the camera is with the head turned: it goes round the neck, 0.49 m above the base. */
function eyeFrom(pose: { position: number[]; yaw_deg: number }, yaw: number, pitch: number): number[] {
  const [x = 0, y = 0, z = 0] = pose.position;
  const heading = (pose.yaw_deg * Math.PI) / 180 + yaw;
  const aheadM = 0.04 * Math.sin(pitch);
  return [x + aheadM * Math.cos(heading), y + aheadM * Math.sin(heading), z + 0.49 + 0.04 * Math.cos(pitch)];
}

test('P14 the picture out of the head: taken straight above the base, true to a pixel, nothing of the robot’s own head', async ({
  page,
}) => {
  const robot = await createSimulation({ seed: 1, pictures: true });
  const { legend } = (await robot.invoke('set_color_mode', { mode: 'segmentation' })).result;
  const scene = async (): Promise<Entities> => (await robot.call('runtime.scene_state')).entities;
  const pose = async () => (await robot.call('runtime.state')).robot.pose;
  const cubes = await scene();
  let checked = 0;

  await test.step('standing, at every end of the head’s range', async () => {
    const base = await pose();
    for (const [yaw, pitch] of [
      [0, 0],
      [0, -0.6],
      [0, 0.5],
      [0, 1],
      [-0.7, 0.3],
      [0.7, 0.3],
      [-1.4, 1],
      [1.4, 1],
      [1.4, -0.6],
      [-1.4, 0],
    ] as const) {
      expect((await robot.invoke('set_head', { yaw, pitch })).status).toBe('done');
      const { measured } = (await robot.call('runtime.state')).robot.extra.head;
      const seen = await look(robot);
      const { position } = seen.frame.camera_pose;
      const eye = eyeFrom(base, measured.yaw, measured.pitch);
      expect(position, `${yaw} ${pitch}`).toEqual(eye.map((value) => expect.closeTo(value, 2.7)));
      if (yaw === 0 && pitch === 0) {
        const [x, y, z] = base.position;
        expect(position).toEqual([x, y, z + 0.53].map((value) => expect.closeTo(value, 3)));
      }
      checked += await expectTrue(page, seen, cubes, legend);
      // Level and above nothing of the robot is near the picture; below, arms and legs may be in it.
      if (pitch <= 0 && Math.abs(yaw) < 1) {
        expect(seen.entities.map(({ entity_id: id }) => id)).not.toContain('robot');
      }
    }
  });

  await test.step('walking, with the head turned', async () => {
    const input = { target: { kind: 'pose', pose: { position: [0.4, 0.6, 0], yaw_deg: 0 } } };
    const walk = robot.send('runtime.tools_call', { name: 'go_to', input });
    robot.send('runtime.tools_call', { name: 'set_head', input: { yaw: 0, pitch: 0.25 } });
    for (let shots = 0; shots < 3; shots += 1) {
      robot.step(STEPS_BETWEEN_PICTURES);
      checked += await expectTrue(page, await look(robot), cubes, legend);
      expect(walk.reply).toBeNull();
    }
    while (walk.reply === null) robot.step(STEPS_BETWEEN_PICTURES);
    expect(walk.reply.status).toBe('done');
  });

  await test.step('carrying: the held cube is in the picture, the robot’s head is not', async () => {
    await robot.invoke('set_head', { yaw: 0, pitch: 0 });
    const target = { target: { kind: 'entity', entity_id: 'cube' } };
    const { status, result } = await robot.invoke('pick_entity', target);
    expect(status).toBe('done');
    await robot.invoke('set_head', { yaw: 0, pitch: 0.7 });
    const seen = await look(robot);
    expect(seen.entities.map(({ entity_id: id }) => id)).toContain(result.held);
    const held = (await scene())[result.held];
    const [x, y] = project(held?.pose.position ?? [], seen.frame);
    const box = seen.entities.find(({ entity_id: id }) => id === result.held)?.box ?? [0, 0, 0, 0];
    expect(x).toBeGreaterThan(box[0]);
    expect(x).toBeLessThan(box[0] + box[2]);
    expect(y).toBeGreaterThan(box[1] - SIZE.height / 4);
    await robot.invoke('set_head', { yaw: 0, pitch: -0.3 });
    const above = await look(robot);
    expect(above.entities.map(({ entity_id: id }) => id)).not.toContain('robot');
  });
  expect(checked).toBeGreaterThan(15);

  await test.step('in natural colours too: the middle of a blue cube is where the projection has it', async () => {
    await robot.invoke('set_color_mode', { mode: 'natural' });
    await robot.invoke('look_at', { target: { kind: 'entity', entity_id: 'cube_6' } });
    const seen = await look(robot);
    const cube = (await scene()).cube_6;
    const [x, y] = project(cube?.pose.position ?? [], seen.frame);
    // look_at has it in the middle of the picture.
    expect(Math.hypot(x - SIZE.width / 2, y - SIZE.height / 2)).toBeLessThan(0.02 * SIZE.height * 2);
    const box = seen.entities.find(({ entity_id: id }) => id === 'cube_6')?.box;
    expect(box).toBeDefined();
    expect(Math.hypot(x - ((box?.[0] ?? 0) + (box?.[2] ?? 0) / 2), y - ((box?.[1] ?? 0) + (box?.[3] ?? 0) / 2))).toBeLessThan(6);
  });
  robot.dispose();
});
