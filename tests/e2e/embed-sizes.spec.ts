/** The page in a small frame: its parts keep their sizes and places, and what stops the robot stays in reach. */
import type { Locator } from '@playwright/test';
import { busyState, runningAction, stoppedState } from '../gallery/states.ts';
import { runtimeState } from '../ui/examples.ts';
import { serveBody } from './support/serve-body.ts';
import { expect, test } from './support/still-page.ts';

async function expectToTakeAFinger(button: Locator, where: string): Promise<void> {
  // A click waits until nothing covers what it is for.
  await button.click({ trial: true });
  const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
  expect([width >= 44, height >= 44], `${where}: ${width} × ${height}`).toEqual([true, true]);
}

test('what stops a robot in a frame and what releases it is at least 44 px wide and high', async ({ still }) => {
  const { page, set, calls } = await still('frame');
  const button = (name: string) => page.getByRole('button', { name });
  await expect(page.getByTestId('state')).toContainText('Ready');
  for (const [width, height] of [
    [390, 560],
    [768, 500],
    [480, 300],
  ] as const) {
    await page.setViewportSize({ width, height });
    const at = `${width} × ${height}`;
    await expectToTakeAFinger(button('Emergency stop'), `Emergency stop, ${at}`);
    const before = (await calls('emergencyStop')).length;
    await page.keyboard.press('Shift+Backspace');
    await set({ runtime: stoppedState() });
    await expectToTakeAFinger(button('Release…'), `Release…, ${at}`);
    await button('Release…').click();
    await expect(button('Release the robot')).toBeEnabled();
    for (const name of ['Keep it stopped', 'Release the robot']) await expectToTakeAFinger(button(name), `${name}, ${at}`);
    await button('Release the robot').click();
    expect((await calls('emergencyStop')).slice(before).map(({ args }) => args)).toEqual([[true], [false]]);
    await set({ runtime: runtimeState() });
    await expect(page.getByTestId('state')).toContainText('Ready');
  }
  await page.setViewportSize({ width: 768, height: 700 });
  await page.getByRole('button', { name: /pick_entity/ }).click();
  await page.getByLabel('Entity id').fill('cube_0');
  await page.getByRole('button', { name: /^Run/ }).click();
  const input = { target: { kind: 'entity', entity_id: 'cube_0' } };
  expect((await calls('call')).at(-1)?.args).toMatchObject(['runtime.tools_call', { name: 'pick_entity', input }]);
  const actions = [runningAction({ name: 'pick_entity', input })];
  await set({ actions, runtime: busyState(runtimeState(), actions) });
  await expectToTakeAFinger(button('Stop moving'), 'Stop moving');
  await button('Stop moving').click();
  expect(await calls('stop')).toHaveLength(1);
  await page.close();
});

test('a small frame keeps its emergency stop whole and the robot in sight, and shows every panel asked for', async ({
  gallery,
  open,
}) => {
  const sizes = [
    ['tiny', 200, 150, ''],
    ['small', 320, 240, 'cameras'],
    ['narrow', 358, 300, 'drive'],
    ['low', 480, 300, 'drive'],
    ['phone', 390, 560, ''],
  ] as const;
  const host = await serveBody(
    `<style>body{margin:8px}</style><script src="${gallery.url}simple-sim.js"></script>${sizes
      .map(
        ([id, width, height, panels]) =>
          `<simple-sim id="${id}" src="/?picture=empty" try panels="${panels}" style="width:${width}px;height:${height}px">`,
      )
      .join('</simple-sim>')}</simple-sim>`,
  );
  const page = await open('about:blank');
  await page.setViewportSize({ width: 600, height: 1700 });
  await page.goto(host.url);
  for (const [id, width, height, panels] of sizes) {
    const frame = page.frameLocator(`#${id} iframe`);
    const place = async (part: Locator) => {
      const [inner, outer] = [await part.boundingBox(), await page.locator(`#${id}`).boundingBox()];
      if (!inner || !outer) throw new Error(`${id}: nothing there`);
      return {
        left: inner.x - outer.x,
        top: inner.y - outer.y,
        right: inner.x - outer.x + inner.width,
        bottom: inner.y - outer.y + inner.height,
      };
    };
    const stop = frame.getByRole('button', { name: 'Emergency stop' });
    await expect(stop, id).toBeVisible();
    const { left, right } = await place(stop);
    expect([left > 0, right < width], `${id}: the stop is from ${left} to ${right}`).toEqual([true, true]);
    await expectToTakeAFinger(stop, id);
    const sentence = frame.getByTestId('state').locator('.pill-words');
    await expect(sentence).toHaveText('Ready');
    expect(await sentence.evaluate((text) => text.scrollWidth <= text.clientWidth), `${id}: the state is cut`).toBe(true);
    const bar = frame.getByRole('group', { name: 'View' });
    if (height < 340) await expect(bar, id).toBeHidden();
    else {
      const { top, bottom } = await place(bar);
      expect([top > height / 2, bottom < height], `${id}: the view's buttons are from ${top} to ${bottom}`).toEqual([true, true]);
    }
    await expect(frame.getByRole('tabpanel'), id).toHaveCount(panels === 'cameras' ? 1 : 0);
    if (panels === 'cameras') await expect(frame.getByRole('img', { name: /camera/i }).first(), id).toBeVisible();
  }
  await page.close();
  await host.stop();
});
