import type { Ended } from './judge.ts';
import { stands } from './judge-ends.ts';
import { isOnBelt, isStill, restingPad } from './places.ts';
import { apart, planar, type Truth, wrap } from './truth.ts';

const REACH_M = 1.2;
const NOTICEABLE_M = 0.02;
/** A cube this near to the base leans against it, or is wedged between it and something: any motion touches it. */
const PRESSING_M = 0.33;
/** A cube this near when the robot walks off is on the path of the turning body and of the hands that hang beside it. */
const TOUCHING_M = 0.45;
/** A lost cube may stay on the forearms until they are lowered. Nothing else in these scenes carries one so high. */
const ON_FOREARMS = { aboveM: 0.75, withinM: 0.6 };

export function throughout(window: readonly Truth[], what: string, holds: (truth: Truth) => boolean): string[] {
  const broken = window.filter((truth) => !holds(truth)).length;
  return broken === 0 ? [] : [`${what} not throughout the settle window (${broken} of ${window.length} steps)`];
}

/** Moved cubes that an action must not have moved. */
export function disturbedCubes({ before, after, layout }: Ended, except: readonly string[], brushedM = PRESSING_M): string[] {
  return [...before.things.values()]
    .filter((thing) => planar(thing, before.robot) > brushedM)
    .filter((thing) => thing.z < ON_FOREARMS.aboveM || planar(thing, before.robot) > ON_FOREARMS.withinM)
    .filter((thing) => {
      const now = after.things.get(thing.id);
      return !except.includes(thing.id) && now && isStill(thing) && !isOnBelt(layout, thing) && apart(thing, now) > NOTICEABLE_M;
    })
    .map((thing) => `${thing.id} was moved ${apart(thing, after.things.get(thing.id) ?? thing).toFixed(3)} m`);
}

/** The cube that the alias means: the nearest that is not held and does not lie on a destination pad. */
function aliasMeans({ before, layout }: Ended): string[] {
  const free = [...before.things.values()].filter(
    (thing) => thing.joints === 0 && restingPad(layout, before, thing)?.role !== 'destination',
  );
  const nearestM = Math.min(...free.map((thing) => planar(thing, before.robot)));
  return free.filter((thing) => planar(thing, before.robot) < nearestM + 0.002).map(({ id }) => id);
}

export function judgePick(ended: Ended): string[] {
  const { input, reply, after, window, disturbed } = ended;
  const { held, held_count: count, requested } = reply.result;
  const breaches: string[] = [];
  const asked = input.target.entity_id;
  if (requested !== asked) breaches.push(`the reply says ${requested} was asked for`);
  if (asked !== 'cube' && held !== asked) breaches.push(`another cube is held: ${held}`);
  if (asked === 'cube' && !disturbed && !aliasMeans(ended).includes(held))
    breaches.push(`the alias means ${aliasMeans(ended).join(' or ')}, ${held} was picked`);
  if (count !== 1) breaches.push(`held_count is ${count}`);
  breaches.push(...throughout(window, `${held} in the hands alone`, (truth) => truth.held.join() === held));
  const thing = after.things.get(held);
  if (!thing) return [...breaches, `${held} does not exist`];
  if (thing.z < 0.6) breaches.push(`${held} is at a height of ${thing.z.toFixed(2)} m`);
  breaches.push(...judgeGrip(held, window));
  if (planar(thing, after.robot) > 0.6) breaches.push(`${held} is ${planar(thing, after.robot).toFixed(2)} m from the base`);
  if (!disturbed) breaches.push(...disturbedCubes(ended, [held]));
  return breaches;
}

/** Maximum free play between both palms. */
const PLAY_M = 0.015;
/** Half a cube and half a palm: farther beside or below, they do not overlap. */
const BESIDE_M = 0.11;
/** Maximum distance of a cube that is pressed, struck or carried on from where it was taken; beyond, it is lost. */
const SLIPS_M = 0.05;
/** The palms' bodies are a step behind the arms: this is the distance of a hand at 4 m/s in one step. */
const STRAYS_M = 4 / 120;

/**
 * Both palms lie on the cube, and it moves with them, whatever joint the grasp has made. A cube that trembles after a blow may be
 * on either side of the place in which it was taken. So the distance from there counts, not that from one side to the other.
 */
