import { ROBOT_RADIUS_M } from '../../src/protocol/robots/humanoid.ts';
import { type PlanResult, planPath } from '../../src/simulation/navigation/planner.ts';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { createWorld, disposeWorld, stepWorld } from '../../src/simulation/world.ts';
import { mean, total } from './figures.ts';
import { cubeShapes, physics, putNewCube, strewnPlaces } from './paths-cubes.ts';
import { JudgesFloor, type XY } from './paths-floor.ts';
import { Dice } from './paths-random.ts';
import type { PromiseSuite, SeedOutcome } from './suite.ts';

/** The planner alone, from every start to every goal of a half-metre grid, and among strewn cubes. */

const GRID_M = 0.5;
/** The empty floor's starts are distributed over this many seeds. */
const CHUNKS = 50;
const STREWN_STARTS = 4;
const STREWN_GOALS = 90;
/** Rounding of coordinates, and distances computed in another way. */
const ROUNDING_M = 1e-4;
/** Paths shorter than this are too short to judge their length. */
const SHORT_M = 0.5;
/** The nearest place is named to within this, and this share of its distance. */
const NEAREST_WITHIN_M = 0.05;
const NEAREST_SHARE = 0.05;

/** The judge's data about one moment of a floor. */
interface Judge {
  /** With the cubes' exact shadows, which the robot must not touch. */
  truth: JudgesFloor;
  /** With upright boxes round the cubes: where a cautious robot certainly walks. */
  cautious: JudgesFloor;
  joined: (point: XY) => number;
  apart: (point: XY) => number;
}

let emptyFloor: JudgesFloor | null = null;

function judgeOf(world: SimWorld): Judge {
  const { layout } = world.scene;
  emptyFloor ??= new JudgesFloor(layout, []);
  const truth = new JudgesFloor(layout, cubeShapes(world, false), emptyFloor);
  const cautious = new JudgesFloor(layout, cubeShapes(world, true), emptyFloor);
  return { truth, cautious, joined: cautious.rooms(ROBOT_RADIUS_M, 'strict'), apart: truth.rooms(ROBOT_RADIUS_M, 'generous') };
}

/** Places of the half-metre grid, including those just outside the floor. */
function gridPlaces(floor: JudgesFloor): XY[] {
  const places: XY[] = [];
  for (let i = Math.floor(floor.min.x / GRID_M) - 1; i <= Math.ceil(floor.max.x / GRID_M) + 1; i += 1)
    for (let j = Math.floor(floor.min.y / GRID_M) - 1; j <= Math.ceil(floor.max.y / GRID_M) + 1; j += 1)
      places.push({ x: i * GRID_M, y: j * GRID_M });
  return places;
}

const standsAt = (floor: JudgesFloor, place: XY): boolean =>
  floor.isInside(place) && floor.nearest(place).distanceM >= ROBOT_RADIUS_M - 1e-9;

interface Tally {
  cases: number;
  failures: string[];
  ratios: number[];
  undecided: number;
  planMs: number[];
  paths: number;
}

async function run(seed: number): Promise<SeedOutcome> {
  const world = createWorld(await physics(), { seed });
  const tally: Tally = { cases: 0, failures: [], ratios: [], undecided: 0, planMs: [], paths: 0 };
  try {
    if (seed % 2 === 1) {
      const judge = judgeOf(world);
      const places = gridPlaces(judge.truth);
      const starts = places.filter((place) => standsAt(judge.truth, place));
      const chunk = ((seed - 1) / 2) % CHUNKS;
      for (const [i, start] of starts.entries()) if (i % CHUNKS === chunk) fromStart(world, judge, start, places, tally);
    } else strewn(world, new Dice(seed), tally);
  } finally {
    disposeWorld(world);
  }
  const { cases, failures, ratios, undecided, planMs, paths } = tally;
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const isStrewn = seed % 2 === 0 ? 'Strewn' : '';
  return {
    cases,
    failures,
    samples: {
      ratioSum: [sum(ratios)],
      ratioCount: [ratios.length],
      ratioMax: [ratios.reduce((most, ratio) => Math.max(most, ratio), 1)],
      undecided: [undecided],
      paths: [paths],
      [`planMsMax${isStrewn}`]: [planMs.reduce((most, ms) => Math.max(most, ms), 0)],
      [`planMsMean${isStrewn}`]: [sum(planMs) / Math.max(1, planMs.length)],
    },
  };
}

