import { type Chance, createChance } from '../oracle/chance.ts';
import { isOnBelt, restingPad } from '../oracle/places.ts';
import type { MovableTruth, Truth } from '../oracle/truth.ts';
import { createTestRuntime, entity, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { count, createAsker, type DriverFacts, ratesText, ratesVerdict } from './asks.ts';
import type { PromiseSuite } from './suite.ts';

const CUBES_PER_SEED = 5;
const ROW_SETTLES_WITHIN_S = 12;

/**
 * The judge's own count: cubes that lie still on a destination pad, less those that lay there when the count was armed, and the
 * correct deliveries that were collected since.
 */
interface Tally {
  /** Lay on a destination pad or loose when the count was armed, and were not taken since. */
  armedWith: Set<string>;
  spoiled: Set<string>;
  /** Whether correct deliveries are collected. */
  collects: boolean;
  /** The number of collected ones, by pad. */
  collected: Map<string, number>;
}

const cubesOf = (truth: Truth): MovableTruth[] => [...truth.things.values()];

/** Row of the belt, near end first. */
const rowOf = (t: TestRuntime, truth: Truth): MovableTruth[] =>
  cubesOf(truth)
    .filter((cube) => cube.joints === 0 && isOnBelt(t.core.world.scene.layout, cube))
    .sort((a, b) => a.y - b.y);

/**
 * Sorts a few cubes as an agent would, sometimes wrongly, and compares every count and every move of the belt with the bodies.
 */
export const sorting: PromiseSuite = {
  name: 'sorting',
  promises: ['P1', 'P2'],
  title: 'belt and sorting count: rows move up, ids are new, counts match the resting cubes',
  seeds: { smoke: 3, full: 120 },
  async run(seed) {
    const chance = createChance(seed);
    const t = await createTestRuntime({ seed });
    const asker = createAsker(t);
    const everSeen = new Set(cubesOf(asker.witness.now()).map(({ id }) => id));
    let tally: Tally = { armedWith: new Set(), spoiled: new Set(), collects: true, collected: new Map() };
    for (let round = 0; round < CUBES_PER_SEED; round += 1) {
      if (chance.happens(0.15)) tally = arm(t, asker, chance);
      sortOne(t, asker, chance, tally);
      judgeNewIds(asker, everSeen);
    }
    t.runtime.dispose();
    return { cases: asker.cases, failures: asker.failures, samples: asker.samples };
  },
  summary: (samples) => `feasible: ${ratesText(samples)}; cubes sorted ${samples.sorted?.length ?? 0}`,
  verdict: ratesVerdict,
};

function arm(t: TestRuntime, asker: DriverFacts, chance: Chance): Tally {
  const collects = chance.happens(0.5);
  asker.ask('configure_benchmark', { benchmark: { enabled: true, seed: chance.below(1000), collect: collects } });
  const truth = asker.witness.now();
  const { layout } = t.core.world.scene;
  const old = cubesOf(truth).filter((cube) => cube.joints === 0 && restingPad(layout, truth, cube)?.role !== 'source');
  return { armedWith: new Set(old.map(({ id }) => id)), spoiled: new Set(), collects, collected: new Map() };
}

function sortOne(t: TestRuntime, asker: DriverFacts, chance: Chance, tally: Tally): void {
  const { layout } = t.core.world.scene;
  const row = rowOf(t, asker.witness.now());
  const wanted = chance.happens(0.5) ? row[0] : chance.oneOf(row);
  if (!wanted) {
    asker.failures.push('the belt is empty');
    return;
  }
  const rowBefore = row.map(({ id }) => id);
  if (asker.ask('go_to', entity(wanted.id), { feasible: 'go to a cube of the row' }).status !== 'done') return;
  if (asker.ask('pick_entity', entity(wanted.id), { feasible: 'pick from the row' }).status !== 'done') return;
  tally.armedWith.delete(wanted.id);
  judgeMovedUp(
    t,
    asker,
    rowBefore.filter((id) => id !== wanted.id),
  );
  const destinations = layout.pads.filter(({ role }) => role === 'destination');
  const right = destinations.find(({ color }) => color === wanted.colour);
  const pad = right && chance.happens(0.8) ? right : chance.oneOf(destinations);
  if (asker.ask('go_to', entity(pad.pad_id), { feasible: 'carry to a pad' }).status !== 'done') return;
  const manner = chance.oneOf([{}, entity(pad.pad_id), entity(pad.pad_id)]);
  const reply = asker.ask('place_entity', manner, { feasible: 'place on a pad' });
  // The count when the reply is done: the reply's own state is the first that a client can read.
  if (reply.status === 'done') {
    count(asker.samples, 'sorted', 1);
    const placed: Reply = reply.result;
    if (placed.placed_on === layout.pads.find(({ role }) => role === 'source')?.pad_id)
      asker.failures.push('place_entity fed the source');
    if (tally.collects && placed.placed_on === right?.pad_id)
      tally.collected.set(placed.placed_on, (tally.collected.get(placed.placed_on) ?? 0) + 1);
  }
  judgeCounts(t, asker, tally);
}

/** The row closes up within a few seconds: same order, slots filled from the near end, one new cube at the far end. */
function judgeMovedUp(t: TestRuntime, asker: DriverFacts, expected: readonly string[]): void {
  const slots = t.core.world.scene.layout.slots.filter(({ pad_id }) => pad_id === 'pad_A');
  const inPlace = (): boolean => {
    const row = rowOf(t, asker.witness.now());
    return (
      row.length === slots.length &&
      row.every((cube, index) => {
        const [x = 0, y = 0] = slots[index]?.position ?? [];
        return Math.hypot(cube.x - x, cube.y - y) < 0.01 && cube.linearMps < 0.01;
      })
    );
  };
  for (let step = 0; step < ROW_SETTLES_WITHIN_S * 120 && !inPlace(); step += 1) asker.advance();
  const row = rowOf(t, asker.witness.now()).map(({ id }) => id);
  if (!inPlace()) asker.failures.push(`the row has not moved up within ${ROW_SETTLES_WITHIN_S} s: ${row.join(' ')}`);
  if (row.slice(0, expected.length).join() !== expected.join())
    asker.failures.push(`the row was ${expected.join(' ')} and is ${row.join(' ')}`);
}

/** Ids are never used twice: a new thing has a number above all earlier ones. */
function judgeNewIds(asker: DriverFacts, everSeen: Set<string>): void {
  const numberOf = (id: string): number => Number(id.slice('cube_'.length));
  const highest = Math.max(...[...everSeen].map(numberOf));
  for (const { id } of cubesOf(asker.witness.now())) {
    if (everSeen.has(id)) continue;
    if (numberOf(id) <= highest) asker.failures.push(`${id} is new, but numbers up to ${highest} were given before`);
    everSeen.add(id);
  }
}

function judgeCounts(t: TestRuntime, asker: DriverFacts, { armedWith, spoiled, collected }: Tally): void {
  const { layout } = t.core.world.scene;
  const truth = asker.witness.now();
  const counted = t.read('runtime.state').robot.extra.sort_benchmark;
  let [correct, wrong] = [0, 0];
  const stacks: Record<string, number> = {};
  for (const { role, pad_id } of layout.pads) if (role === 'destination') stacks[pad_id] = collected.get(pad_id) ?? 0;
  for (const count of collected.values()) correct += count;
  for (const cube of cubesOf(truth)) {
    const pad = restingPad(layout, truth, cube);
    if (!armedWith.has(cube.id) && pad === null && cube.joints === 0 && cube.linearMps === 0 && cube.z < 0.1)
      spoiled.add(cube.id);
    if (pad?.role !== 'destination' || armedWith.has(cube.id)) continue;
    if (pad.color === cube.colour) {
      correct += 1;
      stacks[pad.pad_id] = (stacks[pad.pad_id] ?? 0) + 1;
    } else wrong += 1;
  }
  const mine = { correct_count: correct, wrong_count: wrong, pallet_stack_counts: stacks };
  const theirs = {
    correct_count: counted.correct_count,
    wrong_count: counted.wrong_count,
    pallet_stack_counts: counted.pallet_stack_counts,
  };
  if (JSON.stringify(mine) !== JSON.stringify(theirs))
    asker.failures.push(`the count says ${JSON.stringify(theirs)}, on the pallets rest ${JSON.stringify(mine)}`);
  if (counted.spoiled_count !== spoiled.size)
    asker.failures.push(`spoiled_count is ${counted.spoiled_count}, ${spoiled.size} lie loose`);
}