export function judgeGrip(id: string, window: readonly Truth[]): string[] {
  const grips = window.flatMap((truth) => truth.things.get(id)?.grip ?? []);
  const breaches = throughout(window, `both palms on ${id}`, (truth) => {
    const grip = truth.things.get(id)?.grip;
    if (!grip) return false;
    const [ahead, toLeft, up] = grip.place;
    return grip.playM < PLAY_M && Math.abs(toLeft) < SLIPS_M && Math.hypot(ahead, up) < BESIDE_M;
  });
  const slidM = Math.max(0, ...grips.map(({ place, taken }) => Math.hypot(...place.map((at, axis) => at - (taken[axis] ?? 0)))));
  if (slidM > SLIPS_M) breaches.push(`${id} has slid ${slidM.toFixed(3)} m between the palms`);
  const strayM = Math.max(0, ...grips.map((grip) => grip.strayM));
  if (strayM > STRAYS_M) breaches.push(`the palms' bodies are ${strayM.toFixed(3)} m from the hands`);
  return breaches;
}

export function judgeGoTo(ended: Ended): string[] {
  const { input, reply, before, after, window, layout, travelled, disturbed } = ended;
  const { target } = input;
  const breaches = throughout(window, 'standing', stands);
  const toleranceM = (input.tolerance_m ?? 0.05) + 0.001;
  const { result } = reply;
  const [x, y] = result.pose.position;
  if (planar(after.robot, { x, y }) > 0.005) breaches.push('the pose in the reply is not where the base is');
  if (target.kind === 'pose') {
    const [gx, gy] = target.pose.position;
    const offM = planar(after.robot, { x: gx, y: gy });
    if (offM > toleranceM) breaches.push(`the base is ${offM.toFixed(3)} m from the goal`);
    if (Math.abs(offM - result.position_error_m) > 0.005)
      breaches.push(`the error is ${offM.toFixed(3)} m, the reply says ${result.position_error_m}`);
    const yawDeg = target.pose.yaw_deg;
    if (yawDeg !== undefined) {
      const offDeg = Math.abs((wrap(after.robot.yawRad - (yawDeg * Math.PI) / 180) * 180) / Math.PI);
      if (offDeg > 2.05) breaches.push(`the heading is ${offDeg.toFixed(1)}° off`);
      if (Math.abs(offDeg - result.yaw_error_deg) > 0.1)
        breaches.push(`the heading is ${offDeg.toFixed(2)}° off, the reply says ${result.yaw_error_deg}`);
    }
  } else {
    const point = entityPoint(ended, target.entity_id);
    if (!point) return [...breaches, `${target.entity_id} does not exist`];
    const pad = layout.pads.find(({ pad_id }) => pad_id === target.entity_id);
    // A belt is long: the nearest part counts as before it.
    const half = pad?.role === 'source' ? pad.size[1] / 2 : 0;
    const nearestY = Math.min(Math.max(after.robot.y, point.y - half), point.y + half);
    const distanceM = planar(after.robot, { x: point.x, y: nearestY });
    if (distanceM > REACH_M) breaches.push(`the base is ${distanceM.toFixed(2)} m from ${target.entity_id}`);
    const bearing = Math.atan2(nearestY - after.robot.y, point.x - after.robot.x);
    const offDeg = Math.abs((wrap(bearing - after.robot.yawRad) * 180) / Math.PI);
    if (!disturbed && offDeg > 15) breaches.push(`the robot faces ${offDeg.toFixed(0)}° away from ${target.entity_id}`);
  }
  if (Math.abs(travelled.pathM - result.path_m) > 0.05 + 0.05 * travelled.pathM)
    breaches.push(`the base went ${travelled.pathM.toFixed(2)} m, the reply says ${result.path_m}`);
  if (!disturbed) breaches.push(...disturbedCubes(ended, before.held, TOUCHING_M));
  return breaches;
}

function entityPoint({ layout, after }: Ended, id: string): { x: number; y: number; z: number } | null {
  const pad = layout.pads.find(({ pad_id }) => pad_id === id);
  if (pad) return { x: pad.position[0], y: pad.position[1], z: pad.position[2] };
  return after.things.get(id) ?? null;
}

