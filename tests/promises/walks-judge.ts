import { ROBOT_RADIUS_M } from '../../src/protocol/robots/humanoid.ts';
import type { RuntimeCore } from '../../src/runtime/core.ts';
import { jointCount, jointsOn } from '../runtime/oracle.ts';
import type { Reply } from '../runtime/test-runtime.ts';
import { degrees, radians } from './figures.ts';
import { cubeShapes } from './paths-cubes.ts';
import { FINE_M, JudgesFloor, layoutShapes, type XY } from './paths-floor.ts';
import { apart, type Moment, type Motion, turnBetween } from './walks-trace.ts';

/** Judges one walk from the base's trajectory, the bodies in the physics world and the layout document. */

export interface Request extends XY {
  /** Degrees; null if any heading is allowed. */
  yawDeg: number | null;
  /** Metres; null if the call names none. */
  toleranceM: number | null;
}

/** The paths that the floor allows when the call is made. */
export interface Prospect {
  floor: JudgesFloor;
  /** `yes`: a path certainly exists. `no`: certainly none exists. `unsure`: below the resolution of the grid. */
  feasible: 'yes' | 'no' | 'unsure';
  /** The goal is already reached, `surely` or by a hair; and the base stands. */
  met: boolean;
  optimumM: () => number;
}

const DEFAULT_TOLERANCE_M = 0.05;
const YAW_TOLERANCE_DEG = 2;
const STILL_MPS = 0.02;
const STILL_RPS = 0.05;
const SETTLE_STEPS = 30;
/** Replies are rounded to 0.1 mm and 0.01 degrees; the body is single precision. */
const ROUNDING_M = 2e-4;
const ROUNDING_DEG = 0.02;
/** The base's own disc is a centimetre smaller than the planner's; it may be this much nearer to things than planned. */
const BODY_RADIUS_M = ROBOT_RADIUS_M - 0.0105;
/** The farthest corner of a carried cube, and a margin. */
const CARRYING_RADIUS_M = 0.55;
const CARRYING_BOTTOM_M = 0.75;

export const toleranceOf = ({ toleranceM }: Request): number => toleranceM ?? DEFAULT_TOLERANCE_M;

export function errorsAt({ x, y, yawDeg }: Request, at: Moment): { metres: number; degrees: number } {
  return { metres: apart({ x, y }, at), degrees: yawDeg === null ? 0 : degrees(turnBetween(radians(yawDeg), at.yawRad)) };
}

let bareFloor: JudgesFloor | null = null;
let bareSwing: JudgesFloor | null = null;

/**
 * @param carrying with a cube before it the robot certainly reaches places with room for it to turn, and no place without room
 * for itself
 */
export function prospectOf(core: RuntimeCore, layout: Reply, request: Request, at: Moment, carrying: boolean): Prospect {
  bareFloor ??= new JudgesFloor(layout, []);
  const floor = new JudgesFloor(layout, cubeShapes(core.world, false), bareFloor);
  const cautious = new JudgesFloor(layout, cubeShapes(core.world, true), bareFloor);
  const joined = cautious.rooms(ROBOT_RADIUS_M, 'strict');
  const separate = floor.rooms(ROBOT_RADIUS_M, 'generous');
  const error = errorsAt(request, at);
  const met =
    error.metres < toleranceOf(request) - ROUNDING_M &&
    error.degrees < YAW_TOLERANCE_DEG - ROUNDING_DEG &&
    at.linearMps < STILL_MPS / 2 &&
    at.angularRps < STILL_RPS / 2;
  const wide = carrying ? swingFloor(core, layout).rooms(ROBOT_RADIUS_M, 'strict') : joined;
  const from = roomsNear(wide, at);
  const roomM = floor.isInside(request) ? cautious.nearest(request).distanceM : 0;
  const isJoined = from.has(wide(request)) && roomM > ROBOT_RADIUS_M + ROUNDING_M;
  const hasNoRoom = !floor.isInside(request) || cautious.nearest(request).distanceM < ROBOT_RADIUS_M - ROUNDING_M;
  const isApart = !roomsNear(separate, at).has(separate(request));
  const feasible = met || isJoined ? 'yes' : hasNoRoom || isApart ? 'no' : 'unsure';
  return { floor, feasible, met, optimumM: () => floor.lengthsFrom(at, ROBOT_RADIUS_M)(request) };
}

/** Where a carried cube is clear of everything at its height at any heading of the robot. */
function swingFloor(core: RuntimeCore, layout: Reply): JudgesFloor {
  bareSwing ??= new JudgesFloor(
    layout,
    [],
    undefined,
    layoutShapes(layout, CARRYING_RADIUS_M - ROBOT_RADIUS_M, CARRYING_BOTTOM_M),
  );
  return new JudgesFloor(layout, cubeShapes(core.world, true), bareSwing);
}

/** The robot may stand a little nearer to something than it would plan. */
function roomsNear(rooms: (point: XY) => number, { x, y }: XY): Set<number> {
  const found = new Set<number>();
  for (let dx = -3; dx <= 3; dx += 1)
    for (let dy = -3; dy <= 3; dy += 1) {
      const room = rooms({ x: x + dx * FINE_M, y: y + dy * FINE_M });
      if (room !== 0) found.add(room);
    }
  return found;
}

