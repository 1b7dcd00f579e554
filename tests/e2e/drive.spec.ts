/** A person at the page drives: held is driven, let go is stopped, and nothing but a hand on the controls keeps the robot going. */
import type { Locator, Page } from '@playwright/test';
import { STOP_WITHIN_S } from '../../src/protocol/wire/limits.ts';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

test.use({ picture: false });

const ENOUGH_M = 0.25;
/** The robot has other things to do than to report its state. */
const READ_EVERY_MS = 50;

interface Look {
  at: number[];
  timeS: number;
  command: { vx: number; vy: number; wz: number };
}

async function look(witness: WireParticipant): Promise<Look> {
  const { timestamp, robot } = await witness.call('runtime.state');
  return { at: robot.pose.position, timeS: timestamp.sim_time_s, command: robot.extra.command };
}

const isStill = ({ command: { vx, vy, wz } }: Look): boolean => vx === 0 && vy === 0 && wz === 0;
const apartM = (one: Look, other: Look): number =>
  Math.hypot((one.at[0] ?? 0) - (other.at[0] ?? 0), (one.at[1] ?? 0) - (other.at[1] ?? 0));

/** Reads the state until it is as asked. */
async function until(witness: WireParticipant, asked: (seen: Look) => boolean): Promise<Look> {
  for (;;) {
    const seen = await look(witness);
    if (asked(seen)) return seen;
    await new Promise((resolve) => setTimeout(resolve, READ_EVERY_MS));
  }
}

async function moves(witness: WireParticipant): Promise<void> {
  const from = await look(witness);
  await until(witness, (seen) => apartM(from, seen) > ENOUGH_M);
}

/** After the last command it comes to rest within the promised time, and stays at rest. */
async function stands(witness: WireParticipant): Promise<void> {
  const released = await until(witness, isStill);
  const rest = await until(witness, ({ timeS }) => timeS >= released.timeS + STOP_WITHIN_S);
  const later = await until(witness, ({ timeS }) => timeS >= rest.timeS + 1);
  expect(isStill(later)).toBe(true);
  expect(apartM(rest, later)).toBeLessThan(0.01);
}

const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Driving by hand' });

test('a robot in hand: keys, a stick, another driver; whatever takes the hands away stops it', async ({
  robot,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(() => {
    const plugged: { pad: unknown } = { pad: null };
    Object.assign(window, { plugged });
    navigator.getGamepads = () => [plugged.pad] as ReturnType<typeof navigator.getGamepads>;
  });
  const plug = (axes: number[] | null) =>
    page.evaluate((given) => {
      const pad = { id: 'Test Pad (STANDARD GAMEPAD)', index: 0, connected: true, mapping: 'standard', axes: given, buttons: [] };
      Object.assign((window as unknown as { plugged: object }).plugged, { pad: given && pad });
    }, axes);
  const page = await open(await robot.keyUrl(), context);
  const witness = await robot.join('sorter');
  await witness.ready();
  const panel = panelOf(page);
  const notice = panel.getByRole('status');

  await test.step('a key that is held walks, and let go it stands', async () => {
    await page.getByRole('button', { name: 'Drive by hand' }).waitFor();
    await page.keyboard.press('g');
    await expect(panel).toBeVisible();
    await page.keyboard.down('s');
    await moves(witness);
    await page.keyboard.up('s');
    await stands(witness);
    await page.getByRole('tab', { name: 'Actions' }).click();
    await expect(page.locator('.actions .action', { hasText: /Drive by hand, \d+ commands/ })).toHaveCount(1);
  });

  await test.step('losing the focus stops it, and only a fresh press drives on', async () => {
    await page.keyboard.down('a');
    await moves(witness);
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await expect(notice).toContainText('lost the keyboard');
    // Playwright sends a repeat for a key that is down already.
    await page.keyboard.down('a');
    await stands(witness);
    await page.keyboard.up('a');
    await page.keyboard.down('d');
    await moves(witness);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(notice).toContainText('menu or dialog');
    await stands(witness);
    await page.keyboard.up('d');
    await page.keyboard.press('Escape');
    await expect(panel).toBeVisible();
  });

  await test.step('the space bar stops while a key is held', async () => {
    await page.keyboard.down('q');
    await until(witness, ({ command }) => command.wz > 0);
    await page.keyboard.press('Space');
    await stands(witness);
    await page.keyboard.up('q');
    await expect(notice).toContainText('was stopped');
  });

  await test.step('a gamepad that is plugged in is named and drives; pulled out, the robot stops', async () => {
    await plug([0, 0, 0, 0]);
    await expect(panel.getByText('Test Pad')).toBeVisible();
    await plug([0, 0.9, 0, 0]);
    await moves(witness);
    await plug(null);
    await expect(notice).toContainText('gamepad is gone');
    await stands(witness);
  });

  await test.step('another driver is named, taken over from, and takes over', async () => {
    const walking = witness.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_A' } });
    await expect(notice).toContainText('sorter moves the robot: Walk to pad_A', { ignoreCase: true });
    await page.keyboard.down('s');
    expect(await walking).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    // Time runs slowly until the page has named the driver, however busy the machine is.
    await witness.invoke('set_sim_speed', { speed: 0.1 });
    const theirs = witness.invoke('set_velocity', { wz: 0.4, duration_s: 2 });
    await expect(notice).toContainText('sorter drives now', { ignoreCase: true });
    await witness.invoke('set_sim_speed', { speed: 1 });
    expect(await theirs).toMatchObject({ status: 'done' });
    await page.keyboard.up('s');
  });

  await test.step('axe finds nothing; Escape ends it', async () => {
    await expectNoAxeFindings(page, 'driving by hand', ['light']);
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  });
  await page.close();
  await context.close();
});

test('two thumbs on a phone: one walks, one turns, and a lifted thumb stops', async ({ robot, open, browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await open(await robot.keyUrl(), context);
  const witness = await robot.join();
  await witness.ready();
  await page.getByRole('button', { name: 'Drive by hand' }).tap();
  await expect(panelOf(page)).toBeVisible();
  const middle = async (name: RegExp) => {
    const box = await page.getByRole('button', { name }).boundingBox();
    if (!box) throw new Error('the stick is not there');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [walk, turn] = [await middle(/^Walk:/), await middle(/^Turn:/)];
  const touch = await context.newCDPSession(page);
  const send = (type: string, touchPoints: { x: number; y: number; id: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints });
  const left = { ...walk, id: 1 };
  const right = { ...turn, id: 2 };
  await send('touchStart', [left]);
  await send('touchStart', [left, right]);
  await send('touchMove', [
    { ...left, y: left.y + 60 },
    { ...right, x: right.x - 60 },
  ]);
  await until(witness, ({ command }) => command.vx < 0 && command.wz > 0);
  await moves(witness);
  await send('touchEnd', []);
  await stands(witness);
  await expectNoAxeFindings(page, 'driving by thumbs', ['light']);
  await page.getByRole('button', { name: 'End driving' }).tap();
  await expect(panelOf(page)).toBeHidden();
  await page.close();
  await context.close();
});
