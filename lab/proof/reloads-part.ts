import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Client } from '../../src/client/index.ts';
import { startPlatform } from '../../src/launch/platform.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { runtimeIdentity } from '../../src/protocol/wire/identity.ts';
import { layDatabase } from '../../tests/control-service/helpers/pglite-image.ts';
import { becomes, watchWorlds } from '../../tests/e2e/support/kept-worlds.ts';
import { WireParticipant } from '../../tests/e2e/support/wire-participant.ts';
import { type Chance, createChance } from '../../tests/oracle/chance.ts';
import { launchBrowser } from './browser.ts';
import { type ProofBench, type ProofPart, type SliceOutcome, timesOf, valuesOf } from './part.ts';

const KEY_TTL_S = 21_600;
const BACK_WITHIN_MS = 120_000;
const MISSING_MAX_MS = 1_000;
/** How long an agent works before its page closes. */
const WORKS_FOR_MS = [300, 6_000] as const;
const PADS = ['pad_A', 'pad_B', 'pad_C', 'pad_D', 'pad_E'] as const;
const entity = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });

/** Lets an agent work until its page closes: after any answer it makes the next call. */
function startWork(caller: WireParticipant, chance: Chance): { end(): void } {
  let isOver = false;
  const invoke = (name: string, input: unknown) => caller.invoke(name, input).catch(() => null);
  void (async () => {
    while (!isOver) {
      const pad = chance.oneOf(PADS);
      await chance.oneOf([
        async () => {
          const picked = await invoke('pick_entity', entity('cube'));
          if (picked?.status !== 'done') await invoke('go_to', entity(picked?.error?.code === 'HANDS_FULL' ? pad : 'pad_A'));
        },
        () => invoke('place_entity', {}),
        () => invoke('go_to', entity(pad)),
        () => invoke('set_velocity', { vx: chance.between(-80, 120) / 100, wz: chance.between(-100, 100) / 100, duration_s: 1 }),
        () => invoke('set_head', { yaw: chance.between(-100, 100) / 100 }),
        () =>
          chance.between(0, 10) < 1
            ? invoke('reset', { seed: Math.floor(chance.between(0, 1_000_000)) })
            : invoke('look_at', entity(pad)),
      ])();
    }
  })();
  return {
    end() {
      isOver = true;
    },
  };
}

/** How the page closes and returns. */
const WAYS = ['a reload', 'another page and back', 'a crash'] as const;

async function openReloads(): Promise<ProofBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-reloads-'));
  await layDatabase(dataDir);
  const { LIVEKIT_URL: _url, ...env } = process.env;
  const platform = await startPlatform({ port: 0, dataDir, env: { ...env, SIMPLESIM_SFU_PORT: '0' }, onProgress: () => {} });
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { robot } = await client.robots.create({ name: 'reloads', model: 'simplesim-humanoid-1' });
  await client.robots.createSession(robot.id, { workerNames: [] });
  const tokenOf = async (participantIdentity: string): Promise<string> =>
    (await client.robots.createParticipantToken(robot.id, { participantIdentity, ttlS: KEY_TTL_S })).participant_token;
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 640, height: 400 } });
  const key = encodeRoomKey({ sfuUrl: platform.livekitUrl, token: await tokenOf(runtimeIdentity('simulator', robot.id)) });
  const link = `${platform.viewerUrl}/?key=${key}`;
  const openPage = async (): Promise<Page> => {
    const opened = await context.newPage();
    await opened.goto(link);
    return opened;
  };
  let page = await openPage();
  const witness = await context.newPage();
  await witness.goto(`${platform.viewerUrl}/third-party-notices.txt`);
  const caller = await WireParticipant.join(platform.livekitUrl, await tokenOf('agent'));
  await caller.ready();

  /** @returns when it was asked to close */
  async function goAndComeBack(way: (typeof WAYS)[number]): Promise<number> {
    const goneAtMs = Date.now();
    if (way === 'a reload') await page.reload();
    else if (way === 'another page and back') {
      await page.goto('about:blank');
      await page.goBack();
    } else {
      const crashed = page.waitForEvent('crash');
      const cdp = await page.context().newCDPSession(page);
      void cdp.send('Page.crash').catch(() => undefined);
      await crashed;
      const old = page;
      // A crashed page cannot be reloaded from outside, so its link is opened again.
      page = await openPage();
      await old.close();
    }
    return goneAtMs;
  }

  async function run(slice: number): Promise<SliceOutcome> {
    const chance = createChance(slice);
    const worlds = watchWorlds(witness, BACK_WITHIN_MS);
    const work = startWork(caller, chance);
    await after(chance.between(...WORKS_FOR_MS));
    const way = chance.oneOf(WAYS);
    work.end();
    const goneAtMs = await goAndComeBack(way);
    const { before, next } = await worlds.change();
    await caller.ready();
    const unread = await worlds.end();
    if (unread !== null || !before.kept || !next.kept) return { done: 1, failures: [`${way}: ${unread ?? 'no world is kept'}`] };
    const failures: string[] = [];
    const problem = await becomes(before.kept, next.kept);
    if (problem !== null) failures.push(`${way}: ${problem}`);
    const missingMs = Math.max(0, goneAtMs - before.savedAtMs);
    if (missingMs > MISSING_MAX_MS) failures.push(`${way}: ${missingMs} ms are missing`);
    return { done: 1, failures, timesMs: { missing: [missingMs], back: [next.savedAtMs - goneAtMs] } };
  }

  return {
    run,
    async close() {
      await caller.leave();
      await browser.close();
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const reloadsPart: ProofPart = {
  name: 'reloads',
  open: openReloads,
  measured(outcomes) {
    const { median, max } = timesOf(valuesOf(outcomes, 'timesMs', 'missing'));
    return `Missing after a page went away: ${median.toFixed(0)} ms at the median, ${max.toFixed(0)} ms at most.`;
  },
};
