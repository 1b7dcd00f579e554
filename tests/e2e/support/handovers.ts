/** Hand-overs of one robot between pages in real browsers: how a page goes away, and who is the robot next. */
import { setTimeout as after } from 'node:timers/promises';
import { RoomServiceClient } from 'livekit-server-sdk';
import { type Browser, type BrowserContext, type BrowserServer, chromium, type Page } from 'playwright-core';
import { BROWSER_ARGS, findBrowser } from '../../../scripts/ensure-browser.ts';
import { Client, generateRoomKeyUrl } from '../../../src/client/index.ts';
import { readLocalFile } from '../../../src/launch/local-file.ts';
import type { Platform } from '../../../src/launch/platform.ts';

export const HANDOVERS = [
  'a context closes, another opens',
  'a browser is killed, another opens',
  'a page reloads',
  'a page navigates away, another context opens',
  'a tab closes, the next tab opens',
  'a tab closes, a waiting tab of its browser joins',
  'a context closes, a waiting page of another joins',
  'a browser is killed, a waiting page of another joins',
  'a take-over link displaces a live holder',
  'a browser sleeps, another opens, the first wakes',
  'a page reloads beside waiting pages',
  'a holder whose main thread stands keeps the robot',
] as const;
export type Handover = (typeof HANDOVERS)[number];

export interface HandedOver {
  /**
   * From the moment at which the page went away, or the next one was opened, until the next one is the ready robot; or, for a holder
   * that keeps the robot, until the other page shows the card.
   */
  readyMs: number;
  failures: string[];
}

const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const SLEEPS_MS = 15_000;
/** For so long the loser must leave the robot alone. */
const STAYS_MS = 6_000;
/** Much longer than a dead holder keeps its robot. */
const STANDS_MS = 8_000;

interface OwnBrowser {
  browser: Browser;
  signal(signal: NodeJS.Signals): void;
  close(): Promise<void>;
}

async function openBrowser(): Promise<OwnBrowser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('No Chromium found; `npm test` installs one.');
  const server: BrowserServer = await chromium.launchServer({ executablePath, args: BROWSER_ARGS });
  const browser = await chromium.connect(server.wsEndpoint());
  const { pid } = server.process();
  return {
    browser,
    // Playwright starts a browser as the leader of a process group, which all of its processes are in.
    signal: (signal) => void (pid !== undefined && process.kill(-pid, signal)),
    close: () => server.kill(),
  };
}