/** Yaw and pitch of the gaze in the frame of the base; positive pitch looks down. */
function gazeOf({ robot }: Truth): { yaw: number; pitch: number } {
  const [x, y, z] = robot.gaze;
  return { yaw: wrap(Math.atan2(y, x) - robot.yawRad), pitch: -Math.asin(z) };
}

const HEAD_TOLERANCE_RAD = Math.PI / 180;

export function judgeHead({ input, reply, after }: Ended): string[] {
  const breaches: string[] = [];
  // By the pose of the head's link, from which pictures are taken; the joints are what the skill moves.
  const { yawRad: yaw, pitchRad: pitch } = after.robot.head;
  for (const [axis, asked, truth] of [
    ['yaw', input.yaw, yaw],
    ['pitch', input.pitch, pitch],
  ] as const) {
    if (asked !== undefined && Math.abs(asked - truth) > HEAD_TOLERANCE_RAD + 0.001)
      breaches.push(`${axis} is ${truth.toFixed(3)} rad`);
    if (Math.abs(reply.result.measured[axis] - truth) > 0.002)
      breaches.push(`${axis} is ${truth.toFixed(3)} rad, the reply says ${reply.result.measured[axis]}`);
  }
  return breaches;
}

export function judgeLookAt(ended: Ended): string[] {
  const { input, after, before, disturbed, reply } = ended;
  const breaches: string[] = [];
  const [px, py, pz] = reply.result.point;
  const { target } = input;
  if (target.kind === 'entity') {
    const point = entityPoint(ended, target.entity_id);
    if (point && !disturbed && apart(point, { x: px, y: py, z: pz }) > 0.1)
      breaches.push(`the point is ${apart(point, { x: px, y: py, z: pz }).toFixed(2)} m from ${target.entity_id}`);
  } else if (Math.hypot(px - target.pose.position[0], py - target.pose.position[1], pz - target.pose.position[2]) > 0.001)
    breaches.push('the reply names another point');
  const { eye, gaze } = after.robot;
  const to = [px - eye[0], py - eye[1], pz - eye[2]] as const;
  const length = Math.hypot(...to);
  const offRad = Math.acos(Math.min(1, (to[0] * gaze[0] + to[1] * gaze[1] + to[2] * gaze[2]) / length));
  // A degree per axis, and the motion of the point when the base sways.
  if (offRad > 0.035)
    breaches.push(`the gaze is ${((offRad * 180) / Math.PI).toFixed(1)}° off the point (${JSON.stringify(gazeOf(after))})`);
  const turnedDeg = (wrap(after.robot.yawRad - before.robot.yawRad) * 180) / Math.PI;
  if (!disturbed && Math.abs(turnedDeg - reply.result.base_turned_deg) > 1)
    breaches.push(`the base turned ${turnedDeg.toFixed(1)}°, the reply says ${reply.result.base_turned_deg}`);
  return breaches;
}

export function judgeVelocity({ input, reply, before, after, window, disturbed }: Ended): string[] {
  const breaches: string[] = [];
  const clamp = (value: number): number => Math.min(Math.max(value, -1.5), 1.5);
  const { applied, moved } = reply.result;
  for (const axis of ['vx', 'vy', 'wz'] as const) {
    const asked = input[axis] ?? 0;
    if (Math.abs(applied[axis] - clamp(asked)) > 1e-6) breaches.push(`${axis} was applied as ${applied[axis]}`);
    if (Math.abs(asked) > 1.5 && reply.meta.degraded !== true) breaches.push('a clamped velocity is not called degraded');
  }
  breaches.push(...throughout(window, 'standing', stands));
  if (disturbed) return breaches;
  const { yawRad } = before.robot;
  const [dx, dy] = [after.robot.x - before.robot.x, after.robot.y - before.robot.y];
  const truth = {
    dx: Math.cos(yawRad) * dx + Math.sin(yawRad) * dy,
    dy: Math.cos(yawRad) * dy - Math.sin(yawRad) * dx,
  };
  if (Math.hypot(truth.dx - moved.dx, truth.dy - moved.dy) > 0.005)
    breaches.push(`the base moved (${truth.dx.toFixed(3)}, ${truth.dy.toFixed(3)}), the reply says (${moved.dx}, ${moved.dy})`);
  if (Math.abs(wrap(wrap(after.robot.yawRad - yawRad) - moved.dyaw)) > 0.01) breaches.push(`dyaw is not ${moved.dyaw}`);
  return breaches;
}
