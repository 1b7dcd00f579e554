import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Room, RpcError } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import type { ProofSize } from '../../scripts/docs/proof-catalogue.ts';
import { isAlive } from '../../src/control-service/process-lock.ts';
import { startSfu } from '../../src/launch/sfu.ts';
import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';
import { fitsRpc } from '../../src/protocol/wire/json.ts';
import { slopeOf } from '../../tests/client/helpers/heap.ts';
import { waitUntil } from '../../tests/launch/helpers/processes.ts';
import { createChance } from '../../tests/oracle/chance.ts';
import { runWorker } from '../../tests/worker/helpers/worker-process.ts';
import { oddCall } from './odd-calls.ts';
import { type ProofBench, type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

const CALLS = { smoke: 200, nightly: 2_000, full: 5_000 } as const;
const AT_ONCE = 16;
const IDENTITY = 'rcw-called';
const ROOM = 'calls';
const KEY_TTL_S = 86_400;
/** LiveKit's own answer for a call that it cannot carry. */
const REQUEST_TOO_LARGE = 1402;
const ANSWERED_WITHIN_MS = 60_000;
const MEASURED_WITHIN_MS = 60_000;
const FAILURES_SHOWN = 10;
const PROBE_PROGRAM = pathToFileURL(join(import.meta.dirname, 'heap-probe.mjs')).href;
/** As for calls in process; the calls of the first slices fill the memory that is kept by promise. */
const GROWTH_MAX_BYTES_A_CALL = 64;
const JUDGED_FROM_CALLS = 50_000;
const WARM_SHARE = 0.4;

async function openCalls(size: ProofSize): Promise<ProofBench> {
  const folder = await mkdtemp(join(tmpdir(), 'simplesim-heap-'));
  const sfu = await startSfu({ port: 0 });
  const token = async (identity: string): Promise<string> => {
    const access = new AccessToken(sfu.apiKey, sfu.apiSecret, { identity, ttl: KEY_TTL_S });
    access.addGrant({ roomJoin: true, room: ROOM, canPublishData: true, canSubscribe: true });
    return access.toJwt();
  };
  const worker = runWorker(['--log', 'json', '--seed', '1'], {
    RCW_ROOM_KEY: encodeRoomKey({ sfuUrl: sfu.url, token: await token(IDENTITY) }),
    RCW_RSL_REQUIRED: 'false',
    HEAP_PROBE_DIR: folder,
    NODE_OPTIONS: `--expose-gc --import ${PROBE_PROGRAM}`,
  });
  await Promise.all([worker.logged('robot_ready'), worker.logged('robot_joined')]);
  const pid = Number((await worker.logged('robot_starts')).pid);
  const room = new Room();
  await room.connect(sfu.url, await token('client:stranger'), { autoSubscribe: false, dynacast: false });

  async function memory(): Promise<{ heapBytes: number; residentBytes: number }> {
    const file = join(folder, String(pid));
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    await waitUntil(() => existsSync(file), 'the measurement of the heap', MEASURED_WITHIN_MS);
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  return {
    async run(slice): Promise<SliceOutcome> {
      const chance = createChance(slice);
      const failures: string[] = [];
      const timesMs: number[] = [];
      const fail = (what: string): void => {
        if (failures.length < FAILURES_SHOWN) failures.push(what);
      };
      let [left, answered, notCarried] = [CALLS[size] as number, 0, 0];
      const caller = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const { method, payload } = oddCall(chance);
          const what = `${method} ${payload.slice(0, 120)}`;
          const request = { destinationIdentity: IDENTITY, method, payload, responseTimeout: ANSWERED_WITHIN_MS };
          const askedAtMs = performance.now();
          try {
            const reply = (await room.localParticipant?.performRpc(request)) ?? '';
            timesMs.push(performance.now() - askedAtMs);
            answered += 1;
            if (!fitsRpc(reply) || typeof JSON.parse(reply) !== 'object') fail(`${what} was answered ${reply.slice(0, 120)}`);
          } catch (error) {
            if (error instanceof RpcError && error.code === REQUEST_TOO_LARGE && !fitsRpc(payload)) notCarried += 1;
            else fail(`${what}: ${error}`);
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, caller));
      if (answered + notCarried !== CALLS[size]) fail(`${answered + notCarried} answers to ${CALLS[size]} calls`);
      if (!isAlive(pid)) throw new Error('the process of the robot ended');
      const { heapBytes, residentBytes } = await memory();
      return {
        done: CALLS[size],
        failures,
        // All times would fill the disk, so each slice keeps the largest and the median.
        timesMs: { 'an answer': [median(timesMs), Math.max(0, ...timesMs)] },
        samples: { heapBytes: [heapBytes], residentBytes: [residentBytes] },
      };
    },
    async close() {
      await room.disconnect();
      worker.child.kill('SIGTERM');
      await worker.exit;
      await sfu.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Bytes by which the heap may grow per call, after the first slices. */
function growth(outcomes: readonly SliceOutcome[]): number | null {
  if (outcomes.reduce((sum, { done }) => sum + done, 0) < JUDGED_FROM_CALLS) return null;
  const heaps = valuesOf(outcomes, 'samples', 'heapBytes');
  const points = heaps.map((value, index) => ({
    at: outcomes.slice(0, index + 1).reduce((sum, { done }) => sum + done, 0),
    value,
  }));
  return slopeOf(points.slice(Math.floor(points.length * WARM_SHARE)));
}

/** A slice is some thousand calls to one process of a robot, which lives through all slices. */
export const sfuCallsPart: ProofPart = {
  name: 'sfu-calls',
  isOneBench: true,
  open: openCalls,
  measured(outcomes) {
    const mb = (name: string): string => {
      const values = valuesOf(outcomes, 'samples', name).map((bytes) => bytes / 2 ** 20);
      return `${values[0]?.toFixed(1)} MB after the first slice, ${values.at(-1)?.toFixed(1)} MB after the last`;
    };
    const slope = growth(outcomes);
    return `heap ${mb('heapBytes')}; resident ${mb('residentBytes')}${slope === null ? '' : `; the heap grows by ${slope.toFixed(1)} B a call`}`;
  },
  verdict(outcomes) {
    const slope = growth(outcomes);
    return slope !== null && slope > GROWTH_MAX_BYTES_A_CALL
      ? [`the heap of the robot grows by ${slope.toFixed(1)} bytes a call`]
      : [];
  },
};
