import type { Thing } from '../../src/simulation/thing.ts';
import { atPose, createTestRuntime, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { mean } from './figures.ts';
import { putNewCube } from './paths-cubes.ts';
import { cubeShape, distanceTo, JudgesFloor, type XY } from './paths-floor.ts';
import { Dice } from './paths-random.ts';
import type { PromiseSuite, SeedOutcome } from './suite.ts';
import { errorsAt, prospectOf, type Request, toleranceOf, wrongsOfDone, wrongsOfRest } from './walks-judge.ts';
import { apart, type Moment, momentOf, motionOf } from './walks-trace.ts';

/** `go_to` while things block its path: dropped before it, pushed at it, put on its goal, round it, across a passage. */

const WALKS = 6;
const AFTER_STEPS = 60;
/** Beyond the path itself at a slow pace: recoveries, waiting, turning. */
const PATIENCE_S = 45;
const SLOW_MPS = 0.25;
/** The robot touches the blocking thing, or is as near as it may come to it. */
const BLOCKER_WITHIN_M = 0.45;
/** A robot that has met an obstacle leaves it at most this far off without having touched it. */
const DISTURBANCES = ['dropped', 'pushed', 'on the goal', 'round it', 'across the way'] as const;
type Disturbance = (typeof DISTURBANCES)[number];
const CODES = ['NAVIGATION_STUCK', 'NO_PATH', 'GOAL_OCCUPIED', 'NOT_AT_GOAL'];

interface Bag {
  cases: number;
  failures: string[];
  samples: Record<string, number[]>;
}

async function run(seed: number): Promise<SeedOutcome> {
  const t = await createTestRuntime({ seed });
  const dice = new Dice(seed);
  const bag: Bag = { cases: 0, failures: [], samples: { clear: [], arrived: [], recoveries: [], touched: [] } };
  const layout = t.read('runtime.scene_layout');
  const bare = new JudgesFloor(layout, []);
  for (let i = 0; i < WALKS; i += 1) {
    const start = standing(dice, bare);
    const scene = { scene_id: 'warehouse', start_pose: { position: [start.x, start.y, 0], yaw_deg: dice.whole(-180, 180) } };
    if (t.invoke('select_scene', scene).status !== 'done') throw new Error(`no start at (${start.x}, ${start.y})`);
    let goal = standing(dice, bare);
    while (apart(start, goal) < 2) goal = standing(dice, bare);
    const request: Request = { ...goal, yawDeg: dice.chance(0.5) ? dice.whole(-180, 180) : null, toleranceM: null };
    const disturbance = dice.pick(DISTURBANCES);
    const what = `${disturbance}, walk ${i + 1}, from (${start.x.toFixed(2)}, ${start.y.toFixed(2)}) to (${goal.x.toFixed(2)}, ${goal.y.toFixed(2)})`;
    bag.cases += 1;
    for (const wrong of walk(t, layout, request, disturbance, dice, bag)) bag.failures.push(`${what}: ${wrong}`);
  }
  return bag;
}

function standing(dice: Dice, bare: JudgesFloor): XY {
  for (;;) {
    const place = { x: dice.between(bare.min.x, bare.max.x), y: dice.between(bare.min.y, bare.max.y) };
    if (bare.nearest(place).distanceM > 0.3) return place;
  }
}

function walk(t: TestRuntime, layout: Reply, request: Request, disturbance: Disturbance, dice: Dice, bag: Bag): string[] {
  const before = prospectOf(t.core, layout, request, momentOf(t.core), false);
  if (before.feasible !== 'yes') return [];
  const wayM = before.optimumM();
  const call = t.start('go_to', atPose(request.x, request.y, 0, request.yawDeg === null ? {} : { yaw_deg: request.yawDeg }));
  const trace = [momentOf(t.core)];
  const withinSteps = 120 * (wayM / SLOW_MPS + PATIENCE_S);
  const times = new Set(Array.from({ length: dice.whole(1, 3) }, () => dice.whole(20, Math.max(60, Math.round(120 * wayM)))));
  const things: Thing[] = [];
  while (call.replies === 0 && trace.length < withinSteps) {
    if (times.has(trace.length)) things.push(...disturb(t, request, disturbance, dice));
    t.advance();
    trace.push(momentOf(t.core));
  }
  if (call.replies === 0) return [`no answer within ${(withinSteps / 120).toFixed(0)} s, ${standsIn(trace)}`];
  const last = trace.at(-1) ?? momentOf(t.core);
  const motion = motionOf(trace);
  const now = prospectOf(t.core, layout, request, last, false);
  const { reply } = call;
  const wrongs =
    reply.status === 'done'
      ? wrongsOfDone(request, reply.result, trace, motion)
      : wrongsOfFailure(t, reply, request, motion.lengthM, last);
  const after: Moment[] = [];
  for (let step = 0; step < AFTER_STEPS; step += 1) {
    t.advance();
    after.push(momentOf(t.core));
  }
  // A cube that is thrown or falls may push a standing robot.
  if (disturbance !== 'pushed' && disturbance !== 'round it') wrongs.push(...wrongsOfRest(last, after));
  if (now.feasible === 'yes' || reply.status === 'done') bag.samples.clear?.push(reply.status === 'done' ? 1 : 0);
  if (reply.status !== 'done' && now.feasible === 'yes') bag.samples.touched?.push(1);
  bag.samples.arrived?.push(reply.status === 'done' ? 1 : 0);
  bag.samples.recoveries?.push(reply.result?.recoveries ?? reply.error?.details?.recoveries ?? 0);
  if (reply.error && ['NO_PATH', 'GOAL_OCCUPIED'].includes(reply.error.code) && now.feasible === 'yes')
    wrongs.push(`${reply.error.code}, but a way leads there`);
  return wrongs;
}

/** Puts an obstacle on the path; returns the new cubes. */
function disturb(t: TestRuntime, request: Request, disturbance: Disturbance, dice: Dice): Thing[] {
  const at = momentOf(t.core);
  const ahead = placeAhead(t, at, dice.between(0.45, 1.6));
  const { world } = t.core;
  const put = (place: XY, z = 0.076): Thing[] => {
    const free = apart(place, at) > 0.32;
    return free ? [putNewCube(world, place, dice.between(0, Math.PI), z)] : [];
  };
  switch (disturbance) {
    case 'dropped':
      return put(ahead, dice.between(0.08, 0.5));
    case 'pushed': {
      const angle = dice.between(0, 2 * Math.PI);
      const from = { x: ahead.x + Math.cos(angle), y: ahead.y + Math.sin(angle) };
      const thrown = put(from);
      for (const { rigidBody } of thrown) rigidBody.setLinvel({ x: -3 * Math.cos(angle), y: -3 * Math.sin(angle), z: 0 }, true);
      return thrown;
    }
    case 'on the goal':
      return apart(at, request) > 0.5
        ? put({ x: request.x + dice.between(-0.1, 0.1), y: request.y + dice.between(-0.1, 0.1) })
        : [];
    case 'round it': {
      const count = dice.whole(4, 9);
      const radiusM = dice.between(0.33, 0.5);
      return Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).flatMap((angle) =>
        put({ x: at.x + radiusM * Math.cos(angle), y: at.y + radiusM * Math.sin(angle) }),
      );
    }
    case 'across the way': {
      const along = Math.atan2(ahead.y - at.y, ahead.x - at.x);
      return [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((i) =>
        put({ x: ahead.x - 0.3 * i * Math.sin(along), y: ahead.y + 0.3 * i * Math.cos(along) }),
      );
    }
  }
}

/** The place where the robot expects to be a little later; straight ahead if it reports none. */
function placeAhead(t: TestRuntime, at: Moment, distanceM: number): XY {
  let left = distanceM;
  let from: XY = at;
  const points = t.core.overlay.path.map(([x, y]) => ({ x, y }));
  const nearest = points.reduce((best, point, i) => (apart(point, at) < apart(points[best] ?? at, at) ? i : best), 0);
  for (const to of points.slice(nearest + 1)) {
    const pieceM = apart(from, to);
    if (pieceM >= left) return { x: from.x + ((to.x - from.x) * left) / pieceM, y: from.y + ((to.y - from.y) * left) / pieceM };
    left -= pieceM;
    from = to;
  }
  return { x: at.x + distanceM * Math.cos(at.yawRad), y: at.y + distanceM * Math.sin(at.yawRad) };
}

function wrongsOfFailure(t: TestRuntime, { error }: Reply, request: Request, walkedM: number, last: Moment): string[] {
  const wrongs: string[] = [];
  if (!CODES.includes(error.code)) return [`${error.code}: ${error.message}`];
  const left = errorsAt(request, last);
  if (left.metres < toleranceOf(request) - 0.001 && left.degrees < 1.9)
    wrongs.push(`${error.code}, but the robot stands at its goal`);
  if (error.code === 'NOT_AT_GOAL') return wrongs;
  const { progress_m: progressM, remaining_m: remainingM, blocker, attempted } = error.details;
  if (walkedM > 0.01 && attempted !== true) wrongs.push(`${error.code} says it was not attempted after ${walkedM.toFixed(2)} m`);
  if (typeof progressM !== 'number' || typeof remainingM !== 'number')
    return [...wrongs, `${error.code} without progress: ${error.message}`];
  if (Math.abs(progressM - walkedM) > 0.03 + 0.02 * walkedM)
    wrongs.push(`it says ${progressM} m gone, it was ${walkedM.toFixed(3)} m`);
  if (remainingM < left.metres - 0.6) wrongs.push(`it says ${remainingM} m are left, it is ${left.metres.toFixed(3)} m straight`);
  if (blocker === null || blocker === undefined) return [...wrongs, `${error.code} names no blocker`];
  const thing = t.core.world.things.byId.get(blocker);
  const shape = thing ? cubeShape(blocker, thing.rigidBody, false) : before(t, blocker);
  if (!shape) wrongs.push(`there is no ${blocker}`);
  else if (error.code === 'NAVIGATION_STUCK' && distanceTo(shape, last) > BLOCKER_WITHIN_M)
    wrongs.push(`${blocker} is said to be in the way, ${distanceTo(shape, last).toFixed(2)} m off`);
  return wrongs;
}

const before = (t: TestRuntime, obstacleId: string) =>
  new JudgesFloor(t.read('runtime.scene_layout'), []).shapes.find(({ id }) => id === obstacleId) ?? null;

function standsIn(trace: readonly Moment[]): string {
  const recent = trace.slice(-600);
  const [first, last] = [recent[0], recent.at(-1)];
  return first && last ? `${apart(first, last).toFixed(2)} m in the last ${(recent.length / 120).toFixed(0)} s` : '';
}

export const disturbedWalks: PromiseSuite = {
  name: 'walks-disturbed',
  promises: ['P1', 'P10'],
  title: 'go_to while cubes are dropped before it, pushed at it, put on its goal, round it and across its path',
  seeds: { smoke: 3, full: 100 },
  run,
  summary: ({ clear = [], arrived = [], recoveries = [], touched = [] }) =>
    `${arrived.length} walks, ${(100 * mean(arrived)).toFixed(1)} % arrived; of ${clear.length} whose goal could still be reached ${(100 * mean(clear)).toFixed(1)} %; ` +
    `${mean(recoveries).toFixed(1)} recoveries on average, ${touched.length} gave up though a way was left`,
  verdict: ({ clear = [] }) =>
    clear.length > 0 && mean(clear) < 0.99 ? [`only ${(100 * mean(clear)).toFixed(1)} % of the walks that could end did`] : [],
};