/** @param dataDir the platform's data folder */
export function createHandovers(platform: Platform, dataDir: string) {
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { livekit_url = '', livekit_api_key = '', livekit_api_secret = '' } = readLocalFile(dataDir);
  const rooms = new RoomServiceClient(livekit_url.replace(/^ws/, 'http'), livekit_api_key, livekit_api_secret);

  return async function handOver(kind: Handover): Promise<HandedOver> {
    const browsers: OwnBrowser[] = [];
    const launch = async (): Promise<OwnBrowser> => {
      const opened = await openBrowser();
      browsers.push(opened);
      return opened;
    };
    const { robot } = await client.robots.create({ name: kind.slice(0, 60), model: 'simplesim-humanoid-1' });
    const identity = `simplesim:${robot.id}`;
    await client.robots.createSession(robot.id, { workerNames: [] });
    const { room_name: room } = await client.robots.createParticipantToken(robot.id, { participantIdentity: 'looker' });
    const link = await generateRoomKeyUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl });
    const takeOverLink = await generateRoomKeyUrl(client, robot.id, { viewerBaseUrl: platform.viewerUrl, takeOver: true });

    /** The session in the room of the robot that is there; null for none. */
    const sid = async (): Promise<string | null> => {
      const there = (await rooms.listParticipants(room)).filter((each) => each.identity === identity);
      return there[0]?.sid ?? null;
    };
    const isReady = (page: Page): Promise<boolean> =>
      page
        .getByTestId('state')
        .textContent({ timeout: 1_000 })
        .then((text) => text === 'Ready')
        .catch(() => false);
    const isWaiting = (page: Page): Promise<boolean> => page.locator('.ended-card').isVisible();
    const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
      const deadlineMs = performance.now() + READY_WITHIN_MS;
      while (!(await isSo())) {
        if (performance.now() > deadlineMs) throw new Error(`not within ${READY_WITHIN_MS} ms: ${what}`);
        await after(LOOK_EVERY_MS);
      }
    };
    const untilRobot = (page: Page, before: string | null): Promise<void> =>
      until('the page is the ready robot', async () => {
        const present = await sid();
        return present !== null && present !== before && (await isReady(page));
      });
    const contextIn = (own: OwnBrowser): Promise<BrowserContext> =>
      own.browser.newContext({ viewport: { width: 640, height: 400 } });
    const openIn = async (context: BrowserContext, address = link): Promise<Page> => {
      const page = await context.newPage();
      await page.goto(address, { waitUntil: 'commit' });
      return page;
    };
    const wait = async (page: Page): Promise<Page> => {
      await until('the page shows the card', () => isWaiting(page));
      return page;
    };

    try {
      const first = await launch();
      const context = await contextIn(first);
      const holder = await openIn(context);
      await untilRobot(holder, null);
      const before = await sid();
      const failures: string[] = [];
      let beganAtMs = performance.now();
      const begin = (): void => {
        beganAtMs = performance.now();
      };
      let next: Page;
      /** Pages that must show the card in the end. */
      const losers: Page[] = [];
      let wakeAtMs = 0;
      let keptMs: number | null = null;
      switch (kind) {
        case 'a context closes, another opens': {
          begin();
          await context.close();
          next = await openIn(await contextIn(first));
          break;
        }
        case 'a browser is killed, another opens': {
          const other = await contextIn(await launch());
          begin();
          first.signal('SIGKILL');
          next = await openIn(other);
          break;
        }
        case 'a page reloads': {
          begin();
          await holder.reload({ waitUntil: 'commit' });
          next = holder;
          break;
        }
        case 'a page navigates away, another context opens': {
          const other = await contextIn(first);
          begin();
          await holder.goto('about:blank');
          next = await openIn(other);
          break;
        }
        case 'a tab closes, the next tab opens': {
          begin();
          await holder.close();
          next = await openIn(context);
          break;
        }
        case 'a tab closes, a waiting tab of its browser joins': {
          next = await wait(await openIn(context));
          begin();
          await holder.close();
          break;
        }
        case 'a context closes, a waiting page of another joins': {
          next = await wait(await openIn(await contextIn(first)));
          begin();
          await context.close();
          break;
        }
        case 'a browser is killed, a waiting page of another joins': {
          next = await wait(await openIn(await contextIn(await launch())));
          begin();
          first.signal('SIGKILL');
          break;
        }
        case 'a take-over link displaces a live holder': {
          const other = await contextIn(first);
          begin();
          next = await openIn(other, takeOverLink);
          losers.push(holder);
          break;
        }
        case 'a browser sleeps, another opens, the first wakes': {
          const other = await contextIn(await launch());
          first.signal('SIGSTOP');
          begin();
          wakeAtMs = beganAtMs + SLEEPS_MS;
          next = await openIn(other);
          losers.push(holder);
          break;
        }
        case 'a page reloads beside waiting pages': {
          losers.push(await wait(await openIn(context)), await wait(await openIn(await contextIn(first))));
          begin();
          await holder.reload({ waitUntil: 'commit' });
          next = holder;
          break;
        }
        case 'a holder whose main thread stands keeps the robot': {
          const other = await contextIn(await launch());
          // Timers keep the evaluation itself from waiting for the end of the loop.
          await holder.evaluate((standsMs) => {
            setTimeout(() => {
              const endsAtMs = performance.now() + standsMs;
              while (performance.now() < endsAtMs);
            });
          }, STANDS_MS);
          begin();
          losers.push(await wait(await openIn(other)));
          keptMs = performance.now() - beganAtMs;
          next = holder;
          break;
        }
      }
      await untilRobot(next, keptMs === null ? before : null);
      const readyMs = keptMs ?? performance.now() - beganAtMs;
      if (keptMs !== null && (await sid()) !== before) failures.push('the holder lost the robot');
      if (wakeAtMs > 0) {
        await after(Math.max(0, wakeAtMs - performance.now()));
        first.signal('SIGCONT');
      }
      const winner = await sid();
      for (const loser of losers) await wait(loser);
      if (losers.length > 0) await after(STAYS_MS);
      for (const loser of losers) if (!(await isWaiting(loser))) failures.push('a page that is not the robot shows no card');
      if (await isWaiting(next)) failures.push('the next page lost the robot again');
      if ((await sid()) !== winner) failures.push('the robot changed hands once more');
      return { readyMs, failures: failures.map((failure) => `${kind}: ${failure}`) };
    } finally {
      for (const own of browsers) {
        try {
          own.signal('SIGCONT');
        } catch {
          // It has ended already.
        }
        await own.close();
      }
      await client.robots.delete(robot.id);
    }
  };
}
