import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { Client } from '../../../src/client/index.ts';
import type { RobotInRoom } from '../../../src/headless/in-room.ts';
import { type Platform, startPlatform } from '../../../src/launch/platform.ts';
import { encodeRoomKey } from '../../../src/protocol/room/room-key.ts';
import { runtimeIdentity } from '../../../src/protocol/wire/identity.ts';
import type { RuntimeProfile } from '../../../src/protocol/wire/profile.ts';
import { takeProblems } from '../../client-models/check.ts';
import { reportCounts } from '../../client-models/reports.ts';
import { watchFetch } from '../../client-models/watch-http.ts';
import { watchRooms } from '../../client-models/watch-rpc.ts';
import { layDatabase } from '../../control-service/helpers/pglite-image.ts';
import { beginCost } from '../../costs/costs.ts';
import { startReadyRobot } from '../../headless/ready-robot.ts';
import { type HiddenTabs, startHiddenTabs } from './bare-browser.ts';
import { WireParticipant } from './wire-participant.ts';

const TESTS_DIR = join(import.meta.dirname, '../..');

watchFetch();
watchRooms();

export interface TestRobot {
  id: string;
  /** A fresh room key for its viewer. @param profile which contract the tab is to keep */
  key(ttlSeconds?: number, profile?: RuntimeProfile): Promise<string>;
  /** A link with such a key. */
  keyUrl(profile?: RuntimeProfile): Promise<string>;
  /** A participant of the room that is not the robot. */
  join(identity?: string): Promise<WireParticipant>;
}

/** Set by `test.use`. */
export interface TestOptions {
  /**
   * Whether the pages of `open` draw the world as people see it. A test that does not look at the world costs an eighth less
   * without. The robot's cameras draw all the same.
   */
  picture: boolean;
}

export interface TestFixtures {
  robot: TestRobot;
  /** Opens a link in a page that fails the test on any console error. */
  open(url: string, context?: BrowserContext): Promise<Page>;
  /**
   * As `open`, in a tab that is hidden behind another one: nothing is drawn, which costs more than half of what a robot does. For tests
   * that ask the robot over the room alone; a test that looks at the page or clicks in it opens it in front.
   */
  openHidden(url: string): Promise<Page>;
  /**
   * Starts the robot of a link in the process of the test, without a page and without cameras: a tenth of what a hidden tab costs. For
   * tests of other pages, or of the wire, in which the robot's own tab has no part. Settles when the robot is ready.
   */
  startHeadless(url: string): Promise<RobotInRoom>;
  /** Console errors and uncaught exceptions that this test expects, as patterns. */
  expectedProblems: RegExp[];
}

export interface AutoFixtures {
  /** Every reply that a test gets, over HTTP and in rooms, is one that existing clients read. */
  clientModels: undefined;
  /** Keeps what each test costs, the start of what it shares with others included. */
  cost: undefined;
}

export interface WorkerFixtures {
  platform: Platform & { dataDir: string };
  client: Client;
  hiddenTabs: HiddenTabs;
}

/** Fails a test on every console error or exception of its pages that it did not announce. */
export class PageWatch {
  readonly problems: string[] = [];
  watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.problems.push(`uncaught ${error.message}`));
  }

  /** The problems that none of these patterns fits. */
  unexpected(expected: readonly RegExp[]): string[] {
    return this.problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
  }
}

