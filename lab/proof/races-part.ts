import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { Room } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { Page } from 'playwright-core';
import { build, preview } from 'vite';
import type { ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import { createHolderAnswers } from '../../src/control-service/operations/holder.ts';
import { createSfuAdmin } from '../../src/control-service/sfu-admin.ts';
import { createFront } from '../../src/launch/front.ts';
import { Health } from '../../src/launch/health.ts';
import { openHttpServer } from '../../src/launch/http-server.ts';
import { startSfu } from '../../src/launch/sfu.ts';
import { HOLDER_PATH } from '../../src/protocol/room/holder-question.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { type Chance, createChance } from '../../tests/oracle/chance.ts';
import { launchBrowser } from './browser.ts';
import { type ProofBench, type ProofPart, valuesOf } from './part.ts';
import type { RaceEvent, RaceTab } from './race-page/race-page.ts';
import { isSettled, judgeRace } from './races-judge.ts';

declare global {
  var raceTab: RaceTab;
}

/** Two tabs of one browser, and two of another, which shares no locks with the first. */
const TABS = ['one-1', 'one-2', 'other-1', 'other-2'] as const;
type TabName = (typeof TABS)[number];

/** A tab asks for the robot after this many milliseconds. */
interface Move {
  tab: TabName;
  afterMs: number;
  takeOver?: boolean;
  /** The page is reloaded first. */
  reload?: boolean;
}

interface Race {
  kind: string;
  /** It is the robot before the race begins. */
  holder?: TabName;
  moves: Move[];
  turnsMax?: number;
  /** Whether a platform serves the tabs, which they ask which tab is the robot. */
  isAsked: boolean;
}

const ROOM = 'races';
const IDENTITY = 'simplesim:raced';
const KEY_TTL_S = 21_600;
const CALL_MAX_MS = 2_000;
/** A call to a closed tab takes seconds to fail, so no call waits for the previous one. */
const CALL_EVERY_MS = 50;
const LOOK_EVERY_MS = 20;
const SETTLED_WITHIN_MS = 30_000;
/** Sent to the remaining tab, to confirm that it acts, and that no other tab does. */
const LAST_CALLS = 3;
/** The promised time is 5 s; on a machine on which a join takes a second or more, that much longer. */
const GAP_MAX_MS = 5_000;
const GAP_MAX_JOINS = 4;

function raceOf(chance: Chance): Race {
  return { ...kindOf(chance), isAsked: chance.oneOf([true, false]) };
}

function kindOf(chance: Chance): Omit<Race, 'isAsked'> {
  const soon = (): number => chance.oneOf([0, 0, chance.between(0, 30), chance.between(0, 400)]);
  return chance.oneOf<() => Omit<Race, 'isAsked'>>([
    () => ({
      kind: 'two tabs of one browser',
      moves: [
        { tab: 'one-1', afterMs: soon() },
        { tab: 'one-2', afterMs: soon() },
      ],
    }),
    () => ({
      kind: 'two browsers with one key',
      moves: [
        { tab: 'one-1', afterMs: soon() },
        { tab: 'other-1', afterMs: soon() },
      ],
    }),
    () => ({ kind: 'two tabs of each of two browsers', moves: TABS.map((tab) => ({ tab, afterMs: soon() })) }),
    () => ({
      kind: 'a take-over by two at once',
      holder: 'one-1',
      moves: [
        { tab: 'other-1', afterMs: soon(), takeOver: true },
        { tab: 'one-2', afterMs: soon(), takeOver: true },
      ],
    }),
    () => ({ kind: 'a take-over', holder: 'one-1', moves: [{ tab: 'one-2', afterMs: soon(), takeOver: true }] }),
    () => ({
      kind: 'a take-over and another browser',
      holder: 'one-1',
      moves: [
        { tab: 'one-2', afterMs: soon(), takeOver: true },
        { tab: 'other-1', afterMs: soon() },
      ],
    }),
    () => ({
      kind: 'a take-over and back',
      holder: 'one-1',
      moves: [
        { tab: 'one-2', afterMs: 0, takeOver: true },
        { tab: 'one-1', afterMs: soon(), takeOver: true },
      ],
      turnsMax: 2,
    }),
    () => ({
      kind: 'a reload and another tab',
      holder: 'one-1',
      moves: [
        { tab: 'one-1', afterMs: 0, reload: true },
        { tab: 'one-2', afterMs: soon() },
      ],
      turnsMax: 2,
    }),
  ])();
}

async function openRaces(size: ProofSize): Promise<ProofBench> {
  const outDir = await mkdtemp(join(tmpdir(), 'simplesim-races-'));
  const settings = {
    configFile: false,
    root: join(import.meta.dirname, 'race-page'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    worker: { format: 'es' },
  } as const;
  const [sfu] = await Promise.all([startSfu({ port: 0, roomsOnJoin: false }), build(settings)]);
  const holderDeps = { sfu: createSfuAdmin({ ...sfu, participantUrl: sfu.url }), clock: systemClock };
  const front = createFront(new Health());
  front.open({
    service: { fetch: () => new Response(null, { status: 404 }) },
    whoIsHolder: createHolderAnswers(holderDeps, sfu),
  });
  const platform = await openHttpServer(0, front.app);
  const proxy = { [HOLDER_PATH]: `http://127.0.0.1:${platform.port}` };
  const site = await preview({ ...settings, preview: { port: 0, host: '127.0.0.1', proxy } });
  const siteUrl = site.resolvedUrls?.local[0] ?? '';
  const admin = new RoomServiceClient(sfu.httpUrl, sfu.apiKey, sfu.apiSecret);
  await admin.createRoom({ name: ROOM });
  const browser = await launchBrowser();
  const pages = new Map<TabName, Page>();
  for (const names of [TABS.slice(0, 2), TABS.slice(2)]) {
    const context = await browser.newContext();
    for (const name of names) {
      const page = await context.newPage();
      await page.goto(siteUrl);
      pages.set(name, page);
    }
  }
  const pageOf = (name: TabName): Page => {
    const page = pages.get(name);
    if (!page) throw new Error(`There is no tab ${name}.`);
    return page;
  };
  const token = async (identity: string): Promise<string> => {
    const access = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: KEY_TTL_S });
    access.addGrant({ room: ROOM, roomJoin: true, canPublishData: true, canPublish: true, canSubscribe: true });
    return access.toJwt();
  };
  const caller = new Room();
  await caller.connect(sfu.url, await token('caller'), { autoSubscribe: false, dynacast: false });

  /** The records of a tab before it was reloaded. */
  const noted = new Map<TabName, RaceEvent[]>();
  const eventsOf = async (name: TabName): Promise<RaceEvent[]> => [
    ...(noted.get(name) ?? []),
    ...(await pageOf(name).evaluate(() => raceTab.events)),
  ];
  const allEvents = async (): Promise<Record<string, RaceEvent[]>> =>
    Object.fromEntries(await Promise.all(TABS.map(async (name) => [name, await eventsOf(name)] as const)));
  const joinFrom = async ({ tab, takeOver = false }: Move, isAsked: boolean): Promise<void> => {
    const key = encodeRoomKey({ sfuUrl: sfu.url, token: await token(IDENTITY) });
    const asked = [key, takeOver, isAsked] as const;
    await pageOf(tab).evaluate(([pasted, steals, asks]) => raceTab.join(pasted, steals, asks), asked);
  };
  let number = 0;
  async function call(onAnswer: (number: number) => void): Promise<void> {
    number += 1;
    const asked = number;
    const payload = JSON.stringify({ number: asked });
    const request = { destinationIdentity: IDENTITY, method: 'runtime.state', payload, responseTimeout: CALL_MAX_MS };
    await caller.localParticipant?.performRpc(request).then(
      () => onAnswer(asked),
      () => undefined,
    );
  }
  /**
   * Calls at a steady pace until it is ended. Pending calls are then abandoned, because those to a tab that left take seconds to
   * fail.
   */
  function stream(onAnswer: (number: number) => void): { end(): void } {
    let isOver = false;
    const timer = setInterval(() => {
      void call((answer) => {
        if (!isOver) onAnswer(answer);
      });
    }, CALL_EVERY_MS);
    return {
      end() {
        isOver = true;
        clearInterval(timer);
      },
    };
  }
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<boolean> => {
    const deadlineMs = performance.now() + SETTLED_WITHIN_MS;
    while (!(await isSo())) {
      if (performance.now() > deadlineMs) return false;
      await after(LOOK_EVERY_MS);
    }
    return true;
  };

  const joinsMs: number[] = [];
  async function race(slice: number) {
    const chance = createChance(slice);
    const { kind, holder, moves, turnsMax = 1, isAsked } = raceOf(chance);
    await Promise.all(
      TABS.map((name) =>
        pageOf(name).evaluate(async () => {
          await raceTab.leave();
          raceTab.events = [];
        }),
      ),
    );
    noted.clear();
    const answered: { number: number; atMs: number }[] = [];
    const startedAtMs = performance.now();
    const calls = stream((answer) => answered.push({ number: answer, atMs: performance.now() }));
    let racingAtMs = startedAtMs;
    try {
      if (holder) {
        await joinFrom({ tab: holder, afterMs: 0 }, isAsked);
        await until(() => answered.length > 0);
        racingAtMs = performance.now();
        joinsMs.push(racingAtMs - startedAtMs);
      }
      await Promise.all(
        moves.map(async (move) => {
          await after(move.afterMs);
          if (move.reload) {
            noted.set(move.tab, await eventsOf(move.tab));
            await pageOf(move.tab).reload();
          }
          await joinFrom(move, isAsked);
        }),
      );
      await until(async () => isSettled(await allEvents()));
      const settledMs = performance.now() - racingAtMs;
      const enough = answered.length + LAST_CALLS;
      const isAnswered = await until(() => answered.length >= enough);
      calls.end();
      const people = await admin.listParticipants(ROOM);
      const tabs = await allEvents();
      const verdict = judgeRace({
        tabs,
        answered,
        listed: people.filter(({ identity }) => identity === IDENTITY).length,
        turnsMax,
        // Among all other tests a busy machine does not count as a failure, so only outcomes are judged.
        gapMaxMs: size === 'smoke' ? Number.POSITIVE_INFINITY : Math.max(GAP_MAX_MS, GAP_MAX_JOINS * Math.max(0, ...joinsMs)),
      });
      if (!isAnswered) verdict.failures.push('no tab answers at the end');
      return {
        done: 1,
        failures: verdict.failures.map((failure) => `${kind}, ${isAsked ? 'asked' : 'unasked'}: ${failure}`),
        timesMs: {
          'until one is left': [settledMs],
          'longest time without an answer': [verdict.gapMs],
          'two believe to be in the room': [verdict.overlapMs],
        },
        samples: { calls: [answered.length] },
      };
    } finally {
      calls.end();
    }
  }

  return {
    run: race,
    async close() {
      await caller.disconnect();
      await browser.close();
      await site.close();
      await platform.close();
      await sfu.stop();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/** A slice is one race; its seed determines the kind and when each tab begins. */
export const racesPart: ProofPart = {
  name: 'races',
  open: openRaces,
  measured(outcomes) {
    const calls = valuesOf(outcomes, 'samples', 'calls').reduce((sum, count) => sum + count, 0);
    return `${calls.toLocaleString('en-GB')} calls answered meanwhile`;
  },
};
