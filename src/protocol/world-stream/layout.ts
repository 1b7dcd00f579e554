import { DRIVER_KINDS, type DriverFacts } from '../wire/driver.ts';
import type { Quat, Vec3 } from '../wire/geometry.ts';
import type { CameraView, CollectedRender, ColourMode, FixtureRender, RigidPose, ThingRender } from '../wire/render-state.ts';
import { isRobotId, type RobotId } from '../wire/robot.ts';
import { robotModel } from '../wire/robots.ts';
import { THING_COLOURS, type ThingColour } from '../wire/scene.ts';
import { ByteReader, ByteWriter, fittingText } from './bytes.ts';
import { objectIn, putObject } from './things.ts';
import {
  FIELD_OF_VIEW_STEP_DEG,
  JOINT_STEP,
  POSITION_STEP_M,
  QUATERNION_STEP,
  TIME_STEP_S,
  type WorldSnapshot,
  type WorldStatus,
  WorldStreamError,
} from './world-frame.ts';

/**
 * A snapshot has two parts. Names seldom change: the existing things, and the robot's activity in words. Numbers change, some
 * with every step. Names are bytes, so one comparison shows whether they are still the same.
 */
export interface LaidOut {
  names: Uint8Array;
  /** Whole numbers: each value as a count of steps of its unit. The first two are step and simulated time. */
  numbers: number[];
}

/** How many numbers at the front change while nothing moves. */
export const CLOCK_NUMBERS = 2;

const COLOUR_MODES = ['natural', 'plain', 'segmentation'] as const satisfies readonly ColourMode[];
const FIXTURE_KINDS = ['conveyor'] as const satisfies readonly FixtureRender['kind'][];
/** The maximum count of anything in a world. */
const THINGS_MAX = 512;
/** A path with more corners is shown without those beyond this number. */
const PATH_SHOWN_MAX = 48;
/** The limit of every value, in its unit: enough for a robot that runs for 30 years. */
const VALUE_MAX = 1e9;
const POSE_NUMBERS = 7;

/** Lays a snapshot out. @throws WorldStreamError if a number is not finite, or if there are more things than a packet may have */
export function layOut({ sceneId, robotId, state, status, overlay }: WorldSnapshot): LaidOut {
  const names = new ByteWriter();
  const numbers: number[] = [];
  const put = (value: number, step: number): void => {
    if (!(Math.abs(value) <= VALUE_MAX)) throw new WorldStreamError('A number of the world is not finite.');
    // Without negative zeros, which would count as differences.
    numbers.push(Math.round(value / step) + 0);
  };
  const putPose = ({ position, orientation }: RigidPose): void => {
    for (const value of position) put(value, POSITION_STEP_M);
    for (const value of orientation) put(value, QUATERNION_STEP);
  };
  const putList = <T>(all: readonly T[], putOne: (one: T) => void): void => {
    if (all.length > THINGS_MAX) throw new WorldStreamError('There are more things than a packet may have.');
    names.count(all.length);
    for (const one of all) putOne(one);
  };

  names.text(sceneId);
  names.text(robotId);
  for (const word of [status.runtime, status.robot, status.action ?? '', status.phase ?? '']) names.text(fittingText(word));
  names.byte(status.emergencyStop ? 1 : 0);
  putList(status.driver ? [status.driver] : [], ({ identity, name, kind, since_ms: sinceMs }) => {
    // The robot's own page has none.
    names.text(fittingText(identity ?? ''));
    names.text(fittingText(name));
    names.byte(DRIVER_KINDS.indexOf(kind));
    names.count(Math.max(0, Math.round(sinceMs)));
  });
  names.byte(COLOUR_MODES.indexOf(state.colourMode));
  numbers.push(state.step);
  put(state.simTimeS, TIME_STEP_S);
  putPose(state.rootPose);
  putList(state.jointPositions, (value) => put(value, JOINT_STEP));
  putList(state.things, (thing) => {
    names.text(thing.entityId);
    names.byte(THING_COLOURS.indexOf(thing.colour));
    names.byte(thing.held ? 1 : 0);
    putObject(names, thing.object);
    putPose(thing);
  });
  putList(state.collected, (cube) => {
    names.text(cube.entityId);
    names.byte(THING_COLOURS.indexOf(cube.colour));
    names.text(cube.padId);
    putPose(cube);
    put(cube.ageS, TIME_STEP_S);
  });
  putList(Object.entries(state.cameras), ([id, view]) => {
    names.text(id);
    putPose(view);
    put(view.verticalFovDeg, FIELD_OF_VIEW_STEP_DEG);
  });
  putList(state.fixtures, ({ kind, id, travelM }) => {
    names.byte(FIXTURE_KINDS.indexOf(kind));
    names.text(id);
    put(travelM, POSITION_STEP_M);
  });
  names.text(overlay.targetEntityId ?? '');
  putList(overlay.goal ? [overlay.goal] : [], ({ x, y, yawRad }) => {
    put(x, POSITION_STEP_M);
    put(y, POSITION_STEP_M);
    put(yawRad, JOINT_STEP);
  });
  putList(overlay.path.slice(0, PATH_SHOWN_MAX), ([x, y]) => {
    put(x, POSITION_STEP_M);
    put(y, POSITION_STEP_M);
  });
  return { names: names.taken(), numbers };
}

