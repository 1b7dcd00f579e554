/**
 * The warehouse's looks: to people, by the page's canvas in each view, and to programs, by what the robot's cameras send. Kept in
 * `snapshots/`; another machine may draw an edge or a shade otherwise, so a small part of the pixels may differ. After a wanted change:
 * `npx playwright test tests/e2e/warehouse.spec.ts --update-snapshots`, and look at every picture that changed.
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

/** Its row of cubes is the one in the pictures. */
const SEED = 1;
const worldAlone = readFileSync('tests/e2e/support/look-world.css', 'utf8');
const CAPTURE = { width: 960, height: 540, quality: 1 };
/**
 * Pictures are compared at a grain: each of its pixels is the mean of so many by so many. How sharp the page's picture is follows the
 * machine's load; where things are and their colours do not. What the cameras send is as sharp always.
 */
const PAGE_GRAIN_PX = 5;
const CAPTURE_GRAIN_PX = 2;
/** How many grains may differ by more than a shade. One cube on the belt is a hundred of the page's, and nine of the ceiling's. */
const PAGE_TOLERANCE = { threshold: 0.15, maxDiffPixels: 60 };
const CAPTURE_TOLERANCE = { threshold: 0.15, maxDiffPixels: 5 };

/** A picture as PNG at a grain; the browser decodes and scales it. */
async function coarse(page: Page, picture: Buffer, type: string, grainSidePx: number): Promise<Buffer> {
  const png = await page.evaluate(
    async ({ base64, mime, grainPx }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const whole = await createImageBitmap(new Blob([bytes], { type: mime }));
      const [width, height] = [Math.floor(whole.width / grainPx), Math.floor(whole.height / grainPx)];
      const source = new OffscreenCanvas(whole.width, whole.height).getContext('2d');
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (!source || !context) throw new Error('no canvas');
      source.drawImage(whole, 0, 0);
      const { data } = source.getImageData(0, 0, whole.width, whole.height);
      const small = context.createImageData(width, height);
      const means = new Float64Array(small.data.length);
      for (let y = 0; y < height * grainPx; y += 1)
        for (let x = 0; x < width * grainPx; x += 1)
          for (let channel = 0; channel < 4; channel += 1) {
            const grain = (Math.floor(y / grainPx) * width + Math.floor(x / grainPx)) * 4 + channel;
            means[grain] = (means[grain] ?? 0) + (data[(y * whole.width + x) * 4 + channel] ?? 0) / grainPx ** 2;
          }
      small.data.set(means.map(Math.round));
      context.putImageData(small, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''));
    },
    { base64: picture.toString('base64'), mime: type, grainPx: grainSidePx },
  );
  return Buffer.from(png, 'base64');
}

/** Returns the picture that a camera of the robot sends. */
async function capture(caller: WireParticipant, camera: string, name: string): Promise<Buffer> {
  const reply = await caller.call('runtime.cameras_capture', {
    selector: { kind: 'id', id: camera },
    options: CAPTURE,
    stream: { id: name },
  });
  expect(reply.status, JSON.stringify(reply.error)).toBe('done');
  return (await caller.file(name)).bytes;
}

/** The canvas at its grain, once two pictures in a row are the same: a view that moves, or gets sharper, is not yet what is looked at. */
async function atRest(canvas: Locator, scratch: Page): Promise<Buffer> {
  const shoot = async () => coarse(scratch, await canvas.screenshot({ style: worldAlone }), 'image/png', PAGE_GRAIN_PX);
  let last = await shoot();
  for (;;) {
    const next = await shoot();
    if (next.equals(last)) return next;
    last = next;
  }
}

test('the warehouse looks as it did, to people and to the robot’s cameras', async ({ robot, open, browser }) => {
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, bypassCSP: true });
  const page = await open(await robot.keyUrl(), context);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const caller = await robot.join();
  await caller.ready();
  await expect(page.locator('html')).toHaveAttribute('data-world');
  expect((await caller.invoke('reset', { seed: SEED })).status).toBe('done');
  const scratch = await open('about:blank', await browser.newContext());

  await test.step('the robot’s cameras', async () => {
    for (const camera of ['pov', 'topdown']) {
      const jpeg = await capture(caller, camera, camera);
      expect(await coarse(scratch, jpeg, 'image/jpeg', CAPTURE_GRAIN_PX)).toMatchSnapshot(
        `warehouse-${camera}.png`,
        CAPTURE_TOLERANCE,
      );
    }
    await caller.invoke('set_color_mode', { mode: 'segmentation' });
    const jpeg = await capture(caller, 'topdown', 'segmentation');
    expect(await coarse(scratch, jpeg, 'image/jpeg', CAPTURE_GRAIN_PX)).toMatchSnapshot(
      'warehouse-segmentation.png',
      CAPTURE_TOLERANCE,
    );
    await caller.invoke('set_color_mode', { mode: 'natural' });
  });

  await test.step('people', async () => {
    const canvas = page.locator('canvas[data-view]').first();
    for (const [key, view] of [
      ['1', 'orbit'],
      ['2', 'top'],
      ['3', 'head'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(canvas).toHaveAttribute('data-view', view);
      await expect(canvas).toHaveAttribute('data-colours', 'natural');
      expect(await atRest(canvas, scratch)).toMatchSnapshot(`warehouse-${view}.png`, PAGE_TOLERANCE);
    }
  });
  await context.close();
});
