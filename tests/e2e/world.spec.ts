/** The world as people see it: views, what is clicked, what is drawn over it, and what it costs. */
import type { BrowserContext, Page } from '@playwright/test';
import { expectNoAxeFindings } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import type { WireParticipant } from './support/wire-participant.ts';

const PAGE = { width: 1440, height: 900 };
/** The side panel's share of the page: the world's middle is the middle of the rest. */
const PANEL_PX = 384;
const MIDDLE = { x: (PAGE.width - PANEL_PX) / 2, y: PAGE.height / 2 };
const PICTURE = { width: 1280, height: 720 };

interface Boxed {
  entity_id: string;
  box: [number, number, number, number];
  visible_fraction: number;
}

async function picture(caller: WireParticipant, id: string): Promise<{ bytes: Buffer; entities: Boxed[] }> {
  const reply = await caller.call('runtime.cameras_capture', {
    selector: { kind: 'id', id: 'pov' },
    options: { ...PICTURE, annotations: ['boxes'] },
    stream: { id },
  });
  expect(reply, JSON.stringify(reply.error)).toMatchObject({ status: 'done' });
  return { bytes: (await caller.file(id)).bytes, entities: reply.result.entities };
}

/** A picture of a world that has come to rest: the one before it was the same. */
async function stillPicture(caller: WireParticipant): Promise<{ bytes: Buffer; entities: Boxed[] }> {
  let before = await picture(caller, 'still-0');
  for (let count = 1; ; count += 1) {
    const next = await picture(caller, `still-${count}`);
    if (next.bytes.equals(before.bytes)) return next;
    before = next;
  }
}

const canvas = (page: Page) => page.locator('.world canvas');
const card = (page: Page, id: string) => page.getByRole('region', { name: `About ${id}` });
const view = (page: Page, name: string) => page.getByRole('group', { name: 'View' }).getByRole('button', { name });

/** Resolves when nothing was drawn for so many of the page's frames, as the counter of `countDraws` has it. */
const atRest = (page: Page, frames: number) =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        let [last, still] = [-1, 0];
        const look = () => {
          still = last === window.draws ? still + 1 : 0;
          last = window.draws ?? 0;
          if (still >= wanted) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    frames,
  );
/** More of the page's frames than lie between two pictures of a world that moves. */
const SETTLED = 90;

/** Where a point of the floor is on the page while the map is shown, as the names of the pads have it. */
async function mapOf(page: Page): Promise<(x: number, y: number) => [number, number]> {
  const label = async (id: string) => {
    const box = await page.locator('.world-label', { hasText: id }).boundingBox();
    if (!box) throw new Error(`${id} has no name in the picture`);
    return { x: box.x + box.width / 2, bottom: box.y + box.height };
  };
  // Both stand above the far edge of their pallets, y -5.1.
  const [b, d] = [await label('pad_B'), await label('pad_D')];
  const pxPerM = (d.x - b.x) / (3.2 + 1.4);
  return (x, y) => [Math.round(b.x + (x + 1.4) * pxPerM), Math.round(b.bottom + 3 - (y + 5.1) * pxPerM)];
}

/** The names that are not wholly in the free part of the picture, or lie over another one; a map shows all, or lists the missing ones. */
const crowdedNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const boxes = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter(
          (element) => getComputedStyle(element).visibility === 'visible' && Number(getComputedStyle(element).opacity) === 1,
        )
        .map((element) => ({ text: element.textContent ?? '', rect: element.getBoundingClientRect() }));
    const apart = (a: DOMRect, b: DOMRect) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const names = boxes('.world-label');
    const covers = boxes('.head, .side-panel, .cameras-panel, .view-bar');
    const [picture] = boxes('.world canvas');
    const wanted = ['robot', 'pad_A, belt', 'pad_B', 'pad_C', 'pad_D', 'pad_E'];
    const missing = wanted.filter((text) => !names.some((name) => name.text === text));
    const crowded = names.filter(({ text, rect }) => {
      const inside = picture && rect.left >= picture.rect.left && rect.right <= picture.rect.right;
      const whole = inside && rect.top >= picture.rect.top && rect.bottom <= picture.rect.bottom;
      return !whole || [...covers, ...names].some((other) => other.text !== text && !apart(rect, other.rect));
    });
    return [...missing.map((text) => `${text} is missing`), ...crowded.map(({ text }) => `${text} is crowded`)];
  });

