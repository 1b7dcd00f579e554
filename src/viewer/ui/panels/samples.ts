import type { RuntimeState } from '../../../protocol/wire/state.ts';
import type { Engine } from '../../engine/types.ts';

/** The stored values of one reading of the state. */
export interface Sample {
  /** Wall clock, milliseconds since the epoch. */
  atMs: number;
  /** Commanded speed over the floor, m/s. */
  commandedMps: number | null;
  /** Measured speed, m/s, from positions and simulated times. */
  measuredMps: number | null;
  realTimeFactor: number | null;
  /** Remaining path, metres; null while the robot is not walking to a goal. */
  remainingM: number | null;
}

const SAMPLE_KEYS = ['commandedMps', 'measuredMps', 'realTimeFactor', 'remainingM'] as const;
export type SampleKey = (typeof SAMPLE_KEYS)[number];

/** Length of the stored past. */
export const SAMPLED_MS = 60_000;
/** Ten readings a second arrive; this is slightly more than a minute of them. */
const CAPACITY = 640;
/** Over a shorter simulated time, a speed would be mostly rounding error. */
const SPEED_OVER_S = 0.15;

/** The last minute of readings, in a ring of fixed size outside of React's state. */
export class Samples {
  readonly #ring: (Sample | undefined)[] = new Array<Sample | undefined>(CAPACITY).fill(undefined);
  #count = 0;
  #before: { simTimeS: number; x: number; y: number } | null = null;
  #measuredMps: number | null = null;

  /** Adds a reading. @param nowMs milliseconds since the epoch */
  add({ robot, timestamp }: RuntimeState, realTimeFactor: number, nowMs: number): void {
    const { command, nav } = robot.extra;
    this.#measure(timestamp.sim_time_s, robot.pose.position[0], robot.pose.position[1]);
    this.#ring[this.#count % CAPACITY] = {
      atMs: nowMs,
      commandedMps: Math.hypot(command.vx, command.vy),
      measuredMps: this.#measuredMps,
      realTimeFactor,
      remainingM: nav.active ? (nav.remaining_m ?? null) : null,
    };
    this.#count += 1;
  }

  #measure(simTimeS: number, x: number, y: number): void {
    const before = this.#before;
    // A restarted scene has placed the robot elsewhere, which does not count as motion.
    if (!before || simTimeS < before.simTimeS) {
      this.#before = { simTimeS, x, y };
      this.#measuredMps = null;
      return;
    }
    const spanS = simTimeS - before.simTimeS;
    if (spanS < SPEED_OVER_S) return;
    this.#measuredMps = Math.hypot(x - before.x, y - before.y) / spanS;
    this.#before = { simTimeS, x, y };
  }

  /** Increases with every reading. */
  get version(): number {
    return this.#count;
  }

  /** Returns the readings since a time, oldest first. @param nowMs milliseconds since the epoch */
  recent(nowMs: number): readonly Sample[] {
    const kept: Sample[] = [];
    for (let i = Math.max(0, this.#count - CAPACITY); i < this.#count; i += 1) {
      const sample = this.#ring[i % CAPACITY];
      if (sample && sample.atMs >= nowMs - SAMPLED_MS) kept.push(sample);
    }
    return kept;
  }
}

/** Returns the last, smallest and largest value of one kind of reading; null without readings. */
export function summaryOf(samples: readonly Sample[], key: SampleKey): { last: number | null; min: number; max: number } | null {
  const values = samples.map((sample) => sample[key]).filter((value) => value !== null);
  if (values.length === 0) return null;
  return { last: samples.at(-1)?.[key] ?? null, min: Math.min(...values), max: Math.max(...values) };
}

const known = new WeakMap<Engine, Samples>();

/** Returns the readings of an engine. They are taken from the first call onwards. */
export function samplesOf(engine: Engine): Samples {
  const present = known.get(engine);
  if (present) return present;
  const samples = new Samples();
  known.set(engine, samples);
  engine.store.subscribe(({ runtime, realTimeFactor }, before) => {
    if (runtime && runtime !== before.runtime) samples.add(runtime, realTimeFactor, Date.now());
  });
  return samples;
}
