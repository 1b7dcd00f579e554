import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { utf8Bytes } from '../../src/protocol/wire/json.ts';
import { RPC_PAYLOAD_MAX_BYTES } from '../../src/protocol/wire/limits.ts';
import { conveyors } from '../../src/simulation/fixtures.ts';
import { createChance } from '../oracle/chance.ts';
import { isOnBelt } from '../oracle/places.ts';
import type { MovableTruth } from '../oracle/truth.ts';
import { createTestRuntime, entity, type TestRuntime } from '../runtime/test-runtime.ts';
import { createAsker, type DriverFacts, ratesText, ratesVerdict } from './asks.ts';
import type { PromiseSuite, Samples, SuiteSize } from './suite.ts';

/** How many deliveries a session has, and after which of them it is measured. */
const DELIVERIES: Record<SuiteSize, number> = { smoke: 40, full: 1_000 };
const MEASURED_AT: Record<SuiteSize, readonly number[]> = { smoke: [1, 20, 40], full: [1, 100, 1_000] };
/** A cube that is lost on the way costs one more attempt; this many are too many. */
const MOST_FAILED = 10;
/** The row of the belt is complete when a robot comes back for the next cube. */
const LEAST_ON_BELT = 5;
/** Maximum difference of memory between two measurements of a session that keeps nothing: the heap varies. */
const HEAP_BREATHES_MB = 4;
const LISTED = 12;

/** The measured values, each with its words. */
const MEASURES = {
  sceneBytes: (value: number) => `scene_state ${value} B`,
  stateBytes: (value: number) => `state ${value} B`,
  bodies: (value: number) => `${value} bodies`,
  colliders: (value: number) => `${value} colliders`,
  physicsBytes: (value: number) => `physics ${(value / 1024).toFixed(1)} KiB`,
  entries: (value: number) => `${value} entries in maps, sets and lists of the world`,
  heapMb: (value: number) => `heap ${value.toFixed(1)} MB`,
  wasmMb: (value: number) => `outside the heap ${value.toFixed(1)} MB`,
} as const;
type Measure = keyof typeof MEASURES;
const NAMES = Object.keys(MEASURES) as Measure[];
/** These must be constant, whatever was delivered before. */
const CONSTANT: readonly Measure[] = ['bodies', 'colliders', 'entries'];

/**
 * One long session: the next cube of the belt to the pad of its colour, again and again. Every call is judged, and memory is
 * measured.
 */
export const deliveries: PromiseSuite = {
  name: 'deliveries',
  promises: ['P1', 'P2'],
  title: 'a session of deliveries: each collected, the scene small, memory flat, the belt never empty',
  seeds: { smoke: 1, full: 1 },
  async run(seed, size) {
    const chance = createChance(seed);
    const t = await createTestRuntime({ seed });
    const asker = createAsker(t);
    let delivered = 0;
    for (let attempts = 0; delivered < DELIVERIES[size] && attempts < DELIVERIES[size] + MOST_FAILED; attempts += 1) {
      if (!deliverNext(t, asker, chance.below(3))) continue;
      delivered += 1;
      judgeListed(t, asker, delivered);
      forgetReported(t);
      if (MEASURED_AT[size].includes(delivered)) measure(t, asker, delivered);
    }
    if (delivered < DELIVERIES[size]) asker.failures.push(`only ${delivered} of ${DELIVERIES[size]} cubes were delivered`);
    t.runtime.dispose();
    return { cases: asker.cases, failures: asker.failures, samples: asker.samples };
  },
  summary: (samples) =>
    `feasible: ${ratesText(samples)}; ${marks(samples)
      .map((at) => reported(samples, at))
      .join('; ')}`,
  verdict: (samples) => [...ratesVerdict(samples), ...grown(samples)],
};

