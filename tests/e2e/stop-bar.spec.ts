/** The bar with Stop: with any text and any shape of the window, every button of the view can be pressed, and so can Stop. */
import type { Page } from '@playwright/test';
import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { ActionView } from '../../src/viewer/engine/types.ts';
import { busyState, runningAction } from '../gallery/states.ts';
import { actionView, runtimeState } from '../ui/examples.ts';
import { expect, test } from './support/still-page.ts';

const SIZES = [
  [1280, 800],
  [390, 844],
  [2000, 1100],
  [1024, 600],
  [700, 500],
] as const;
/** As long as the room's server allows a badly chosen name to be. */
const LONG_NAME = 'the-sorting-agent-of-the-second-shift-in-the-northern-hall-of-the-warehouse';

/** Returns the faults of the bar and the view's buttons as they lie now; empty when there is none. */
const problems = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    const [bar, buttons, stop] = [box('.running'), box('.view-bar'), box('.running .stop-button')];
    if (!bar || !buttons || !stop) return [`no bar: ${!bar}, no buttons: ${!buttons}, no stop: ${!stop}`];
    const found: string[] = [];
    const apart =
      bar.right <= buttons.left || buttons.right <= bar.left || bar.bottom <= buttons.top || buttons.bottom <= bar.top;
    if (!apart) found.push(`the bar ${JSON.stringify(bar)} lies over ${JSON.stringify(buttons)}`);
    for (const element of document.querySelectorAll('.view-bar button, .running .stop-button')) {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!element.contains(there)) found.push(`${element.getAttribute('aria-label') ?? 'Stop'} is under ${there?.className}`);
    }
    return found;
  });

async function expectClear(page: Page, state: string): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    // A bar that comes in moves for a moment.
    await expect.poll(() => problems(page), { message: `${state}, ${width} × ${height}` }).toEqual([]);
  }
}

/** With the side panel and without. */
async function expectClearBothWays(page: Page, state: string): Promise<void> {
  await expectClear(page, `${state}, with the side panel`);
  await page.setViewportSize({ width: 1280, height: 800 });
  const toggle = page.getByRole('button', { name: 'Side panel' });
  await toggle.click();
  await expectClear(page, `${state}, without the side panel`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await toggle.click();
}

/** A person of that name, who moves the robot. */
const caller = unsignedCaller(LONG_NAME);
const turning = runningAction({
  actionId: 'a-turn',
  name: 'set_velocity',
  input: { wz: 0.2, duration_s: 300 },
  caller,
  phase: 'driving',
});
const looking = runningAction({ actionId: 'a-look', name: 'set_head', input: { yaw: 1, pitch: 0.3 }, caller, phase: 'turning' });

test('the emergency stop stays in sight beside a caller with a long name, two skills at once, a notice and a hand on the stick', async ({
  still,
}) => {
  const { page, set } = await still('ready');
  const run = (...actions: ActionView[]) => set({ actions, runtime: busyState(runtimeState(), actions) });
  await expect(page.locator('html')).toHaveAttribute('data-world');
  await run(turning);
  await expect(page.locator('.running-row')).toHaveCount(1);
  await expect(page.locator('.running-phase')).toContainText(LONG_NAME.slice(0, 20));
  await expectClearBothWays(page, 'one skill');

  await run(looking, turning);
  await expect(page.locator('.running-row')).toHaveCount(2);
  await expectClear(page, 'two skills');

  // Represents every line about the state of the room: all of them are drawn so.
  await set({ connection: { kind: 'reconnecting', sinceMs: Date.now() - 12_000 } });
  await expect(page.locator('.head > .notice')).toContainText('The connection to the room is interrupted.');
  await expectClearBothWays(page, 'a notice');
  await set({ connection: { kind: 'connected' } });

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Drive by hand' }).click();
  await expectClearBothWays(page, 'driving');
});

test('a velocity that holds, under the notice of a robot that takes unsigned calls', async ({ still }) => {
  const { page, set } = await still('unsigned');
  const sent = actionView({ name: 'set_velocity', input: { vx: 0, vy: 0, vyaw: 0.05 }, caller });
  await set({ actions: [{ ...sent, result: sent.result && { ...sent.result, result: { holds: true } } }] });
  await expect(page.locator('html')).toHaveAttribute('data-world');
  await expect(page.getByText('Unsigned calls are accepted.')).toBeVisible();
  await expect(page.getByTestId('held-velocity')).toContainText(LONG_NAME.slice(0, 20));
  await expectClearBothWays(page, 'a velocity that holds');
});
