import { type Chance, createChance } from '../oracle/chance.ts';
import { type PendingCall, startAt } from '../runtime/test-runtime.ts';
import { createWatch, type Motion } from './stops-watch.ts';
import type { PromiseSuite, SeedOutcome } from './suite.ts';

/** Timed drives and streams of them from one client or two, judged only from the trajectory. */

/** The middle of the widest free floor: nothing within 1.4 m. */
const FREE = { x: 3.2, y: -2 };
const WAY_MAX_M = 1.1;
/** Between ordinary acceleration, 1.5 m/s² and 3 rad/s², and the braking of a stop, 3.3 of both: change per step. */
const BRAKES_MPS = 0.018;
const JERKS_RPS = 0.031;
const PERIOD_STEPS = 6;

export const drives: PromiseSuite = {
  name: 'drives',
  promises: ['P7', 'P9'],
  title: 'timed drives end on their own clock, streams of drives move without a break',
  seeds: { smoke: 10, full: 500 },
  async run(seed) {
    const chance = createChance(seed);
    return seed % 2 === 0 ? stream(chance) : timed(chance);
  },
  summary: ({ late_steps: late = [], stream_calls: calls = [] }) =>
    `${late.length} ends, at most ${Math.max(0, ...late)} steps late; ${calls.reduce((sum, n) => sum + n, 0)} streamed drives`,
};

/** The first step after `from` in which the base slows down as only a stop does; null if there is none. */
function brakingStep(motions: readonly Motion[], from: number): number | null {
  for (let i = 1; i < motions.length; i += 1) {
    const [before, now] = [motions[i - 1], motions[i]];
    if (before && now && now.step > from && before.linearMps - now.linearMps > BRAKES_MPS) return now.step;
  }
  return null;
}

async function timed(chance: Chance): Promise<SeedOutcome> {
  const t = await startAt(FREE.x, FREE.y, chance.between(-180, 180));
  const watch = createWatch(t);
  watch.step(20);
  const durationS = chance.between(0.35, 2);
  const speed = Math.min(1.5, WAY_MAX_M / durationS);
  const heading = chance.between(-Math.PI, Math.PI);
  const input = {
    vx: speed * Math.cos(heading),
    vy: speed * Math.sin(heading),
    wz: chance.between(-1.2, 1.2),
    duration_s: durationS,
  };
  const from = watch.now().truth.step;
  t.start('set_velocity', input, {}, 'somebody who is gone');
  watch.step(Math.round(durationS * 120) + 120);
  const what = `set_velocity ${JSON.stringify(input)}`;
  const due = from + Math.round(durationS * 120);
  const braking = brakingStep(watch.motions, from);
  if (braking === null) return { cases: 1, failures: [`${what} never ends`] };
  const late = braking - 1 - due;
  const failures = Math.abs(late) <= 1 ? [] : [`${what} brakes ${late} steps after its time`];
  failures.push(...standsAtEnd(watch.motions, what));
  return { cases: 1, failures, samples: { late_steps: [late] } };
}

function standsAtEnd(motions: readonly Motion[], what: string): string[] {
  const tail = motions.slice(-60);
  const fast = tail.find(({ linearMps, yawRateRps }) => linearMps >= 0.02 || yawRateRps >= 0.05);
  return fast ? [`${what} still moves at ${fast.linearMps.toFixed(3)} m/s after its end`] : [];
}

async function stream(chance: Chance): Promise<SeedOutcome> {
  const t = await startAt(FREE.x, FREE.y, chance.between(-180, 180));
  const watch = createWatch(t);
  watch.step(20);
  const clients = chance.oneOf([['stick'], ['stick', 'other']]);
  const wanted = clients.map(() => ({ vx: chance.between(0.35, 0.7), wz: chance.between(0.9, 1.4) }));
  const count = 20 + chance.below(40);
  const what = `a stream of ${count} drives from ${clients.length} clients`;
  const failures: string[] = [];
  const calls: { id: string; call: PendingCall }[] = [];
  for (let number = 0; number < count; number += 1) {
    const who = number % clients.length;
    const { vx, wz } = wanted[who] ?? { vx: 0.4, wz: 1 };
    const id = `drive-${number}`;
    const input = { vx: vx + chance.between(-0.05, 0.05), wz };
    const call = t.start('set_velocity', input, { action_id: id }, clients[who]);
    const earlier = calls.at(-1);
    const error = earlier?.call.reply?.error;
    if (earlier && (error?.code !== 'CANCELLED' || error.details.superseded_by !== id)) {
      failures.push(`${what}: ${earlier.id} is answered ${JSON.stringify(earlier.call.reply)} when ${id} takes over`);
    }
    calls.push({ id, call });
    if (number < count - 1) watch.step(PERIOD_STEPS);
  }
  const lastFrom = watch.now().truth.step;
  for (let i = 1; i < watch.motions.length; i += 1) {
    const [before, now] = [watch.motions[i - 1], watch.motions[i]];
    if (!before || !now) continue;
    const linear = before.linearMps - now.linearMps;
    const turning = Math.abs(before.yawRateRps - now.yawRateRps);
    if (linear > BRAKES_MPS || turning > JERKS_RPS) {
      failures.push(`${what}: a break of ${linear.toFixed(3)} m/s and ${turning.toFixed(3)} rad/s at step ${now.step}`);
      break;
    }
  }
  const last = calls.at(-1);
  watch.stepUntil(() => (last?.call.replies ?? 1) > 0, 600);
  watch.step(60);
  const braking = brakingStep(watch.motions, lastFrom);
  const late = braking === null ? Number.NaN : braking - 1 - (lastFrom + 60);
  if (!(Math.abs(late) <= 1)) failures.push(`${what}: the last one brakes ${late} steps after its time`);
  if (last?.call.reply?.status !== 'done') failures.push(`${what}: the last one answers ${JSON.stringify(last?.call.reply)}`);
  const answered = calls.filter(({ call }) => call.replies === 1).length;
  if (answered !== count) failures.push(`${what}: ${answered} are answered once`);
  failures.push(...standsAtEnd(watch.motions, what));
  return { cases: 1, failures, samples: { late_steps: [late], stream_calls: [count] } };
}