declare global {
  interface Window {
    /** Draw calls for the person's picture, wherever it is drawn; the robot's cameras draw in a worker of their own. */
    draws?: number;
  }
}

/** Counts what is drawn for a person, in the page from its first moment and in the picture's worker. */
async function countDraws(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.draws = 0;
    new BroadcastChannel('draws').onmessage = () => {
      window.draws = (window.draws ?? 0) + 1;
    };
  });
  await context.addInitScript(announceDraws);
  context.on('page', (page) => {
    page.on('worker', (worker) => void worker.evaluate(announceDraws).catch(() => undefined));
  });
}

/** Reports each draw call of a thread to the page, unless the thread draws for the robot. */
function announceDraws(): void {
  if (self.name === 'cameras' || self.name === 'simulation') return;
  const channel = new BroadcastChannel('draws');
  const { prototype } = WebGL2RenderingContext;
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced'] as const) {
    const original: unknown = prototype[name];
    Object.defineProperty(prototype, name, {
      value(...args: unknown[]) {
        channel.postMessage(name);
        return typeof original === 'function' ? Reflect.apply(original, this, args) : undefined;
      },
    });
  }
}

test('one looks out of the robot’s head, clicks what its camera sees, and sends the robot', async ({ robot, open, browser }) => {
  const context = await browser.newContext({ viewport: PAGE, permissions: ['clipboard-read', 'clipboard-write'] });
  await countDraws(context);
  const page = await open(await robot.keyUrl(), context);
  const caller = await robot.join();
  await caller.ready();
  await expect(canvas(page)).toHaveAttribute('data-view', 'orbit');

  await test.step('out of the head: pose and field of view are those of the camera', async () => {
    await caller.invoke('look_at', { target: { kind: 'entity', entity_id: 'cube_1' } });
    const seen = await picture(caller, 'before');
    await page.keyboard.press('3');
    await expect(view(page, 'Out of the robot’s head')).toHaveAttribute('aria-pressed', 'true');
    await expect(canvas(page)).toHaveAttribute('data-view', 'head');
    // The same vertical field of view on another height: where the camera has a cube, the page has it.
    const scale = PAGE.height / PICTURE.height;
    const cubes = seen.entities.filter(({ entity_id, visible_fraction }) => /^cube/.test(entity_id) && visible_fraction > 0.9);
    expect(cubes.length).toBeGreaterThanOrEqual(2);
    for (const { entity_id, box } of cubes.slice(0, 2)) {
      const [x, y] = [box[0] + box[2] / 2 - PICTURE.width / 2, box[1] + box[3] / 2 - PICTURE.height / 2];
      await page.mouse.click(MIDDLE.x + x * scale, MIDDLE.y + y * scale);
      await expect(card(page, entity_id)).toBeVisible();
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /^About/ })).toHaveCount(0);
  });

  await test.step('from above: a map of the whole warehouse, on which a place on the floor is where it was clicked', async () => {
    await view(page, 'From above').click();
    await expect(canvas(page)).toHaveAttribute('data-view', 'top');
    await atRest(page, SETTLED);
    const map = await mapOf(page);
    await page.mouse.click(...map(-0.6, -1.5));
    const here = card(page, 'this place');
    await expect(here).toContainText(/x −0\.[56]\d, y −1\.[45]\d m/);
    await expectNoAxeFindings(page, 'card of a place', ['dark']);
    await here.getByRole('button', { name: 'Copy pose' }).click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ frame_id: 'world', position: [expect.any(Number), expect.any(Number), 0] });
    await here.getByRole('button', { name: 'Send the robot here' }).click();
    await expect(here).toContainText('Send the robot here: done.');
    const state = await caller.call('runtime.state');
    expect(state.robot.pose.position[0]).toBeCloseTo(copied.position[0], 1);
    expect(state.robot.pose.position[1]).toBeCloseTo(copied.position[1], 1);
    await page.keyboard.press('Escape');
    // The map has stayed; the robot is where it was sent.
    await atRest(page, SETTLED);
    expect((await mapOf(page))(0, 0)).toEqual(map(0, 0));
    await page.mouse.click(...map(-0.6, -1.5));
    await expect(card(page, 'robot')).toContainText('Ready');
    await page.keyboard.press('Escape');
  });

  await test.step('from above: who comes nearer follows the robot, and one press brings the map back', async () => {
    const map = await mapOf(page);
    await expect(view(page, 'Follow the robot')).toHaveAttribute('aria-pressed', 'true');
    await page.mouse.move(...map(0, -3));
    await page.mouse.wheel(0, -700);
    await atRest(page, SETTLED);
    // The map's middle is that of the warehouse; nearer it is the robot.
    await page.mouse.click(...map(0.25, -1.85));
    await expect(card(page, 'robot')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await expect(canvas(page)).toHaveAttribute('data-view', 'top');
    await atRest(page, SETTLED);
    expect((await mapOf(page))(0, 0)).toEqual(map(0, 0));
  });

  await test.step('a refusal is in words where one asked', async () => {
    // Nearer to the belt than the robot is wide: it cannot stand there.
    const state = await caller.call('runtime.state');
    const [x] = state.robot.pose.position;
    const map = await mapOf(page);
    await page.mouse.click(...map(1.15, -1.2));
    const here = card(page, 'this place');
    await here.getByRole('button', { name: 'Send the robot here' }).click();
    await expect(here.getByRole('status')).toContainText(/cannot stand at .*: belt is there/);
    expect((await caller.call('runtime.state')).robot.pose.position[0]).toBeCloseTo(x, 2);
    await page.keyboard.press('Escape');
  });

  await test.step('the map fits every window: each name is beside what covers the picture, and over no other name', async () => {
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
      [2000, 1100],
      [1024, 600],
      [700, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => crowdedNames(page), { message: `${width} × ${height}` }).toEqual([]);
    }
    await page.setViewportSize(PAGE);
    await page.getByRole('button', { name: /side panel/i }).click();
    await expect.poll(() => crowdedNames(page), { message: 'without the side panel' }).toEqual([]);
  });
});

