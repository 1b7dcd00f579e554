/**
 * The warehouse's looks: to people, by the page's canvas in each view, and to programs, by what the robot's cameras send. Kept in
 * `snapshots/`; another machine may draw an edge or a shade otherwise, so a small part of the pixels may differ. After a wanted change:
 * `npx playwright test tests/e2e/warehouse.spec.ts --update-snapshots`, and look at every picture that changed.
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { CAPTURE, CAPTURE_GRAIN_PX, CAPTURE_TOLERANCE, coarse, SEED } from './support/coarse.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

const worldAlone = readFileSync('tests/e2e/support/look-world.css', 'utf8');
/**
 * The page's picture is as sharp as the machine's load allows; where things are and their colours do not follow that. So its grain is
 * larger.
 */
const PAGE_GRAIN_PX = 5;
/** One cube on the belt is a hundred grains of the page's. */
const PAGE_TOLERANCE = { threshold: 0.15, maxDiffPixels: 60 };

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