/** A floor with loose cubes, some starts on it and many goals. */
function strewn(world: SimWorld, dice: Dice, tally: Tally): void {
  const bare = new JudgesFloor(world.scene.layout, []);
  const { x, y } = world.base.pose;
  for (const place of strewnPlaces(dice, bare, dice.pick([3, 10, 20, 35, 50]), [{ x, y }]))
    putNewCube(world, place, dice.between(0, Math.PI));
  // Some lean over the edge of a pallet.
  for (const { role, position } of world.scene.layout.pads) {
    if (role !== 'destination' || dice.chance(0.6)) continue;
    const side = dice.pick([-1, 1]) * dice.between(0.3, 0.39);
    const along = dice.between(-0.3, 0.3);
    const [dx, dy] = dice.chance(0.5) ? [side, along] : [along, side];
    putNewCube(world, { x: position[0] + dx, y: position[1] + dy }, dice.between(0, Math.PI), 0.2);
  }
  for (let step = 0; step < 120; step += 1) stepWorld(world);
  const judge = judgeOf(world);
  const anywhere = (): XY => ({
    x: dice.between(judge.truth.min.x - 0.2, judge.truth.max.x + 0.2),
    y: dice.between(judge.truth.min.y - 0.2, judge.truth.max.y + 0.2),
  });
  for (let i = 0; i < STREWN_STARTS; i += 1) {
    let start = anywhere();
    while (!standsAt(judge.cautious, start)) start = anywhere();
    fromStart(world, judge, start, Array.from({ length: STREWN_GOALS }, anywhere), tally);
  }
}

function fromStart(world: SimWorld, judge: Judge, start: XY, goals: readonly XY[], tally: Tally): void {
  const lengths = judge.truth.lengthsFrom(start, ROBOT_RADIUS_M);
  for (const goal of goals) {
    const before = process.cpuUsage();
    const plan = planPath(world, start, goal);
    tally.planMs.push(process.cpuUsage(before).user / 1000);
    tally.cases += 1;
    const wrong = plan.kind === 'path' ? wrongPath(judge, start, goal, plan) : wrongRefusal(world, judge, start, goal, plan);
    const asked = `from (${start.x.toFixed(3)}, ${start.y.toFixed(3)}) to (${goal.x.toFixed(3)}, ${goal.y.toFixed(3)})`;
    if (wrong) tally.failures.push(`${asked}: ${plan.kind}, but ${wrong}`);
    if (plan.kind === 'path') {
      tally.paths += 1;
      const optimumM = lengths(goal);
      if (optimumM > SHORT_M && optimumM < Number.POSITIVE_INFINITY) tally.ratios.push(plan.lengthM / optimumM);
    } else if (plan.kind === 'no_path' && judge.apart(start) === judge.apart(goal)) tally.undecided += 1;
  }
}

type Path = Extract<PlanResult, { kind: 'path' }>;

function wrongPath({ truth, apart }: Judge, start: XY, goal: XY, { points, lengthM }: Path): string | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first[0] !== start.x || first[1] !== start.y) return 'it begins elsewhere';
  if (last[0] !== goal.x || last[1] !== goal.y) return 'it ends elsewhere';
  if (!truth.isInside(goal)) return 'the goal is outside the floor';
  let sumM = 0;
  for (const [i, [x, y]] of points.entries()) {
    const next = points[i + 1];
    if (!next) break;
    sumM += Math.hypot(next[0] - x, next[1] - y);
    const clearanceM = truth.clearanceAlong({ x, y }, { x: next[0], y: next[1] });
    if (clearanceM < ROBOT_RADIUS_M - ROUNDING_M) return `its piece ${i} comes within ${clearanceM.toFixed(4)} m of something`;
  }
  if (Math.abs(sumM - lengthM) > ROUNDING_M) return `it says ${lengthM} m and is ${sumM} m long`;
  return apart(start) === apart(goal) ? null : 'no way leads there';
}

