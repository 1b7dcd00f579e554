/** The robot's tasks while its motion is judged: drives, steady walks, picks and places, and interrupted ones. */
import { addCube } from '../../../src/simulation/things.ts';
import { renderState } from '../../../src/simulation/world.ts';
import { atPose, entity, type PendingCall, startAt, type TestRuntime } from '../../runtime/test-runtime.ts';
import { createMotionJudge, type MotionJudge } from './judge.ts';

const RATE = 120;
const DEG = Math.PI / 180;

export type Random = () => number;

/** A robot that the judge watches. */
export interface Watched {
  t: TestRuntime;
  judge: MotionJudge;
  /** Motions that were requested. */
  cases: number;
  /** Lets time pass. */
  pass(seconds: number, doing: string): void;
  /** Lets time pass until a call has answered, up to a maximum; returns how long it took. */
  until(call: PendingCall, doing: string, atMostS?: number): number;
}

export function watch(t: TestRuntime): Watched {
  const judge = createMotionJudge(1 / RATE);
  const look = (doing: string): void => {
    t.advance();
    judge.see(renderState(t.core.world), doing);
  };
  const watched: Watched = {
    t,
    judge,
    cases: 0,
    pass(seconds, doing) {
      watched.cases += 1;
      for (let step = 0; step < seconds * RATE; step += 1) look(doing);
    },
    until(call, doing, atMostS = 60) {
      watched.cases += 1;
      let steps = 0;
      for (; call.replies === 0 && steps < atMostS * RATE; steps += 1) look(doing);
      return steps / RATE;
    },
  };
  return watched;
}

interface Velocity {
  vx: number;
  vy: number;
  wz: number;
}

const signed = (random: Random): number => 2 * random() - 1;

const asText = ({ vx, vy, wz }: Velocity): string => `driving ${vx.toFixed(2)} ${vy.toFixed(2)} m/s ${wz.toFixed(2)} rad/s`;

/** A velocity of some kind: on the spot, straight ahead or back, an arc, sideways, none, or in every direction at once. */
function anyVelocity(random: Random): Velocity {
  const speed = 1.5 * random();
  const way = 2 * Math.PI * random();
  const turn = 1.5 * signed(random);
  const kinds: Velocity[] = [
    { vx: 0, vy: 0, wz: turn },
    { vx: 1.5 * signed(random), vy: 0, wz: 0 },
    { vx: speed, vy: 0, wz: turn },
    { vx: 0, vy: 1.5 * signed(random), wz: 0 },
    { vx: 0, vy: 0, wz: 0 },
    { vx: speed * Math.cos(way), vy: speed * Math.sin(way), wz: turn },
  ];
  return kinds[Math.floor(random() * kinds.length)] ?? { vx: 0, vy: 0, wz: 0 };
}

/** Drives that replace each other without warning, including full stops and reversals; then a stop. */
export async function drives(random: Random): Promise<Watched> {
  const watched = watch(await startAt(-0.5 + random(), -3.9 + 0.6 * random(), 360 * random()));
  for (let leg = 0; leg < 7; leg += 1) {
    const velocity = anyVelocity(random);
    watched.t.start('set_velocity', { ...velocity, duration_s: 5 });
    watched.pass(0.3 + 1.3 * random(), asText(velocity));
  }
  watched.t.start('set_velocity', { vx: 0, vy: 0, wz: 0, duration_s: 0 });
  watched.pass(2.5, 'coming to rest');
  return watched;
}

/** One velocity for long enough to find its rhythm; then a stop. */
export async function steadyWalk(random: Random): Promise<{ watched: Watched; speedMps: number; walkedS: number }> {
  const speedMps = 0.05 + 1.45 * random();
  const back = random() < 0.25;
  const walkedS = Math.min(4, 6.5 / speedMps);
  const watched = watch(await startAt(back ? 3.6 : -3.8, -3.4, 0));
  const vx = back ? -speedMps : speedMps;
  watched.t.start('set_velocity', { vx, vy: 0, wz: 0, duration_s: walkedS });
  watched.pass(walkedS, asText({ vx, vy: 0, wz: 0 }));
  watched.pass(2.5, 'coming to rest');
  return { watched, speedMps, walkedS };
}

interface Task {
  watched: Watched;
  cubeId: string;
  place: Record<string, unknown>;
  at: 'belt' | 'floor' | 'pallet';
}

