/**
 * `npm run screenshots [folder] [state or size …]`: the page in its states at three sizes, to be looked at. Dark; the first ones in the light
 * theme too. An agent drives a robot over a real room meanwhile.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dispose } from '@livekit/rtc-node';
import { type Browser, chromium, type Page } from '@playwright/test';
import { BROWSER_ARGS, ensureBrowser } from '../scripts/ensure-browser.ts';
import type { WireParticipant } from '../tests/e2e/support/wire-participant.ts';
import { startBenchPlatform } from './platform.ts';

const SIZES = { wide: [1440, 900], middle: [1024, 768], phone: [390, 844] } as const;
type SizeName = keyof typeof SIZES;

interface Scene {
  page: Page;
  agent: WireParticipant;
  size: SizeName;
  home: string;
  shoot(state: string): Promise<void>;
}

const folder = resolve(process.argv[2] ?? '.cache/screenshots');
const asked = process.argv.slice(3);
const isSize = (word: string): word is SizeName => Object.hasOwn(SIZES, word);
const sizes = asked.some(isSize) ? asked.filter(isSize) : (Object.keys(SIZES) as SizeName[]);
const wanted = new Set(asked.filter((word) => !isSize(word)));
mkdirSync(folder, { recursive: true });

/** Of a moving world there is no event for "looks good now": the picture is sharp a moment after it came to rest. */
const rest = (page: Page): Promise<void> => page.waitForTimeout(3_000);

/** Letters are there and what moves by itself for a moment has arrived. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });

async function tab(page: Page, name: string): Promise<void> {
  const found = page.getByRole('tab', { name });
  if (await found.isVisible()) await found.click();
}

async function gateStates({ page, shoot, home }: Scene): Promise<void> {
  await page.goto(home);
  await page.waitForSelector('html[data-gate]');
  await settled(page);
  await shoot('gate');
  await page.getByRole('textbox', { name: /room key/i }).fill('k1~half');
  await page.keyboard.press('Enter');
  await shoot('gate-refused');
}

async function quietStates({ page, agent, shoot, size }: Scene): Promise<void> {
  await rest(page);
  await shoot('skills');
  await page.getByRole('button', { name: /pick_entity/ }).click();
  await shoot('skill-form');
  await tab(page, 'Scene');
  await page
    .getByRole('button', { name: /^cube_1\b/ })
    .first()
    .click();
  await rest(page);
  await shoot('selected');
  await page.keyboard.press('Escape');
  await tab(page, 'State');
  await rest(page);
  await shoot('state');
  if (size === 'phone') {
    await tab(page, 'Cameras');
    await rest(page);
    await shoot('cameras');
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await shoot('menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'What is drawn' }).click();
  await shoot('view-menu');
  await page.keyboard.press('Escape');
  await agent.invoke('place_entity', { target: { kind: 'entity', entity_id: 'pad_B' } });
}

async function workingStates({ page, agent, shoot }: Scene): Promise<void> {
  await tab(page, 'Actions');
  await agent.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } });
  const walk = agent.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_D' } });
  await page
    .getByText(/Walking to pad_D/)
    .first()
    .waitFor();
  await page.waitForTimeout(2_500);
  await shoot('working');
  await walk;
  await rest(page);
  await page
    .getByRole('button', { name: /Failed/ })
    .first()
    .click();
  await shoot('failed');
  for (const [name, key] of [
    ['view-top', '2'],
    ['view-head', '3'],
  ] as const) {
    await page.keyboard.press(key);
    await rest(page);
    await shoot(name);
  }
  await page.keyboard.press('1');
  await page.getByRole('button', { name: 'Drive by hand' }).click();
  await rest(page);
  await shoot('driving');
  await page.keyboard.press('Escape');
}

/** A robot of the tab alone that keeps the physical robot's contract: driven, its arms posed, its emergency stop latched. */
async function cockpitStates(page: Page, home: string, shoot: (state: string) => Promise<void>): Promise<void> {
  const isWanted = wanted.size === 0 || [...wanted].some((state) => state.startsWith('cockpit'));
  if (!isWanted) return;
  await page.goto(new URL('/?try=1&profile=worker', home).href);
  await page.getByRole('button', { name: 'Cockpit', exact: true }).click({ timeout: 120_000 });
  await page.waitForSelector('html[data-world]');
  await rest(page);
  await shoot('cockpit-driving');
  await page.getByRole('button', { name: 'Arms', exact: true }).click();
  await page.getByRole('button', { name: /Reach/ }).click();
  await rest(page);
  await shoot('cockpit');
  await page.getByRole('button', { name: 'Emergency stop' }).click();
  await rest(page);
  await shoot('cockpit-stopped');
}

async function lastState({ page, shoot }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Leave the room' }).click();
  await page.locator('.ended-card').waitFor();
  await settled(page);
  await shoot('left');
}

async function shootSize(browser: Browser, size: SizeName, colorScheme: 'dark' | 'light'): Promise<void> {
  const [width, height] = SIZES[size];
  const touch = size === 'phone';
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch });
  const page = await context.newPage();
  const robot = await platform.newRobot();
  const shoot = async (state: string) => {
    if (wanted.size > 0 && !wanted.has(state)) return;
    const path = join(folder, `${state}-${size}${colorScheme === 'light' ? '-light' : ''}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: 82 });
    console.log(path);
  };
  const link = await robot.keyUrl();
  const agent = await robot.join('agent-7');
  const scene: Scene = { page, agent, size, home: new URL('/', link).href, shoot };
  await gateStates(scene);
  await page.goto(link);
  await page.locator('.loading-card').waitFor();
  await settled(page);
  await shoot('loading');
  await agent.ready();
  await page.waitForSelector('html[data-world]');
  await quietStates(scene);
  if (colorScheme === 'dark') {
    await workingStates(scene);
    await lastState(scene);
  }
  await agent.leave();
  await cockpitStates(page, scene.home, shoot);
  await context.close();
}

const browser = await chromium.launch({ executablePath: ensureBrowser((line) => console.log(line)), args: BROWSER_ARGS });
const platform = await startBenchPlatform();
for (const size of sizes) await shootSize(browser, size, 'dark');
if (!asked.some(isSize)) await shootSize(browser, 'wide', 'light');
await browser.close();
await platform.stop();
// The native part of the room would keep this program alive for ever.
await dispose();
