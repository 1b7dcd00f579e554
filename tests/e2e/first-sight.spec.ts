/** The scene as a person sees it before three.js has drawn it, or if three.js cannot draw. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

/** Whether the coarse picture has the colour of the first blue cube's top: the whole scene is drawn, the robot's things as well. */
const showsBlueCube = (page: Page): Promise<boolean> =>
  page.locator('.coarse canvas').evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return false;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    for (let k = 0; k < pixels.length; k += 4)
      if (pixels[k] === 0x23 && pixels[k + 1] === 0x60 && pixels[k + 2] === 0xd0) return true;
    return false;
  });

test('a robot is ready and its scene is seen in plain boxes while three.js is still on its way', async ({ platform, open }) => {
  const page = await open('about:blank');
  let letThrough = () => {};
  const opened = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.context().route('**/stage-*.js', async (route) => {
    await opened;
    await route.continue();
  });
  await page.goto(`${platform.viewerUrl}/?try=1`);
  await expect(page.locator('.interface')).toHaveAttribute('data-phase', 'live');
  await expect(page.locator('.coarse')).toHaveAttribute('data-drawn');
  expect(await showsBlueCube(page)).toBe(true);
  // Of a robot that is open already, the picture behind the gate would be another one.
  await expect(page.locator('#backdrop')).toHaveCSS('background-image', 'none');
  await expect(page.locator('html')).not.toHaveAttribute('data-world');
  letThrough();
  await expect(page.locator('html')).toHaveAttribute('data-world');
  await expect(page.locator('.coarse')).toHaveCount(0);
});

test('a browser without WebGL shows a notice and the scene in plain boxes, which follow the robot', async ({ robot, open }) => {
  const page = await open('about:blank');
  await page.addInitScript(() => {
    const { prototype } = HTMLCanvasElement;
    const original = prototype.getContext;
    Object.defineProperty(prototype, 'getContext', {
      value(kind: string, ...rest: unknown[]) {
        return kind === 'webgl2' ? null : Reflect.apply(original, this, [kind, ...rest]);
      },
    });
  });
  await page.goto(await robot.keyUrl());
  await expect(page.getByText('so the scene is shown in plain boxes')).toBeVisible();
  await expect(page.locator('.coarse')).toHaveAttribute('data-drawn');
  const caller = await robot.join();
  await caller.ready();
  const before = await page.locator('.coarse canvas').screenshot();
  expect(await caller.invoke('set_velocity', { wz: 1, duration_s: 1 })).toMatchObject({ status: 'done' });
  await expect.poll(async () => before.equals(await page.locator('.coarse canvas').screenshot())).toBe(false);
});