type Named<T> = Omit<T, 'position' | 'orientation' | 'ageS' | 'travelM' | 'verticalFovDeg'>;

/** The content of a snapshot's names: all of it except the numbers. */
export interface Shape {
  sceneId: string;
  robotId: RobotId;
  status: WorldStatus;
  colourMode: ColourMode;
  joints: number;
  things: Named<ThingRender>[];
  collected: Named<CollectedRender>[];
  cameraIds: string[];
  fixtures: Named<FixtureRender>[];
  targetEntityId: string | null;
  goals: number;
  corners: number;
  /** How many numbers belong to it. */
  numbers: number;
}

/** Reads the names. @throws WorldStreamError for names that no world of this version has */
export function readShape(bytes: Uint8Array): Shape {
  const names = new ByteReader(bytes);
  const sceneId = names.text();
  const robotId = names.text();
  if (sceneId === '' || !isRobotId(robotId)) throw new WorldStreamError('The scene or the robot is unknown.');
  const [runtime, robot, action, phase] = [names.text(), names.text(), names.text(), names.text()];
  const emergencyStop = flag(names);
  const drivers = list(names, () => driverIn(names));
  if (drivers.length > 1) throw new WorldStreamError('Two drive one robot.');
  const [driver = null] = drivers;
  const status = { runtime, robot, action: action || null, phase: phase || null, emergencyStop, driver };
  const colourMode = choice(COLOUR_MODES, names);
  // Joints, goals and corners have no names: a packet cannot have more of them than it has numbers, which are counted before they
  // are read.
  const joints = bounded(names);
  if (joints !== robotModel(robotId).joints.length) throw new WorldStreamError('The robot has other joints.');
  const things = list(names, () => ({ entityId: names.text(), colour: colourIn(names), held: flag(names), ...objectIn(names) }));
  const collected = list(names, () => ({ entityId: names.text(), colour: colourIn(names), padId: names.text() }));
  const cameraIds = list(names, () => names.text());
  if (!cameraIds.includes('pov')) throw new WorldStreamError('The camera of the head is missing.');
  const fixtures = list(names, () => ({ kind: choice(FIXTURE_KINDS, names), id: names.text() }));
  const targetEntityId = names.text() || null;
  const goals = bounded(names);
  const corners = bounded(names);
  if (goals > 1 || corners > PATH_SHOWN_MAX || names.left > 0) throw new WorldStreamError('The names are not those of a world.');
  const numbers =
    CLOCK_NUMBERS +
    POSE_NUMBERS * (1 + things.length) +
    joints +
    (POSE_NUMBERS + 1) * (collected.length + cameraIds.length) +
    fixtures.length +
    3 * goals +
    2 * corners;
  return {
    sceneId,
    robotId,
    status,
    colourMode,
    joints,
    things,
    collected,
    cameraIds,
    fixtures,
    targetEntityId,
    goals,
    corners,
    numbers,
  };
}