/** @param place in the row, from the near end. @returns whether the cube was delivered */
function deliverNext(t: TestRuntime, asker: DriverFacts, place: number): boolean {
  const { layout } = t.core.world.scene;
  const row = [...asker.witness.now().things.values()]
    .filter((cube) => cube.joints === 0 && isOnBelt(layout, cube))
    .sort((a, b) => a.y - b.y);
  if (row.length < LEAST_ON_BELT) asker.failures.push(`call ${asker.cases}: only ${row.length} cubes are on the belt`);
  const cube: MovableTruth | undefined = row[place] ?? row[0];
  const pad = layout.pads.find(({ color, role }) => role === 'destination' && color === cube?.colour);
  if (!cube || !pad) return false;
  const ok = (name: string, id: string): boolean =>
    asker.ask(name, entity(id), { feasible: `${name} on a delivery` }).status === 'done';
  return ok('go_to', cube.id) && ok('pick_entity', cube.id) && ok('go_to', pad.pad_id) && ok('place_entity', pad.pad_id);
}

function judgeListed(t: TestRuntime, asker: DriverFacts, delivered: number): void {
  const { entities } = t.read('runtime.scene_state', { kinds: ['cube'], visible: false });
  const listed = Object.values<{ state: { collected?: boolean } }>(entities).filter(({ state }) => state.collected).length;
  const counts = t.read('runtime.state').robot.extra.sort_benchmark;
  if (listed !== Math.min(LISTED, delivered)) asker.failures.push(`${listed} collected cubes are listed after ${delivered}`);
  if (counts.correct_count !== delivered || counts.collected_count !== delivered)
    asker.failures.push(`${delivered} were delivered, the counts say ${JSON.stringify(counts)}`);
}

/** Forgets the records of the test's own listeners, which do not belong to the runtime. */
function forgetReported({ records, accepted, ended, jobs }: TestRuntime): void {
  for (const list of [records, accepted, ended, jobs]) list.length = 0;
}

function measure(t: TestRuntime, asker: DriverFacts, delivered: number): void {
  const { world, overlay } = t.core;
  const { things, colliderIds, benchmark, collection, events, physics } = world;
  const lists = [things.all, ...conveyors(world).map(({ row }) => row), events, overlay.path];
  const sets = [things.byId, colliderIds, benchmark.alreadyThere, benchmark.spoiled];
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const now: Record<Measure, number> = {
    sceneBytes: utf8Bytes(JSON.stringify(t.read('runtime.scene_state'))),
    stateBytes: utf8Bytes(JSON.stringify(t.read('runtime.state'))),
    bodies: physics.bodies.len(),
    colliders: physics.colliders.len(),
    physicsBytes: physics.takeSnapshot().length,
    // Without the listed ones and the pads counted, of which the first measurement has fewer.
    entries: lists.reduce((sum, { length }) => sum + length, 0) + sets.reduce((sum, { size }) => sum + size, 0),
    heapMb: heapUsed / 2 ** 20,
    wasmMb: external / 2 ** 20,
  };
  if (collection.listed.length > LISTED || collection.sinceArmed.size > 4) asker.failures.push('collected cubes pile up');
  for (const name of NAMES) asker.samples[`${name} at ${delivered}`] = [now[name]];
}

/** A measurement of the heap must count only memory that is still in use. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

const marks = (samples: Samples): number[] =>
  Object.keys(samples)
    .filter((key) => key.startsWith('bodies at '))
    .map((key) => Number(key.slice('bodies at '.length)))
    .sort((a, b) => a - b);

const measured = (samples: Samples, name: Measure, at: number): number => samples[`${name} at ${at}`]?.[0] ?? Number.NaN;

const reported = (samples: Samples, at: number): string =>
  `at ${at}: ${NAMES.map((name) => MEASURES[name](measured(samples, name, at))).join(', ')}`;

function grown(samples: Samples): string[] {
  const [first = 0, middle = 0, last = 0] = marks(samples);
  const breaches: string[] = [];
  for (const at of [first, middle, last]) {
    const bytes = measured(samples, 'sceneBytes', at);
    if (!(bytes <= RPC_PAYLOAD_MAX_BYTES)) breaches.push(`scene_state has ${bytes} bytes at ${at}`);
    for (const name of CONSTANT) {
      const [value, begun] = [measured(samples, name, at), measured(samples, name, first)];
      if (value !== begun) breaches.push(`${name} were ${begun} at ${first} and are ${value} at ${at}`);
    }
  }
  const more = measured(samples, 'heapMb', last) - measured(samples, 'heapMb', middle);
  if (!(more < HEAP_BREATHES_MB)) breaches.push(`the heap grew by ${more.toFixed(1)} MB from ${middle} to ${last}`);
  return breaches;
}