export interface Walk {
  request: Request;
  prospect: Prospect;
  reply: Reply;
  /** From the call to its answer, one moment per step, the first before any. */
  trace: readonly Moment[];
  /** Half a second more. */
  after: readonly Moment[];
  motion: Motion;
}

const REFUSALS = ['NO_PATH', 'GOAL_OCCUPIED', 'GOAL_OUTSIDE_MAP'];

/** Returns the faults of an undisturbed walk; a sentence each. */
export function wrongsOfWalk({ request, prospect, reply, trace, after, motion }: Walk): string[] {
  const wrongs: string[] = [];
  const [first, last] = [trace[0], trace.at(-1)];
  if (!first || !last) return ['no trace'];
  const code: string | undefined = reply.error?.code;
  if (reply.status === 'done') {
    if (prospect.feasible === 'no') wrongs.push('done, but the goal cannot be reached');
    wrongs.push(...wrongsOfDone(request, reply.result, trace, motion));
    if (prospect.met && (trace.length > 1 || motion.lengthM > 0))
      wrongs.push('the goal was met, yet the robot moved or let time pass');
  } else if (code !== undefined && REFUSALS.includes(code)) {
    if (prospect.feasible === 'yes') wrongs.push(`${code}, but a way leads there`);
    if (reply.error.details.attempted !== motion.lengthM > 0.01) wrongs.push(`${code} after ${motion.lengthM.toFixed(2)} m`);
  } else wrongs.push(`${code}: ${reply.error?.message}`);
  wrongs.push(...wrongsOfRest(last, after));
  const nearest = nearestPass(prospect.floor, trace);
  if (nearest.roomM < BODY_RADIUS_M) wrongs.push(`the base came within ${nearest.roomM.toFixed(4)} m of ${nearest.id}`);
  return wrongs;
}

/** A `done` walk is inside the tolerance and still for a quarter of a second, and its figures are true. */
export function wrongsOfDone(request: Request, result: Reply, trace: readonly Moment[], motion: Motion): string[] {
  const wrongs: string[] = [];
  const last = trace.at(-1);
  if (!last) return ['no trace'];
  for (const [i, moment] of trace.slice(-SETTLE_STEPS).entries()) {
    const error = errorsAt(request, moment);
    const isStill = moment.linearMps < STILL_MPS && moment.angularRps < STILL_RPS;
    const isThere = error.metres <= toleranceOf(request) + ROUNDING_M && error.degrees <= YAW_TOLERANCE_DEG + ROUNDING_DEG;
    if (isStill && isThere) continue;
    const before = Math.min(SETTLE_STEPS, trace.length) - 1 - i;
    const how = isThere
      ? `moved at ${moment.linearMps.toFixed(3)} m/s`
      : `was ${error.metres.toFixed(4)} m, ${error.degrees.toFixed(2)}° off`;
    wrongs.push(`done, but ${before} steps earlier the base ${how}`);
    break;
  }
  const error = errorsAt(request, last);
  const reported = { metres: result.position_error_m, degrees: result.yaw_error_deg };
  if (Math.abs(reported.metres - error.metres) > ROUNDING_M || Math.abs(reported.degrees - error.degrees) > ROUNDING_DEG)
    wrongs.push(
      `it says ${reported.metres} m and ${reported.degrees}° off, it is ${error.metres.toFixed(4)} m and ${error.degrees.toFixed(2)}°`,
    );
  const [x, y] = result.pose.position;
  if (apart({ x, y }, last) > ROUNDING_M) wrongs.push(`it says it stands at (${x}, ${y})`);
  if (Math.abs(result.path_m - motion.lengthM) > 0.005 + 0.01 * motion.lengthM)
    wrongs.push(`it says ${result.path_m} m walked, it was ${motion.lengthM.toFixed(3)} m`);
  return wrongs;
}

/** After an end nothing moves. */
export function wrongsOfRest(last: Moment, after: readonly Moment[]): string[] {
  const moved = after.find(
    (moment) =>
      moment.linearMps > STILL_MPS ||
      moment.angularRps > STILL_RPS ||
      apart(moment, last) > 0.005 ||
      turnBetween(moment.yawRad, last.yawRad) > 0.01,
  );
  return moved ? [`the base moves at ${moved.linearMps.toFixed(3)} m/s after the end`] : [];
}

function nearestPass(floor: JudgesFloor, trace: readonly Moment[]): { id: string; roomM: number } {
  let nearest = { id: '', roomM: Number.POSITIVE_INFINITY };
  for (const [i, moment] of trace.entries()) {
    if (i % 4 !== 0 || floor.roomAt(moment) > nearest.roomM + FINE_M || floor.roomAt(moment) > 2 * ROBOT_RADIUS_M) continue;
    const { id, distanceM } = floor.nearest(moment);
    if (distanceM < nearest.roomM) nearest = { id, roomM: distanceM };
  }
  return nearest;
}

/** Returns whether this cube, and no other thing, is in the hands. */
export const holdsOnly = (core: RuntimeCore, entityId: string): boolean =>
  jointsOn(core, entityId) > 0 && jointCount(core) === jointsOn(core, entityId);
