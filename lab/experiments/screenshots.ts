import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import type { WireParticipant } from '../../tests/e2e/support/wire-participant.ts';
import type { Experiment } from '../experiment.ts';
import type { BenchPlatform } from '../platform.ts';
import { withStage } from '../stage.ts';

const SIZES = { wide: [1440, 900], middle: [1024, 768], phone: [390, 844] } as const;
type SizeName = keyof typeof SIZES;
const SIZE_NAMES = Object.keys(SIZES) as SizeName[];

const STATES = [
  'gate',
  'gate-refused',
  'loading',
  'skills',
  'skill-form',
  'selected',
  'state',
  'cameras',
  'menu',
  'view-menu',
  'working',
  'failed',
  'view-top',
  'view-head',
  'driving',
  'left',
  'cockpit-driving',
  'cockpit',
  'cockpit-stopped',
] as const;
type State = (typeof STATES)[number];
/** At the size `smoke`: the states before the robot does something. */
const SMOKE_STATES: readonly State[] = ['gate', 'gate-refused', 'loading'];

type Shoot = (state: State) => Promise<void>;

interface Scene {
  page: Page;
  agent: WireParticipant;
  size: SizeName;
  home: string;
  shoot: Shoot;
}

/**
 * Photographs the page in its states, for people to look at: dark, and at the widest size also in the light theme. An agent
 * drives a robot meanwhile.
 */
export const screenshots: Experiment<Record<never, never>, 'smoke' | 'full'> = {
  sizes: ['smoke', 'full'],
  choices: { noun: 'state or size', names: [...STATES, ...SIZE_NAMES] },
  options: {},
  head: ['state', 'size', 'theme', 'picture'],
  run: ({ size, names, outDir }, { row }) =>
    withStage(async (stage) => {
      const folder = join(outDir, 'screenshots');
      mkdirSync(folder, { recursive: true });
      const [platform, browser] = [await stage.platform(), await stage.browser()];
      const asked = SIZE_NAMES.filter((name) => names.includes(name));
      const states = STATES.filter((state) => names.includes(state));
      const wanted = size === 'smoke' ? SMOKE_STATES : states.length > 0 ? states : STATES;
      const files: string[] = [];
      const shootSize = (screen: SizeName, theme: Theme): Promise<void> =>
        shootStates(platform, browser, { screen, theme, wanted }, async (page, state) => {
          const path = join(folder, `${state}-${screen}${theme === 'light' ? '-light' : ''}.jpg`);
          await page.screenshot({ path, type: 'jpeg', quality: 82 });
          files.push(path);
          row(state, screen, theme, path);
        });
      const screens = asked.length > 0 ? asked : size === 'smoke' ? SIZE_NAMES.slice(0, 1) : SIZE_NAMES;
      for (const screen of screens) await shootSize(screen, 'dark');
      if (size === 'full' && asked.length === 0) await shootSize('wide', 'light');
      return { files };
    }),
};

/** A moving world has no event for "looks good now": the picture is sharp a moment after the world has come to rest. */
const rest = (page: Page): Promise<void> => page.waitForTimeout(3_000);

/** Fonts are loaded and short animations have ended. */
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

/**
 * A robot that runs only in the tab and follows the physical robot's contract: driven, its arms posed, its emergency stop
 * latched.
 */
async function cockpitStates(page: Page, home: string, shoot: Shoot): Promise<void> {
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

type Theme = 'dark' | 'light';

async function shootStates(
  platform: BenchPlatform,
  browser: Browser,
  { screen: size, theme: colorScheme, wanted }: { screen: SizeName; theme: Theme; wanted: readonly State[] },
  take: (page: Page, state: State) => Promise<void>,
): Promise<void> {
  const [width, height] = SIZES[size];
  const touch = size === 'phone';
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: touch, isMobile: touch });
  const page = await context.newPage();
  const robot = await platform.newRobot();
  const shoot: Shoot = async (state) => {
    if (wanted.includes(state)) await take(page, state);
  };
  const link = await robot.keyUrl();
  const agent = await robot.join('agent-7');
  const scene: Scene = { page, agent, size, home: new URL('/', link).href, shoot };
  await gateStates(scene);
  await page.goto(link);
  await page.locator('.loading-card').waitFor();
  await settled(page);
  await shoot('loading');
  if (wanted !== SMOKE_STATES) {
    await agent.ready();
    await page.waitForSelector('html[data-world]');
    await quietStates(scene);
    if (colorScheme === 'dark') {
      await workingStates(scene);
      await lastState(scene);
    }
  }
  await agent.leave();
  if (wanted.some((state) => state.startsWith('cockpit'))) await cockpitStates(page, scene.home, shoot);
  await context.close();
}