export const test = base.extend<TestOptions & TestFixtures & AutoFixtures, WorkerFixtures>({
  picture: [true, { option: true }],
  clientModels: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      await use(undefined);
      reportCounts();
      expect(takeProblems()).toEqual([]);
    },
    { auto: true },
  ],
  cost: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use, { file, line, title }) => {
      const keep = beginCost();
      await use(undefined);
      keep(`${relative(TESTS_DIR, file)}:${line} ${title}`);
    },
    { auto: true },
  ],
  platform: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first argument.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-e2e-'));
      await layDatabase(dataDir);
      const platform = await startPlatform({
        port: 0,
        dataDir,
        env: { ...process.env, SIMPLESIM_SFU_PORT: '0' },
        onProgress: () => {},
      });
      await use(Object.assign(platform, { dataDir }));
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  client: [
    async ({ platform }, use) => {
      await use(new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey }));
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  expectedProblems: async ({}, use) => {
    await use([]);
  },
  robot: async ({ client, platform }, use, info) => {
    const { robot } = await client.robots.create({ name: info.title.slice(0, 60), model: 'simplesim-humanoid-1' });
    await client.robots.createSession(robot.id, { workerNames: [] });
    const joined: WireParticipant[] = [];
    const token = async (identity: string, ttlSeconds?: number) =>
      client.robots.createParticipantToken(robot.id, {
        participantIdentity: identity,
        ...(ttlSeconds === undefined ? {} : { ttlS: ttlSeconds }),
      });
    const key = async (ttlSeconds?: number, profile: RuntimeProfile = 'simulator') => {
      const { livekit_url: livekitUrl, participant_token: participantToken } = await token(
        runtimeIdentity(profile, robot.id),
        ttlSeconds,
      );
      return encodeRoomKey({ sfuUrl: livekitUrl, token: participantToken });
    };
    await use({
      id: robot.id,
      key,
      keyUrl: async (profile) =>
        `${platform.viewerUrl}/?key=${await key(undefined, profile)}${profile === undefined ? '' : `&profile=${profile}`}`,
      join: async (identity = `tester-${joined.length}`) => {
        const { livekit_url: livekitUrl, participant_token: participantToken } = await token(identity);
        const participant = await WireParticipant.join(livekitUrl, participantToken);
        joined.push(participant);
        return participant;
      },
    });
    for (const participant of joined) await participant.leave();
    await client.robots.delete(robot.id);
  },
  open: async ({ browser, picture, expectedProblems }, use) => {
    const watch = new PageWatch();
    const contexts: BrowserContext[] = [];
    await use(async (url, context) => {
      const owner = context ?? (await browser.newContext({ viewport: { width: 1440, height: 900 } }));
      if (!context) contexts.push(owner);
      const page = await owner.newPage();
      // A context of this fixture is prepared as a whole, so that the tabs that its pages open are as these are.
      const prepared = context ? page : owner;
      await prepared.addInitScript(comeAgain);
      if (!picture) await prepared.addInitScript(drawNothing);
      watch.watch(page);
      await page.goto(url);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(watch.unexpected(expectedProblems)).toEqual([]);
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  startHeadless: async ({}, use) => {
    const robots: RobotInRoom[] = [];
    await use(async (url) => {
      const robot = await startReadyRobot(url);
      robots.push(robot);
      return robot;
    });
    for (const robot of robots) await robot.end();
  },
  hiddenTabs: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const tabs = await startHiddenTabs();
      await use(tabs);
      await tabs.stop();
    },
    { scope: 'worker' },
  ],
  openHidden: async ({ hiddenTabs, expectedProblems }, use) => {
    const watch = new PageWatch();
    const pages: Page[] = [];
    await use(async (url) => {
      const page = await hiddenTabs.open();
      pages.push(page);
      watch.watch(page);
      await page.goto(url);
      return page;
    });
    for (const page of pages) await page.close();
    expect(watch.unexpected(expectedProblems)).toEqual([]);
  },
});

/** As in the browser of a returning visitor: the hint of a first visit covers nothing. */
function comeAgain(): void {
  try {
    localStorage.setItem('simplesim.greeted', 'yes');
  } catch {
    // A browser that keeps nothing greets each time.
  }
}

/** The page itself gets no WebGL, and its plain picture nothing to draw on; workers have contexts of their own. */
function drawNothing(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = new Proxy(getContext, {
    apply: (_, canvas: Element, args: [string]) =>
      args[0] === 'webgl2' || canvas.matches('.coarse *') ? null : Reflect.apply(getContext, canvas, args),
  });
}

export { expect };
