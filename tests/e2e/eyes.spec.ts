/**
 * The robot's cameras send their place in muted colours, of which a colour detector takes none for a cube. Judged on the pictures
 * that a program gets, compressed as they are unless it asks otherwise. The robot is one without a page, which draws what a tab draws
 * (headless-pictures.spec.ts): its walks take no time.
 */
import type { Page } from '@playwright/test';
import { findBrowser } from '../../scripts/ensure-browser.ts';
import { createSimulation, type Simulation } from '../../src/headless/index.ts';
import { expect, test } from './support/fixtures.ts';

process.env.SIMPLESIM_CHROMIUM ||= findBrowser() ?? '';

/** Hue in degrees, from and to, that a detector takes for a cube where the saturation is above the one below. */
const BANDS_DEG = { red: [-20, 20], yellow: [40, 70], green: [70, 170], blue: [180, 260] } as const;
const SATURATION = 0.15;
/** Round a cube its colour runs into what is beside it: blocks of JPEG have 16 pixels. */
const AROUND_CUBES_PX = 16;
/** A detector looks for patches; single pixels are the compression's. Of so many pixels. */
const FEW = 1 / 2_000;

/** The robot, and the pads of homes: everything else is a thing with a colour. */
const NO_THINGS = [
  'robot',
  'table_top',
  'sideboard_top',
  'rack_top',
  'coffee_table_top',
  'board_top',
  'side_table_top',
  'play_mat',
];

interface Judged {
  /** Pixels outside of cubes that a detector takes for one, by colour, as a share. */
  taken: Record<string, number>;
  /** Pixels outside of cubes that are not grey: red, green and blue differ by more than 8. */
  tinted: number;
}

async function judge(page: Page, robot: Simulation, camera: string): Promise<Judged> {
  const { reply, jpeg } = await robot.capture(camera, { annotations: ['boxes'] });
  expect(reply, JSON.stringify(reply.error)).toMatchObject({ status: 'done' });
  const boxes = reply.result.entities
    .filter(({ entity_id }: { entity_id: string }) => !entity_id.startsWith('pad_') && !NO_THINGS.includes(entity_id))
    .map(({ box }: { box: number[] }) => box);
  return page.evaluate(
    async ({ base64, cubes, bandsDeg, least, around }) => {
      const jpeg = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      if (!context) throw new Error('no canvas');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      const isCube = (x: number, y: number) =>
        cubes.some(([left = 0, top = 0, width = 0, height = 0]) => {
          const [dx, dy] = [x - left, y - top];
          return dx > -around && dy > -around && dx < width + around && dy < height + around;
        });
      const taken: Record<string, number> = {};
      let [tinted, all] = [0, 0];
      for (let y = 0; y < bitmap.height; y += 1)
        for (let x = 0; x < bitmap.width; x += 1) {
          if (isCube(x, y)) continue;
          const at = (y * bitmap.width + x) * 4;
          const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
          const [most, chroma] = [Math.max(r, g, b), Math.max(r, g, b) - Math.min(r, g, b)];
          all += 1;
          if (chroma > 8) tinted += 1;
          if (most === 0 || chroma / most <= least) continue;
          const sixth = most === r ? (g - b) / chroma : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
          const hueDeg = sixth < -1 / 3 ? sixth * 60 + 360 : sixth * 60;
          for (const [colour, [from = 0, to = 0]] of Object.entries(bandsDeg))
            if ((hueDeg >= from && hueDeg <= to) || (hueDeg - 360 >= from && hueDeg - 360 <= to))
              taken[colour] = (taken[colour] ?? 0) + 1;
        }
      for (const colour of Object.keys(taken)) taken[colour] = (taken[colour] ?? 0) / all;
      return { taken, tinted: tinted / all };
    },
    {
      base64: Buffer.from(jpeg ?? []).toString('base64'),
      cubes: boxes,
      bandsDeg: BANDS_DEG,
      least: SATURATION,
      around: AROUND_CUBES_PX,
    },
  );
}

test('a colour detector takes nothing of a place for a cube, and no place is grey', async ({ page }) => {
  const robot = await createSimulation({ seed: 1, pictures: true });
  const seen: Record<string, Judged> = { 'from the ceiling': await judge(page, robot, 'topdown') };
  const look = async (where: string) => {
    for (const pitch of [0, 0.6]) {
      await robot.invoke('set_head', { yaw: 0, pitch });
      seen[`${where}, head at ${pitch}`] = await judge(page, robot, 'pov');
    }
  };
  await look('at the belt');
  for (const pad of ['pad_E', 'pad_D']) {
    expect(await robot.invoke('go_to', { target: { kind: 'entity', entity_id: pad } })).toMatchObject({ status: 'done' });
    await look(`at ${pad}`);
  }
  await robot.invoke('set_head', { yaw: 0, pitch: 0.3 });
  for (const home of ['kitchen', 'living_room']) {
    expect(await robot.invoke('select_scene', { scene_id: home })).toMatchObject({ status: 'done' });
    for (const camera of ['pov', 'topdown', 'corner']) seen[`in the ${home}, ${camera}`] = await judge(page, robot, camera);
  }
  for (const [where, { taken, tinted }] of Object.entries(seen)) {
    for (const [colour, share] of Object.entries(taken)) expect(share, `${colour} ${where}`).toBeLessThan(FEW);
    expect(tinted, `not grey ${where}`).toBeGreaterThan(0.05);
  }
  robot.dispose();
});
