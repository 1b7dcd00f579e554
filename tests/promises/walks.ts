import { atPose, createTestRuntime, entity, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { mean } from './figures.ts';
import { putNewCube, strewnPlaces } from './paths-cubes.ts';
import { JudgesFloor, type XY } from './paths-floor.ts';
import { Dice } from './paths-random.ts';
import type { PromiseSuite, Samples, SeedOutcome } from './suite.ts';
import { holdsOnly, prospectOf, type Request, toleranceOf, type Walk, wrongsOfWalk } from './walks-judge.ts';
import { apart, type Moment, momentOf, motionOf, turnBetween } from './walks-trace.ts';

/** `go_to` through the runtime on the real physics, without disturbances: every call judged from the trajectory. */

const WALKS = 10;
const GRID_M = 0.5;
const ANSWER_WITHIN_STEPS = 120 * 120;
const AFTER_STEPS = 60;
/** Loose cubes are not touched: only the physics settles them. */
const DISTURBED_M = 0.01;

type Kind = 'bare' | 'among cubes' | 'carrying' | 'carrying among cubes';
const KINDS: readonly Kind[] = ['bare', 'among cubes', 'carrying', 'carrying among cubes'];

interface Bag {
  cases: number;
  failures: string[];
  samples: Record<string, number[]>;
}

const sample = (bag: Bag, name: string, value: number): void => {
  bag.samples[name] ??= [];
  bag.samples[name].push(value);
};

async function run(seed: number): Promise<SeedOutcome> {
  const t = await createTestRuntime({ seed });
  const dice = new Dice(seed);
  const kind = KINDS[(seed - 1) % KINDS.length] ?? 'bare';
  const bag: Bag = { cases: 0, failures: [], samples: {} };
  const layout = t.read('runtime.scene_layout');
  const bare = new JudgesFloor(layout, []);
  const held = arrange(t, dice, bare, kind);
  const ahead: Request[] = [];
  for (let i = 0; i < WALKS; i += 1) {
    const request = ahead.shift() ?? anyRequest(dice, bare, momentOf(t.core));
    const { reply, walk } = walkTo(t, layout, request, held !== null);
    const wrongs = wrongsOfWalk(walk);
    if (held !== null && !holdsOnly(t.core, held)) wrongs.push(`${held} left the hands`);
    bag.cases += 1;
    const answer = reply.error?.code ?? reply.status;
    for (const wrong of wrongs)
      bag.failures.push(`${kind}, walk ${i + 1}, ${spanText(request, walk.trace[0])}, ${answer}: ${wrong}`);
    measure(bag, walk);
    if (held !== null && !holdsOnly(t.core, held)) break;
    const nearest = reply.error?.details?.nearest_reachable;
    if (nearest && ahead.length === 0) ahead.push({ ...request, x: nearest[0], y: nearest[1] });
  }
  return bag;
}

/** A new scene of a kind: the robot at a random place of the grid, cubes on the floor, one in its hands. */
function arrange(t: TestRuntime, dice: Dice, bare: JudgesFloor, kind: Kind): string | null {
  if (!kind.startsWith('carrying')) {
    const start = standingPlace(dice, bare);
    const pose = { position: [start.x, start.y, 0], yaw_deg: dice.whole(-179, 180) };
    const reply = t.invoke('select_scene', { scene_id: 'warehouse', start_pose: pose });
    if (reply.status !== 'done') throw new Error(`no start at (${start.x}, ${start.y}): ${reply.error.message}`);
  } else if (t.invoke('pick_entity', entity('cube_0')).status !== 'done') throw new Error('cube_0 was not picked');
  if (kind.endsWith('cubes')) {
    const places = strewnPlaces(dice, bare, dice.whole(3, kind === 'among cubes' ? 25 : 8), [momentOf(t.core)]);
    for (const place of places) putNewCube(t.core.world, place, dice.between(0, Math.PI));
  }
  t.advance(120);
  return kind.startsWith('carrying') ? 'cube_0' : null;
}

const gridPlace = (dice: Dice, { min, max }: JudgesFloor): XY => ({
  x: GRID_M * dice.whole(Math.ceil(min.x / GRID_M), Math.floor(max.x / GRID_M)),
  y: GRID_M * dice.whole(Math.ceil(min.y / GRID_M), Math.floor(max.y / GRID_M)),
});

function standingPlace(dice: Dice, bare: JudgesFloor): XY {
  for (;;) {
    const place = gridPlace(dice, bare);
    if (bare.nearest(place).distanceM > 0.201) return place;
  }
}

/** Mostly a place of the grid; otherwise one close to an obstacle, a turn on the spot, a step aside, or the present place. */
function anyRequest(dice: Dice, bare: JudgesFloor, at: Moment): Request {
  const kind = dice.next();
  const yawDeg = dice.chance(0.65) ? dice.whole(-180, 180) : null;
  const toleranceM = dice.chance(0.7) ? null : dice.pick([0.01, 0.02, 0.1, 0.3, 1]);
  if (kind < 0.7) return { ...gridPlace(dice, bare), yawDeg, toleranceM };
  if (kind < 0.82) {
    for (;;) {
      const place = { x: dice.between(bare.min.x, bare.max.x), y: dice.between(bare.min.y, bare.max.y) };
      const { distanceM } = bare.nearest(place);
      if (distanceM > 0.2005 && distanceM < 0.23) return { ...place, yawDeg, toleranceM };
    }
  }
  if (kind < 0.9) return { x: at.x, y: at.y, yawDeg: dice.whole(-180, 180), toleranceM };
  if (kind < 0.96) {
    const angle = dice.between(-Math.PI, Math.PI);
    const aside = dice.between(0.02, 0.4);
    return { x: at.x + aside * Math.cos(angle), y: at.y + aside * Math.sin(angle), yawDeg, toleranceM };
  }
  return { x: at.x + 0.005, y: at.y, yawDeg: dice.chance(0.5) ? (at.yawRad * 180) / Math.PI + 1 : null, toleranceM };
}

function walkTo(t: TestRuntime, layout: Reply, request: Request, carrying: boolean): { reply: Reply; walk: Walk } {
  const { x, y, yawDeg, toleranceM } = request;
  const start = momentOf(t.core);
  const prospect = prospectOf(t.core, layout, request, start, carrying);
  const cubesBefore = freeCubes(t);
  const call = t.start('go_to', {
    ...atPose(x, y, 0, yawDeg === null ? {} : { yaw_deg: yawDeg }),
    ...(toleranceM === null ? {} : { tolerance_m: toleranceM }),
  });
  const trace = [start];
  while (call.replies === 0 && trace.length < ANSWER_WITHIN_STEPS) {
    t.advance();
    trace.push(momentOf(t.core));
  }
  const after: Moment[] = [];
  for (let step = 0; step < AFTER_STEPS; step += 1) {
    t.advance();
    after.push(momentOf(t.core));
  }
  const reply = call.reply ?? { status: 'failed', error: { code: 'NO_ANSWER', message: 'within two minutes', details: {} } };
  const disturbed = [...cubesBefore].find(([id, was]) => {
    const now = t.core.world.things.byId.get(id)?.rigidBody.translation();
    return !now || apart(now, was) > DISTURBED_M;
  });
  const seen = disturbed
    ? { status: 'failed', error: { code: 'DISTURBED', message: `${disturbed[0]} was pushed`, details: {} } }
    : reply;
  return { reply, walk: { request, prospect, reply: seen, trace, after, motion: motionOf(trace) } };
}

/** The places of the cubes that are neither held nor moved by a belt. */
const freeCubes = (t: TestRuntime): Map<string, XY> =>
  new Map(
    t.core.world.things.all
      .filter(({ carrier, rowSlot }) => carrier === 'none' && rowSlot === null)
      .map(({ entityId, rigidBody }) => [entityId, { ...rigidBody.translation() }]),
  );

function spanText({ x, y, yawDeg, toleranceM }: Request, from: Moment | undefined): string {
  const heading = yawDeg === null ? '' : `, ${yawDeg.toFixed(0)}°`;
  const start = from ? `from (${from.x.toFixed(3)}, ${from.y.toFixed(3)}, ${((from.yawRad * 180) / Math.PI).toFixed(0)}°) ` : '';
  return `${start}to (${x.toFixed(3)}, ${y.toFixed(3)}${heading}${toleranceM === null ? '' : `, within ${toleranceM} m`})`;
}

function measure(bag: Bag, { request, prospect, reply, trace, motion }: Walk): void {
  sample(bag, prospect.feasible, reply.status === 'done' ? 1 : 0);
  if (reply.status !== 'done' || motion.lengthM < 1) return;
  const optimumM = prospect.optimumM() - toleranceOf(request);
  const turn = turnBetween(trace.at(-1)?.yawRad ?? 0, trace[0]?.yawRad ?? 0);
  if (optimumM < 1 || !Number.isFinite(optimumM)) return;
  sample(bag, 'lengthRatio', motion.lengthM / optimumM);
  sample(bag, 'timeRatio', motion.durationS / (optimumM + turn / 1.5 + 1));
  sample(bag, 'lateralJerk', motion.lateralJerk);
  sample(bag, 'stops', motion.stops);
  if (motion.cruiseMps !== null) sample(bag, 'cruiseMps', motion.cruiseMps);
}

const quantile = (values: readonly number[] = [], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0;

const successRate = ({ yes = [] }: Samples): number => (yes.length === 0 ? 1 : mean(yes));

export const walks: PromiseSuite = {
  name: 'walks',
  promises: ['P1', 'P10'],
  title: 'go_to between places of the floor, bare or among cubes, with hands empty or full',
  seeds: { smoke: 8, full: 140 },
  run,
  summary: (samples) =>
    `${samples.yes?.length ?? 0} feasible walks, ${(100 * successRate(samples)).toFixed(2)} % done, ${samples.no?.length ?? 0} impossible ones, ` +
    `${samples.unsure?.length ?? 0} between, ${(100 * mean(samples.unsure)).toFixed(0)} % done; length ${mean(samples.lengthRatio).toFixed(3)} × optimum ` +
    `(${quantile(samples.lengthRatio, 1).toFixed(2)} at most), time ${mean(samples.timeRatio).toFixed(2)} × way at 1 m/s and turn (${quantile(samples.timeRatio, 1).toFixed(2)} at most), ` +
    `${mean(samples.cruiseMps).toFixed(2)} m/s on the way, ${mean(samples.stops).toFixed(2)} stops a walk, lateral jerk ${quantile(samples.lateralJerk, 0.5).toFixed(1)} m/s³ at the median, ${quantile(samples.lateralJerk, 0.99).toFixed(1)} in one of 100`,
  verdict: (samples) => {
    const rate = successRate(samples);
    const length = mean(samples.lengthRatio);
    return [
      ...(rate < 0.99 ? [`only ${(100 * rate).toFixed(1)} % of the feasible walks ended done`] : []),
      ...(length > 1.1 ? [`walks are ${length.toFixed(3)} × optimum on average`] : []),
    ];
  },
};