test('with everything drawn over the world the robot’s pictures are the same; a cube is picked up from its card', async ({
  robot,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: PAGE });
  await countDraws(context);
  const page = await open(await robot.keyUrl(), context);
  const caller = await robot.join();
  await caller.ready();
  await expect(canvas(page)).toHaveAttribute('data-view', 'orbit');

  await test.step('with everything drawn over the world the robot’s pictures are the same, byte for byte', async () => {
    await caller.invoke('look_at', { target: { kind: 'entity', entity_id: 'cube_1' } });
    const without = await stillPicture(caller);
    expect(without.bytes.length).toBeGreaterThan(10_000);
    await view(page, 'What is drawn').click();
    const menu = page.getByRole('menu');
    for (const name of ['Reach of the hands', 'What the head camera sees']) {
      await menu.getByRole('menuitemcheckbox', { name }).click();
      await expect(menu.getByRole('menuitemcheckbox', { name })).toBeChecked();
    }
    await expectNoAxeFindings(page, 'menu of what is drawn', ['light']);
    await page.keyboard.press('Escape');
    await atRest(page, SETTLED);
    const withAll = await picture(caller, 'with-all');
    expect(withAll.bytes.equals(without.bytes)).toBe(true);
    expect(withAll.entities).toEqual(without.entities);
  });

  await test.step('a cube is picked up from its card, carried to the pad of its colour and put down there', async () => {
    await page.keyboard.press('3');
    await caller.invoke('look_at', { target: { kind: 'entity', entity_id: 'cube_1' } });
    await expect(canvas(page)).toHaveAttribute('data-view', 'head');
    await atRest(page, SETTLED);
    await page.mouse.click(MIDDLE.x, MIDDLE.y);
    const cube = card(page, 'cube_1');
    await expect(cube).toContainText('Green cube');
    await cube.getByRole('button', { name: 'Pick it up' }).click();
    await expect(cube).toContainText('Pick it up: done.');
    await expect(cube).toContainText('in the robot’s hands');
    expect((await caller.call('runtime.state')).robot.held_entity_ids).toEqual(['cube_1']);
    // The pad of its colour is farther than the robot reaches.
    await cube.getByRole('button', { name: 'Put it on pad_C (green)' }).click();
    await expect(cube).toContainText('Put it on pad_C (green): done.', { timeout: 60_000 });
    await expect(cube).toContainText('delivered to pad_C');
    expect((await caller.call('runtime.state')).robot.held_entity_ids).toEqual([]);
  });

  await test.step('while nothing moves nothing is drawn', async () => {
    // Longer than the sharper pictures of a world at rest take.
    await atRest(page, 120);
    const drawn = await page.evaluate(() => window.draws);
    expect(drawn).toBeGreaterThan(100);
    await caller.call('runtime.state');
    await atRest(page, 60);
    expect(await page.evaluate(() => window.draws)).toBe(drawn);
  });
});

