import RAPIER from '@dimforge/rapier3d-compat';
import { utf8Bytes } from '../../src/protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import { type CaptureJob, createRuntime, type RuntimeFault } from '../../src/runtime/runtime.ts';
import { heapBytesInUse, slopeOf } from '../../tests/client/helpers/heap.ts';
import { createChance } from '../../tests/oracle/chance.ts';
import { oddCall } from './odd-calls.ts';
import { type ProofPart, type SliceOutcome, valuesOf } from './part.ts';

/** Calls of a slice, which is the life of one runtime. Slices alternate between the two profiles. */
const CALLS = { smoke: 1_000, nightly: 125_000, full: 500_000 } as const;
const CALLS_A_STEP = 4;
const STEP_MS = 1000 / 120;
const EPOCH_MS = 1_760_000_000_000;
/** After the last call, running actions may end within this time. They are then cancelled, which may take half a second. */
const LAST_STEPS = 1_200;
const CANCEL_STEPS = 600;
const MEASURED_TIMES = 20;
/** By then everything that a runtime keeps by promise is full. */
const WARM_SHARE = 0.4;
/**
 * A runtime that keeps something of each call keeps hundreds of bytes. The heap varies by half a megabyte, which over a long
 * slice is two bytes a call; a short slice cannot detect it.
 */
const GROWTH_MAX_BYTES_A_CALL = 16;
const JUDGED_FROM_CALLS = 100_000;
const FAILURES_SHOWN = 10;

export const callsPart: ProofPart = {
  name: 'calls',
  async open(size) {
    await RAPIER.init();
    return { run: async (slice) => callAtVolume(slice, CALLS[size]), close: async () => {} };
  },
  measured(outcomes) {
    const [heaps, slopes] = [valuesOf(outcomes, 'samples', 'heapMb'), valuesOf(outcomes, 'samples', 'bytesACall')];
    if (heaps.length === 0) return '';
    const slope = slopes.length > 0 ? `, grows by ${Math.max(...slopes).toFixed(1)} B a call at most` : '';
    return `heap ${Math.min(...heaps).toFixed(1)} to ${Math.max(...heaps).toFixed(1)} MB${slope}`;
  },
};

/** Sends this many calls to one new runtime. An even seed uses the worker's profile. */
export function callAtVolume(seed: number, count: number): SliceOutcome {
  const profile: RuntimeProfile = seed % 2 === 0 ? 'worker' : 'simulator';
  const chance = createChance(seed);
  const failures: string[] = [];
  const fail = (what: string): void => {
    if (failures.length < FAILURES_SHOWN) failures.push(`${profile}: ${what}`);
  };
  let [made, answered, nowMs, ids] = [0, 0, EPOCH_MS, 0];
  const jobs: CaptureJob[] = [];
  const runtime = createRuntime({
    rapier: RAPIER,
    seed,
    productVersion: '0.0.0-proof',
    profile,
    signedControlRequired: false,
    newActionId: () => `made-${++ids}`,
    startCapture: (job) => void jobs.push(job),
    onAction: () => {},
    onFault: ({ thrown }: RuntimeFault) => fail(`call ${made}: a fault, ${thrown instanceof Error ? thrown.stack : thrown}`),
  });
  const waiting = new Map<number, string>();
  const send = (): void => {
    const { method, payload, caller } = oddCall(chance);
    made += 1;
    const number = made;
    const what = (): string => `call ${number}, ${method} ${payload.slice(0, 120)}`;
    waiting.set(number, method);
    runtime.handle({ requestId: `r${number}`, method, payload, callerIdentity: caller, nowMs }, (text) => {
      if (!waiting.delete(number)) fail(`${what()} was answered twice`);
      answered += 1;
      if (utf8Bytes(text) > RPC_PAYLOAD_MAX_BYTES) fail(`${what()} was answered with ${utf8Bytes(text)} bytes`);
      if (typeof JSON.parse(text) !== 'object') fail(`${what()} was answered ${text.slice(0, 120)}`);
    });
  };
  const step = (): void => {
    for (const { actionId } of jobs.splice(0)) runtime.finishCapture(actionId, { ok: true, byteLength: 1 }, nowMs);
    nowMs += STEP_MS;
    runtime.step(nowMs);
  };
  const points: { at: number; value: number }[] = [];
  const measureEvery = Math.ceil(count / MEASURED_TIMES);
  for (let index = 0; index < count; index += 1) {
    send();
    if (made % CALLS_A_STEP === 0) step();
    if (made % measureEvery === 0) points.push({ at: made, value: heapBytesInUse() });
  }
  for (let last = 0; last < LAST_STEPS && waiting.size > 0; last += 1) step();
  runtime.cancelActive(nowMs, { kind: 'robot', what: 'the proof, which ends' });
  for (let last = 0; last < CANCEL_STEPS && waiting.size > 0; last += 1) step();
  for (const [number, method] of waiting) fail(`call ${number}, ${method}, was never answered`);
  if (answered !== count) fail(`${answered} answers to ${count} calls`);
  runtime.dispose();
  const slope = slopeOf(points.filter(({ at }) => at > count * WARM_SHARE));
  const isLong = count >= JUDGED_FROM_CALLS;
  if (isLong && slope > GROWTH_MAX_BYTES_A_CALL) fail(`the heap grows by ${slope.toFixed(1)} bytes a call`);
  return {
    done: count,
    failures,
    samples: { heapMb: points.map(({ value }) => value / 2 ** 20), ...(isLong ? { bytesACall: [slope] } : {}) },
  };
}
