import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { SignalRequest, SimulateScenario } from '@livekit/protocol';
import type { ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { Client } from '../../src/client/index.ts';
import { startPlatform } from '../../src/launch/platform.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { runtimeIdentity } from '../../src/protocol/wire/identity.ts';
import { slopeOf } from '../../tests/client/helpers/heap.ts';
import { startBareBrowser } from '../../tests/e2e/support/bare-browser.ts';
import { streamCalls } from '../../tests/e2e/support/call-stream.ts';
import { WireParticipant } from '../../tests/e2e/support/wire-participant.ts';
import { waitUntil } from '../../tests/launch/helpers/processes.ts';
import { createChance } from '../../tests/oracle/chance.ts';
import { startSfuLink } from '../../tests/sfu-link/sfu-link.ts';
import { watchPageMemory } from './page-memory.ts';
import { type ProofBench, type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** Calls of each slice; the rest of its minute is for the fault and the recovery. */
const CALLS_FOR_MS = { smoke: 3_000, nightly: 40_000, full: 40_000 } as const;
const MINUTE_MS = { smoke: 0, nightly: 60_000, full: 60_000 } as const;
const KEY_TTL_S = 21_600;
const BACK_WITHIN_MS = 60_000;
const REAL_TIME_FACTOR_MIN = 0.95;
/** A page that keeps something every minute grows by more; normal heaps vary by less over half an hour. */
const HEAP_GROWTH_MAX_MB_A_MINUTE = 0.1;
const JUDGED_FROM_MINUTES = 30;
const WARM_SHARE = 0.25;

async function openSoak(size: ProofSize): Promise<ProofBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-soak-'));
  const { LIVEKIT_URL: _url, ...env } = process.env;
  const platform = await startPlatform({ port: 0, dataDir, env: { ...env, SIMPLESIM_SFU_PORT: '0' }, onProgress: () => {} });
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  const { robot } = await client.robots.create({ name: 'soak', model: 'simplesim-humanoid-1' });
  await client.robots.createSession(robot.id, { workerNames: [] });
  const link = await startSfuLink(platform.livekitUrl);
  const tokenOf = async (participantIdentity: string): Promise<string> =>
    (await client.robots.createParticipantToken(robot.id, { participantIdentity, ttlS: KEY_TTL_S })).participant_token;
  const bare = await startBareBrowser();
  const page = await bare.context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`uncaught ${error.message}`));
  const key = encodeRoomKey({ sfuUrl: link.url, token: await tokenOf(runtimeIdentity('simulator', robot.id)) });
  await page.goto(`${platform.viewerUrl}/?key=${key}`);
  const join_ = async (): Promise<WireParticipant> => WireParticipant.join(platform.livekitUrl, await tokenOf('soaker'));
  const first = await join_();
  await first.ready();
  const cover = await bare.context.newPage();
  await cover.goto('about:blank');
  await cover.bringToFront();
  await waitUntil(
    async () => (await first.call('runtime.state')).robot.extra.sim.hidden,
    'the page to be hidden',
    BACK_WITHIN_MS,
  );
  await first.leave();
  const memory = await watchPageMemory(bare.browser, page);

  const report = (scenario: SimulateScenario['scenario']): void =>
    link.sendToSfu(new SignalRequest({ message: { case: 'simulate', value: new SimulateScenario({ scenario }) } }));
  /** The faults, one a minute, each repaired when its promise settles. */
  const FAULTS: [what: string, bringAbout: () => Promise<void>][] = [
    ['the connections broke', async () => link.drop()],
    [
      'the SFU was killed',
      async () => {
        process.kill(platform.sfuPid ?? 0, 'SIGKILL');
        await waitUntil(() => platform.sfuPid === null, 'the SFU to end', BACK_WITHIN_MS);
        await waitUntil(() => platform.sfuPid !== null, 'the SFU to be back', BACK_WITHIN_MS);
      },
    ],
    [
      'nothing passed for 3 s',
      async () => {
        link.set({ silent: 'both' });
        await after(3_000);
        link.set({ silent: 'neither' });
      },
    ],
    [
      'a fifth of the packets was lost for 3 s',
      async () => {
        link.set({ lossRatio: 0.2, delayMs: 100 });
        await after(3_000);
        link.set({ lossRatio: 0, delayMs: 0 });
      },
    ],
    ['the server sent a leave message', async () => report({ case: 'serverLeave', value: true })],
    ['the room moved', async () => report({ case: 'migration', value: true })],
  ];

  return {
    async run(slice): Promise<SliceOutcome> {
      const beganAtMs = performance.now();
      const failures: string[] = [];
      const caller = await join_();
      const read = async () => (await caller.call('runtime.state')) as Reading;
      const from = await read();
      const stream = await streamCalls(caller, CALLS_FOR_MS[size]);
      const to = await read();
      await caller.leave();
      failures.push(...stream.problems, ...problems.splice(0));
      const factor =
        ((to.timestamp.sim_time_s - from.timestamp.sim_time_s) * 1_000) /
        (to.timestamp.wall_time_ms - from.timestamp.wall_time_ms);
      if (!to.robot.extra.sim.hidden) failures.push('the page is not hidden');
      if (size !== 'smoke' && factor < REAL_TIME_FACTOR_MIN)
        failures.push(`the hidden page keeps ${factor.toFixed(3)} of real time`);
      const [what, bringAbout] = createChance(slice).oneOf(FAULTS);
      await bringAbout();
      const overAtMs = performance.now();
      await waitUntil(() => join_().then(answers, () => false), `an answer after ${what}`, BACK_WITHIN_MS);
      const backMs = performance.now() - overAtMs;
      const { heapBytes, residentBytes, threads } = await memory();
      await after(MINUTE_MS[size] - (performance.now() - beganAtMs));
      return {
        done: 1,
        cases: stream.sent,
        failures: failures.map((failure) => `${what}: ${failure}`),
        timesMs: { 'back after a fault, with the join of the caller': [backMs] },
        samples: { heapBytes: [heapBytes], residentBytes: [residentBytes], threads: [threads], factor: [factor] },
      };
    },
    async close() {
      await bare.stop();
      await link.close();
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

interface Reading {
  timestamp: { sim_time_s: number; wall_time_ms: number };
  robot: { extra: { sim: { hidden: boolean } } };
}

/** Whether the robot answers this participant, which leaves afterwards. */
async function answers(caller: WireParticipant): Promise<boolean> {
  try {
    return await caller.call('runtime.state', {}, 1_000).then(
      (reply) => reply.robot !== undefined,
      () => false,
    );
  } finally {
    await caller.leave();
  }
}

/** A slice is a minute of a hidden page that lives through all slices. */
export const soakPart: ProofPart = {
  name: 'soak',
  isOneBench: true,
  open: openSoak,
  measured(outcomes) {
    const mb = (name: string): string => {
      const values = valuesOf(outcomes, 'samples', name).map((bytes) => bytes / 2 ** 20);
      return `${values[0]?.toFixed(1)} MB after the first minute, ${values.at(-1)?.toFixed(1)} MB at the end`;
    };
    const factors = valuesOf(outcomes, 'samples', 'factor');
    const least = factors.length > 0 ? Math.min(...factors).toFixed(3) : '';
    return `heaps of page and workers ${mb('heapBytes')}; resident ${mb('residentBytes')}; at least ${least} of real time`;
  },
  verdict(outcomes) {
    const heaps = valuesOf(outcomes, 'samples', 'heapBytes');
    if (heaps.length < JUDGED_FROM_MINUTES) return [];
    const points = heaps.map((value, at) => ({ at, value: value / 2 ** 20 })).slice(Math.floor(heaps.length * WARM_SHARE));
    const slope = slopeOf(points);
    return slope > HEAP_GROWTH_MAX_MB_A_MINUTE ? [`the heaps of the page grow by ${slope.toFixed(2)} MB a minute`] : [];
  },
};