test('the robot of this tab alone: the quality menu explains its choice and is remembered; touch finds the same', async ({
  platform,
  open,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'reduce' });
  const page = await open(`${platform.viewerUrl}/?try=1`, context);
  await expect(canvas(page)).toHaveAttribute('data-view', 'orbit');
  await expect(page.getByTestId('state')).toHaveText('Ready');

  const density = () =>
    canvas(page).evaluate((element) => (element instanceof HTMLCanvasElement ? element.width / element.clientWidth : 0));
  await view(page, 'What is drawn').tap();
  const menu = page.getByRole('menu');
  await expect(menu).toContainText('Drawn without a graphics card: fewer pixels while something moves, sharp at rest.');
  // As with a graphics card: what shiny things mirror, shadows, every pixel. A program that does not compile is an error on the console.
  await menu.getByRole('menuitemradio', { name: 'High' }).tap();
  await expect.poll(density).toBeCloseTo(1, 1);
  await menu.getByRole('menuitemradio', { name: 'Low' }).tap();
  await expect(menu).toContainText('Drawn without a graphics card, with few pixels at all times.');
  await page.keyboard.press('Escape');
  await expect.poll(density).toBeCloseTo(0.6, 1);
  await page.reload();
  await expect(canvas(page)).toHaveAttribute('data-view', 'orbit');
  // Until the scene is drawn a notice lies over it.
  await expect(page.locator('html')).toHaveAttribute('data-world');
  await view(page, 'What is drawn').tap();
  await expect(menu.getByRole('menuitemradio', { name: 'Low' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);

  // The robot is in the middle of the world, above the sheet.
  const box = await page.locator('.world').boundingBox();
  if (!box) throw new Error('The page shows no world');
  const robot = card(page, 'robot');
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await expect(robot).toBeVisible();
  await expectNoAxeFindings(page, 'card on a phone', ['light']);
  await robot.getByRole('button', { name: 'Close this card' }).tap();
  await expect(robot).toHaveCount(0);

  // Without motion a view changes at once; F and the bar do the same.
  await page.keyboard.press('2');
  await expect(canvas(page)).toHaveAttribute('data-view', 'top');
  await page.keyboard.press('f');
  await expect(view(page, 'Follow the robot')).toHaveAttribute('aria-pressed', 'false');
  await view(page, 'Reset view').tap();
  await expect(view(page, 'Follow the robot')).toHaveAttribute('aria-pressed', 'true');
  await expect(canvas(page)).toHaveAttribute('data-view', 'orbit');
});