/** Puts names and numbers together again. @throws WorldStreamError for numbers that no world has */
export function snapshotOf(shape: Shape, numbers: readonly number[], stepTimeMs: number): WorldSnapshot {
  if (numbers.length !== shape.numbers) throw new WorldStreamError('There are not as many numbers as things.');
  let at = 0;
  const whole = (): number => numbers[at++] ?? 0;
  const get = (step: number): number => {
    const value = whole() * step;
    if (!(Math.abs(value) <= VALUE_MAX * 2)) throw new WorldStreamError('A number is too large.');
    return value;
  };
  const vec3 = (): Vec3 => [get(POSITION_STEP_M), get(POSITION_STEP_M), get(POSITION_STEP_M)];
  const quat = (): Quat => {
    const [x, y, z, w] = [get(QUATERNION_STEP), get(QUATERNION_STEP), get(QUATERNION_STEP), get(QUATERNION_STEP)];
    const length = Math.sqrt(x * x + y * y + z * z + w * w);
    if (length < QUATERNION_STEP) throw new WorldStreamError('An orientation is not a rotation.');
    return [x / length, y / length, z / length, w / length];
  };
  const pose = (): RigidPose => ({ position: vec3(), orientation: quat() });
  const points = (count: number): [number, number][] =>
    Array.from({ length: count }, () => [get(POSITION_STEP_M), get(POSITION_STEP_M)]);

  const step = whole();
  const simTimeS = get(TIME_STEP_S);
  const rootPose = pose();
  const jointPositions = Array.from({ length: shape.joints }, () => get(JOINT_STEP));
  const things = shape.things.map((thing): ThingRender => ({ ...thing, ...pose() }));
  const collected = shape.collected.map((cube): CollectedRender => ({ ...cube, ...pose(), ageS: get(TIME_STEP_S) }));
  const cameras = Object.fromEntries(
    shape.cameraIds.map((id): [string, CameraView] => [id, { ...pose(), verticalFovDeg: get(FIELD_OF_VIEW_STEP_DEG) }]),
  ) as WorldSnapshot['state']['cameras'];
  const fixtures = shape.fixtures.map((fixture): FixtureRender => ({ ...fixture, travelM: get(POSITION_STEP_M) }));
  const [goal = null] = Array.from({ length: shape.goals }, () => ({
    x: get(POSITION_STEP_M),
    y: get(POSITION_STEP_M),
    yawRad: get(JOINT_STEP),
  }));
  const path = points(shape.corners);
  return {
    sceneId: shape.sceneId,
    robotId: shape.robotId,
    state: { step, simTimeS, rootPose, jointPositions, things, collected, cameras, colourMode: shape.colourMode, fixtures },
    status: shape.status,
    overlay: { path, goal, targetEntityId: shape.targetEntityId },
    stepTimeMs,
  };
}

const list = <T>(names: ByteReader, read: () => T): T[] => Array.from({ length: names.length(THINGS_MAX) }, read);

function bounded(names: ByteReader): number {
  const count = names.count();
  if (count > THINGS_MAX) throw new WorldStreamError('There are more things than a packet may have.');
  return count;
}

function choice<T>(all: readonly T[], names: ByteReader): T {
  const chosen = all[names.byte()];
  if (chosen === undefined) throw new WorldStreamError('A kind is unknown.');
  return chosen;
}

const driverIn = (names: ByteReader): DriverFacts => ({
  identity: names.text() || null,
  name: names.text(),
  kind: choice(DRIVER_KINDS, names),
  since_ms: names.count(),
});
const colourIn = (names: ByteReader): ThingColour => choice(THING_COLOURS, names);
const flag = (names: ByteReader): boolean => choice([false, true], names);