function wrongRefusal(
  world: SimWorld,
  { truth, cautious, joined, apart }: Judge,
  start: XY,
  goal: XY,
  plan: Exclude<PlanResult, Path>,
): string | null {
  if (plan.kind === 'goal_outside') return truth.isInside(goal) ? 'the goal is on the floor' : null;
  if (!truth.isInside(goal)) return 'the goal is outside the floor';
  const occupant = cautious.nearest(goal);
  if (plan.kind === 'goal_occupied') {
    if (occupant.distanceM > ROBOT_RADIUS_M + ROUNDING_M) return `the goal has ${occupant.distanceM.toFixed(4)} m of room`;
    const named = cautious.shapes.find(({ id }) => id === plan.blocker);
    if (!named) return `there is no ${plan.blocker}`;
  } else {
    if (occupant.distanceM < ROBOT_RADIUS_M - ROUNDING_M) return `${occupant.id} is at the goal`;
    if (joined(start) !== 0 && joined(start) === joined(goal)) return 'a way leads there';
  }
  const { nearest } = plan;
  if (!nearest) return 'it names no nearest place';
  const where = `the nearest place named, (${nearest.x.toFixed(3)}, ${nearest.y.toFixed(3)}),`;
  const roomM = truth.nearest(nearest).distanceM;
  if (!truth.isInside(nearest) || roomM < ROBOT_RADIUS_M - ROUNDING_M) return `${where} has ${roomM.toFixed(4)} m of room`;
  if (apart(nearest) !== apart(start)) return `${where} cannot be reached`;
  // The sentence has it in centimetres.
  const reported = { x: Math.round(nearest.x * 100) / 100, y: Math.round(nearest.y * 100) / 100 };
  const there = planPath(world, start, reported);
  if (there.kind !== 'path') return `${where} is refused itself: ${there.kind}`;
  const namedM = Math.hypot(nearest.x - goal.x, nearest.y - goal.y);
  const room = joined(start);
  if (room === 0) return null;
  const leastM = cautious.nearestWhere(goal, ROBOT_RADIUS_M, namedM, (point) => joined(point) === room);
  if (namedM > leastM * (1 + NEAREST_SHARE) + NEAREST_WITHIN_M)
    return `${where} is ${namedM.toFixed(3)} m off, another is ${leastM.toFixed(3)} m off`;
  return null;
}

const most = (values: readonly number[] = []): number => values.reduce((max, value) => Math.max(max, value), 0);

export const paths: PromiseSuite = {
  name: 'paths',
  promises: ['P10'],
  title: 'paths are planned between all places of a half-metre grid, and among cubes',
  seeds: { smoke: 2, full: 2 * CHUNKS },
  regressions: [{ seed: 36, was: 'the nearest reachable place was looked for in too few directions' }],
  run,
  summary: ({ ratioSum, ratioCount, ratioMax, undecided, paths: found, ...more }) =>
    `${total(found)} ways, ${(total(ratioSum) / total(ratioCount)).toFixed(3)} × optimum on average, ${most(ratioMax).toFixed(2)} at most; ` +
    `${total(undecided)} refusals within the grid's band; a plan took ${mean(more.planMsMean).toFixed(1)} ms on average, ${most(more.planMsMax).toFixed(0)} at most, ` +
    `among cubes ${mean(more.planMsMeanStrewn).toFixed(1)} and ${most(more.planMsMaxStrewn).toFixed(0)}`,
  verdict({ ratioSum, ratioCount }) {
    const average = total(ratioSum) / Math.max(1, total(ratioCount));
    return average <= 1.1 ? [] : [`ways are ${average.toFixed(3)} × optimum on average`];
  },
};