/** A robot before a cube on the belt, the floor or a pallet, near enough to pick it. */
async function beforeCube(random: Random): Promise<Task> {
  const at = (['belt', 'floor', 'pallet'] as const)[Math.floor(3 * random())] ?? 'floor';
  if (at === 'belt') {
    const t = await startAt(0.75 + 0.25 * random(), -1.8 + 0.15 * signed(random), 20 * signed(random));
    return { watched: watch(t), cubeId: 'cube_0', place: entity('pad_D'), at };
  }
  const [x, y, z] = at === 'floor' ? [0.4, -3, 0.075] : [-1.4 + 0.1 * signed(random), -5.3, 0.195];
  const bearingDeg = at === 'floor' ? 360 * random() : 90 + 10 * signed(random);
  const distanceM = at === 'floor' ? 0.4 + 0.3 * random() : 0.43 + 0.12 * random();
  const [dx, dy] = [distanceM * Math.cos(bearingDeg * DEG), distanceM * Math.sin(bearingDeg * DEG)];
  const t = await startAt(x + dx, y + dy, bearingDeg + 180 + 10 * signed(random));
  const thing = addCube(t.core.world, 'yellow', [x, y, z]);
  const half = 0.75 * random();
  thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(half), w: Math.cos(half) }, true);
  t.advance(60);
  return { watched: watch(t), cubeId: thing.entityId, place: at === 'floor' ? atPose(0.4, -3.1, 0.075) : entity('pad_B'), at };
}

/** Takes a cube, carries it about, puts it down. `inPlaceS` is the pick's time if no step was needed. */
export async function pickAndPlace(random: Random): Promise<{ watched: Watched; inPlaceS: number | null; at: Task['at'] }> {
  const { watched, cubeId, place, at } = await beforeCube(random);
  const { t } = watched;
  const from = { ...t.core.world.base.pose };
  const pick = t.start('pick_entity', entity(cubeId));
  const took = watched.until(pick, `picking from the ${at}`);
  const { pose } = t.core.world.base;
  const stood = Math.hypot(pose.x - from.x, pose.y - from.y) < 0.02 && Math.abs(pose.yawRad - from.yawRad) < 0.02;
  const inPlaceS = pick.reply?.status === 'done' && stood ? took : null;
  if (pick.reply?.status !== 'done') return { watched, inPlaceS, at };
  t.start('set_velocity', { vx: -0.5, vy: 0.2 * signed(random), wz: 1.2 * signed(random), duration_s: 0.7 });
  watched.pass(1.4, 'walking with a cube');
  if (at === 'belt') watched.until(t.start('go_to', place), 'carrying the cube to its pallet');
  watched.until(t.start('place_entity', place), `placing on the ${at === 'belt' ? 'pallet' : at}`);
  watched.pass(0.6, 'standing after a place');
  return { watched, inPlaceS, at };
}

/**
 * Picks and places interrupted at any moment, and the next command of a person: none, a walk, a drive, a look, the same again.
 */
export async function interruptions(random: Random): Promise<Watched> {
  const { watched, cubeId, at } = await beforeCube(random);
  const { t } = watched;
  for (let round = 0; round < 3; round += 1) {
    const holds = t.core.world.grasp.hold !== null;
    const id = `cut-${round}`;
    const doing = `${holds ? 'placing' : 'picking'} (${at})`;
    const call = holds
      ? t.start('place_entity', {}, { action_id: id })
      : t.start('pick_entity', entity(cubeId), { action_id: id });
    if (random() < 0.5) t.start('look_at', atPose(t.core.world.base.pose.x + 1, 2 * signed(random), 0.3 + random()));
    watched.until(call, doing, 0.05 + 2 * random());
    t.send('runtime.cancel', { options: { action_id: id } });
    watched.until(call, `${doing}, cancelled`, 5);
    const next = Math.floor(4 * random());
    if (next === 0) watched.pass(random(), 'standing where it was cancelled');
    if (next === 1) {
      const { x, y } = t.core.world.base.pose;
      t.start('go_to', atPose(x - 0.5, y + 0.3 * signed(random)));
      watched.pass(2 * random(), 'walking off after a cancel');
    }
    if (next === 2) {
      const velocity = anyVelocity(random);
      t.start('set_velocity', { ...velocity, duration_s: 1 });
      watched.pass(1.5 * random(), `${asText(velocity)} after a cancel`);
    }
    if (next === 3) {
      t.start('set_head', { yaw: 1.2 * signed(random), pitch: 0.5 * signed(random) });
      watched.pass(0.4, 'turning the head after a cancel');
    }
    t.send('runtime.cancel');
    watched.pass(0.6, 'stopping');
  }
  return watched;
}
