/** For each limit with a physical meaning: does the robot reach it? Judged by physics and captures. */
import { createSimulationHost } from '../../src/runtime/host/simulation-host.ts';
import { createThing } from '../../src/simulation/thing-bodies.ts';
import { removeThing } from '../../src/simulation/things.ts';
import { cubeTruth, jointsOn, planarDistance, robotTruth } from '../runtime/oracle.ts';
import type { Reply, TestRuntime } from '../runtime/test-runtime.ts';
import { degrees } from './figures.ts';
import { controlActions, driverKinds } from './ranges-control.ts';
import { freePlace, gaze, putCube, standAt, wrapDeg } from './ranges-judge.ts';

/** Returns the faults, as sentences; empty when the limit is reached. */
type Case = (t: TestRuntime, limit: number, random: () => number) => string[] | Promise<string[]>;

const done = (reply: Reply): string[] => (reply.status === 'done' ? [] : [`${reply.error.code}: ${reply.error.message}`]);
const within = (what: string, value: number, wanted: number, tolerance: number): string[] =>
  Math.abs(value - wanted) <= tolerance ? [] : [`${what} is ${value.toFixed(4)} instead of ${wanted} ± ${tolerance}`];

/** The corridor between the racks in the south and rack_11: straight, free, 8 m long. */
const CORRIDOR = { y: -7, fromX: -2 };
const ACCELERATE_S = 2.5;

/**
 * Drives along the corridor, whatever the direction of the axis in the body; returns the speed at the end of the command, from
 * physics.
 */
const velocity =
  (axis: 'vx' | 'vy'): Case =>
  (t, limit, random) =>
    [1, -1].flatMap((sign) => {
      const headingDeg = axis === 'vx' ? (sign > 0 ? 0 : 180) : sign > 0 ? -90 : 90;
      standAt(t, CORRIDOR.fromX + random(), CORRIDOR.y, headingDeg);
      return [
        ...driven(t, axis, sign * limit, ACCELERATE_S, (peak) => within(`${axis} ${sign * limit}: m/s`, peak, limit, 0.015)),
        ...clamped(t, axis, sign * limit),
      ];
    });

const turning: Case = (t, limit, random) =>
  [1, -1].flatMap((sign) => {
    const [x, y] = freePlace(t, 0.5, random());
    standAt(t, x, y, random() * 360);
    return [
      ...driven(t, 'wz', sign * limit, 3, (peak) => within(`wz ${sign * limit}: rad/s`, peak, limit, 0.015)),
      ...clamped(t, 'wz', sign * limit),
    ];
  });

function driven(t: TestRuntime, axis: string, value: number, durationS: number, judge: (peak: number) => string[]): string[] {
  const call = t.start('set_velocity', { [axis]: value, duration_s: durationS });
  let peak = 0;
  t.stepUntil(() => {
    const { linearMps, angularRps } = robotTruth(t.core);
    peak = Math.max(peak, axis === 'wz' ? angularRps : linearMps);
    return call.replies > 0;
  });
  const { result, meta, status } = call.reply;
  const wrong = status !== 'done' || meta.degraded !== undefined || result.applied[axis] !== value;
  return [...judge(peak), ...(wrong ? [`the limit itself is answered ${JSON.stringify({ status, meta, result })}`] : [])];
}

/** One step past the limit is driven at the limit, and the reply notes it. */
function clamped(t: TestRuntime, axis: string, value: number): string[] {
  const { status, meta, result } = t.invoke('set_velocity', { [axis]: value * 1.0001, duration_s: 0.1 });
  const isSaid =
    status === 'done' && meta.degraded === true && /clamped/i.test(meta.note ?? '') && result.applied[axis] === value;
  return isSaid ? [] : [`past ${axis} ${value} the answer is ${JSON.stringify({ status, meta, result })}`];
}

/** How long it turns, by its measured speed: from the call until it slows down. */
const duration: Case = (t, limit) => {
  const [x, y] = freePlace(t, 0.5, 0.3);
  standAt(t, x, y, 0);
  const call = t.start('set_velocity', { wz: 0.5, duration_s: limit });
  const fromStep = t.core.world.step;
  let lastFast = fromStep;
  t.stepUntil(() => {
    if (robotTruth(t.core).angularRps > 0.45) lastFast = t.core.world.step;
    return call.replies > 0;
  }, limit + 10);
  return [...done(call.reply), ...within('seconds of turning', (lastFast - fromStep) / 120, limit, 0.1)];
};

const atTolerance: Case = (t, limit, random) => {
  const [x, y] = freePlace(t, 1.6, random());
  const angle = random() * 2 * Math.PI;
  standAt(t, x + 1.2 * Math.cos(angle), y + 1.2 * Math.sin(angle), random() * 360);
  const reply = t.invoke('go_to', { target: { kind: 'pose', pose: { position: [x, y, 0] } }, tolerance_m: limit });
  const error = planarDistance(robotTruth(t.core).position, [x, y]);
  return [...done(reply), ...(error <= limit + 1e-4 ? [] : [`it stands ${error.toFixed(4)} m off with a tolerance of ${limit}`])];
};

const goToYaw: Case = (t, limit, random) => {
  const [x, y] = freePlace(t, 0.8, random());
  standAt(t, x, y, random() * 360);
  const reply = t.invoke('go_to', { target: { kind: 'pose', pose: { position: [x, y, 0], yaw_deg: limit } } });
  return [...done(reply), ...within('heading', wrapDeg(degrees(robotTruth(t.core).yawRad) - limit), 0, 2)];
};

const startYaw: Case = (t, limit, random) => {
  const [x, y] = freePlace(t, 0.5, random());
  standAt(t, x, y, limit);
  return within('heading', wrapDeg(degrees(robotTruth(t.core).yawRad) - limit), 0, 0.01);
};

/** The heading of a look_at pose has no effect and must not cause a rejection. */
const lookYaw: Case = (t, limit, random) => {
  const [x, y] = freePlace(t, 1.2, random());
  standAt(t, x, y, 0);
  const reply = t.invoke('look_at', { target: { kind: 'pose', pose: { position: [x + 1, y, 0.3], yaw_deg: limit } } });
  return [...done(reply), ...within('the gaze', gaze(t).yawDeg, 0, 1)];
};

/** At a place where the shoulders do not matter: with a cube picked up and carried to a pallet. */
function carryTo(t: TestRuntime, padId: string): string[] {
  standAt(t, 0.405, -1.497, 0);
  return [
    ...done(t.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } })),
    ...done(t.invoke('go_to', { target: { kind: 'entity', entity_id: padId } })),
  ];
}

const placeSlot: Case = (t, index) => {
  const problems = carryTo(t, 'pad_D');
  problems.push(...done(t.invoke('configure_benchmark', { benchmark: { collect: false } })));
  const slots = t.read('runtime.scene_layout').slots.filter(({ pad_id: padId }: Reply) => padId === 'pad_D');
  const slot = slots.find((candidate: Reply) => candidate.index === index);
  const below = slots.find(
    ({ position }: Reply) => planarDistance(position, slot.position) < 0.01 && position[2] < slot.position[2],
  );
  if (below) putCube(t, 'cube_6', below.position);
  const reply = t.invoke('place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index } });
  const { position, linearMps } = cubeTruth(t.core, 'cube_0');
  return [
    ...problems,
    ...done(reply),
    ...within('metres from the slot', planarDistance(position, slot.position), 0, 0.05),
    ...within('height', position[2], slot.position[2], 0.02),
    ...within('speed', linearMps, 0, 0.02),
  ];
};

const placeYaw: Case = (t, limit) => {
  standAt(t, 0.405, -1.497, 0);
  const problems = done(t.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } }));
  standBack(t);
  const { position } = robotTruth(t.core);
  const place = [position[0] - 0.1, position[1] - 0.9, 0.075];
  const reply = t.invoke('place_entity', { target: { kind: 'pose', pose: { position: place, yaw_deg: limit } } });
  const cube = cubeTruth(t.core, 'cube_0');
  const quarter = ((((degrees(cube.yawRad) - limit) % 90) + 135) % 90) - 45;
  return [
    ...problems,
    ...done(reply),
    ...within('metres from the place', planarDistance(cube.position, place), 0, 0.05),
    ...within('heading of a face', quarter, 0, 5),
  ];
};

/** Away from the belt, with free floor all round. */
const standBack = (t: TestRuntime): void => void t.invoke('set_velocity', { vx: -0.5, duration_s: 1 });

const head =
  (axis: 'yaw' | 'pitch'): Case =>
  (t, limit, random) => {
    const [x, y] = freePlace(t, 0.5, random());
    standAt(t, x, y, random() * 360);
    const reply = t.invoke('set_head', { [axis]: limit });
    const { yawDeg, pitchDeg } = gaze(t);
    return [...done(reply), ...within(`degrees of ${axis}`, axis === 'yaw' ? yawDeg : pitchDeg, degrees(limit), 1)];
  };

/** Two worlds of a seed are the same, and the state has the seed. */
const seedOf =
  (skill: 'reset' | 'select_scene'): Case =>
  (t, seed) => {
    const entities = (): string => JSON.stringify(t.read('runtime.scene_state').entities) + String(t.core.world.random.state);
    const load = (): string[] => done(t.invoke(skill, skill === 'reset' ? { seed } : { scene_id: 'warehouse', seed }));
    const problems = [...load()];
    const first = entities();
    t.invoke('set_velocity', { vx: -0.5 });
    problems.push(...load(), ...(entities() === first ? [] : ['the same seed gives another world']));
    return [...problems, ...within('the seed in the state', t.read('runtime.state').robot.extra.sim.seed, seed, 0)];
  };

const beltSeed: Case = (t, seed) => {
  const generator = (): string => {
    t.invoke('configure_benchmark', { benchmark: { seed } });
    return String(t.core.world.random.state);
  };
  const first = generator();
  t.invoke('reset', { seed: 5 });
  return first === generator() ? [] : ['the generator starts otherwise with the same seed'];
};

/** The host that paces the tab, on a clock of the judge's: steps made per second of it. */
const speed: Case = async (t, limit) => {
  const problems = done(t.invoke('set_sim_speed', { speed: limit }));
  let nowMs = 0;
  const host = createSimulationHost({
    runtime: t.runtime,
    post: () => {},
    monotonicMs: () => nowMs,
    wallMs: () => t.nowMs + nowMs,
    hidden: false,
    sleep: async (ms) => {
      nowMs += Math.max(ms, 0.5);
      if (nowMs >= LAST_MS) host.stop();
    },
  });
  const LAST_MS = limit < 1 ? 50_000 : 2_000;
  const fromStep = t.core.world.step;
  await host.run();
  const factor = (t.core.world.step - fromStep) / 120 / (nowMs / 1000);
  t.invoke('set_sim_speed', { speed: 1 });
  return [...problems, ...within('simulated seconds per second', factor, limit, limit * 0.02)];
};

/** The clock jumps to just before the deadline, and past it. */
const deadline: Case = (t, limit) => {
  standAt(t, -1.2, -3.6, 0);
  const seconds = limit === 0 ? 1e-6 : limit;
  const call = t.start('set_velocity', { wz: 0.3, duration_s: 300 }, { deadline_s: seconds });
  t.nowMs += seconds * 1000 - 100;
  if (limit > 0) t.advance(3);
  const early = call.replies > 0 ? ['it answers before its deadline'] : [];
  t.nowMs += 200;
  const reply = t.finish(call, 2);
  const code = reply.error?.code === 'DEADLINE_EXCEEDED' ? [] : [`it answers ${JSON.stringify(reply)}`];
  return [...early, ...code, ...within('speed after the end', robotTruth(t.core).angularRps, 0, 0.05)];
};

const captured =
  (field: 'width' | 'height' | 'quality'): Case =>
  (t, limit) => {
    const value = field === 'quality' && limit === 0 ? 1e-6 : limit;
    t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' }, options: { [field]: value } });
    const job = t.jobs.at(-1);
    const asked = { width: job?.widthPx, height: job?.heightPx, quality: job?.quality }[field];
    const framed = field === 'quality' ? value : job?.frame[field];
    return asked === value && framed === value ? [] : [`the picture asked for has ${field} ${asked}, its frame says ${framed}`];
  };

const reach = /Reach: ([\d.]+) m/;
/** The reach in a skill's description. */
export const advertisedReachM = (t: TestRuntime, skill: string): number => {
  const { description } = t.read('runtime.tools_list').find(({ name }: Reply) => name === skill);
  return Number(reach.exec(description)?.[1]);
};

/**
 * From all directions, at any heading: a cube on the floor just inside the reach is taken; just outside it is rejected with both
 * figures.
 */
export function pickAllRound(
  t: TestRuntime,
  reachM: number,
  random: () => number,
  count: number,
): { cases: number; failures: string[] } {
  const failures: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const place = freePlace(t, reachM + 0.45, random());
    const angle = ((i + random()) / count) * 2 * Math.PI;
    const headingDeg = random() * 360;
    for (const distanceM of [reachM - 0.001, reachM + 0.002]) {
      standAt(t, place[0] + distanceM * Math.cos(angle), place[1] + distanceM * Math.sin(angle), headingDeg);
      putCube(t, 'cube_3', [...place, 0.075], random() * Math.PI);
      const reply = t.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_3' } });
      const label = `a cube ${distanceM.toFixed(3)} m away at ${degrees(angle).toFixed(0)}°, robot turned to ${headingDeg.toFixed(0)}°`;
      const isHeld = jointsOn(t.core, 'cube_3') === 1;
      if (distanceM < reachM && !(reply.status === 'done' && isHeld))
        failures.push(`${label}: ${JSON.stringify(reply.error ?? reply)}`);
      if (distanceM < reachM) continue;
      const { code, message, details } = reply.error ?? {};
      const isNamed = code === 'OUT_OF_REACH' && details.reach_m === reachM && Math.abs(details.distance_m - distanceM) < 0.002;
      if (!isNamed || isHeld || !message.includes('> 1.20m')) failures.push(`${label}: ${JSON.stringify(reply)}`);
    }
  }
  return { cases: 2 * count, failures };
}

/** With a cube in the hands, in the open: just inside the reach it is put down, in any direction; just outside it is rejected. */
export function placeAllRound(t: TestRuntime, reachM: number, random: () => number): { cases: number; failures: string[] } {
  standAt(t, 0.405, -1.497, 0);
  const [x, y] = freePlace(t, reachM + 0.45, random());
  const failures = [
    ...done(t.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } })),
    ...done(t.invoke('go_to', { target: { kind: 'pose', pose: { position: [x, y, 0], yaw_deg: random() * 360 } } })),
  ];
  const angle = random() * 2 * Math.PI;
  for (const distanceM of [reachM + 0.002, reachM - 0.001]) {
    const { position } = robotTruth(t.core);
    const place = [(position[0] ?? 0) + distanceM * Math.cos(angle), (position[1] ?? 0) + distanceM * Math.sin(angle), 0.075];
    const reply = t.invoke('place_entity', { target: { kind: 'pose', pose: { position: place } } });
    const offM = planarDistance(cubeTruth(t.core, 'cube_0').position, place);
    const label = `a place ${distanceM.toFixed(3)} m away at ${degrees(angle).toFixed(0)}°`;
    const isRight = distanceM < reachM ? reply.status === 'done' && offM < 0.05 : reply.error?.code === 'OUT_OF_REACH';
    if (!isRight) failures.push(`${label}: ${JSON.stringify(reply)}, the cube is ${offM.toFixed(3)} m off`);
  }
  return { cases: 2, failures };
}

/** Kinds of `scene_state`: each filter returns only that kind. */
export function kindFilter(t: TestRuntime, kinds: readonly string[]): string[] {
  // The warehouse has no object of its own.
  const made = { shape: { kind: 'box', size: [0.1, 0.1, 0.1] }, category: 'box', massKg: 0.2, friction: 0.9 } as const;
  const object = createThing(t.core.world, { ...made, entityId: 'a_box', colour: 'red' }, [-3, -3.6, 0.05], 0);
  try {
    return kinds.flatMap((kind) => kindFound(t, kind));
  } finally {
    removeThing(t.core.world, object);
  }
}

function kindFound(t: TestRuntime, kind: string): string[] {
  const found = Object.values(t.read('runtime.scene_state', { kinds: [kind] }).entities).map((entity) => (entity as Reply).kind);
  return found.length > 0 && found.every((each) => each === kind)
    ? []
    : [`kinds ["${kind}"] gives ${found.join(', ') || 'nothing'}`];
}

/** Colour modes: what a capture draws with. */
export function colourModes(t: TestRuntime, modes: readonly string[]): string[] {
  return modes.flatMap((mode) => {
    const problems = done(t.invoke('set_color_mode', { mode }));
    t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
    const drawn = t.jobs.at(-1)?.renderState.colourMode;
    return [...problems, ...(drawn === mode ? [] : [`mode ${mode} draws ${drawn}`])];
  });
}

/** Along every axis, at the farthest allowed position: nothing of a scene is there, and the answer names the reason. */
const farPositions = (skill: string, code: string | null, codeOfHeight: string | null): Record<string, Case> =>
  perItem(3, (index) => (t, limit) => {
    const position = [0, -3, 0.075].map((value, axis) => (axis === index ? limit : value));
    standAt(t, 0, -3, 0);
    const pose = { position };
    const input = skill === 'select_scene' ? { scene_id: 'warehouse', start_pose: pose } : { target: { kind: 'pose', pose } };
    const reply = t.invoke(skill, input);
    const reported = reply.error?.code ?? null;
    return reported === (index === 2 ? codeOfHeight : code)
      ? []
      : [`${skill} at ${position} is answered ${JSON.stringify(reply)}`];
  });

/** A quaternion of one number, with the maximum length: the heading is that of its direction. */
const orientations = (skill: string): Record<string, Case> =>
  perItem(4, (index) => (t, limit, random) => {
    const [x, y] = freePlace(t, 0.8, random());
    const orientation = [0, 0, 0, 0].map((value, at) => (at === index ? limit : value));
    // A half turn about y or z faces the other way, one about x does not.
    const headingDeg = index === 1 || index === 2 ? 180 : 0;
    const pose = { position: [x, y, 0], orientation_xyzw: orientation };
    if (skill === 'select_scene') {
      const reply = t.invoke(skill, { scene_id: 'warehouse', start_pose: pose });
      return [...done(reply), ...within('heading', wrapDeg(degrees(robotTruth(t.core).yawRad) - headingDeg), 0, 0.01)];
    }
    if (skill === 'go_to') {
      standAt(t, x, y, 0);
      const reply = t.invoke(skill, { target: { kind: 'pose', pose } });
      return [...done(reply), ...within('heading', wrapDeg(degrees(robotTruth(t.core).yawRad) - headingDeg), 0, 2)];
    }
    // Those have no use for it, or fail earlier for other reasons; it must not cause a rejection.
    const reply = t.invoke(skill, { target: { kind: 'pose', pose: { ...pose, position: [x, y, 0.075] } } });
    return reply.error?.code === 'INVALID_INPUT' ? [`${skill} refuses ${orientation}: ${reply.error.message}`] : [];
  });

function perItem(count: number, make: (index: number) => Case): Record<string, Case> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`[${index}]`, make(index)]));
}

const keyed = (field: string, cases: Record<string, Case>): Record<string, Case> =>
  Object.fromEntries(Object.entries(cases).map(([item, one]) => [field + item, one]));

/** By key of the limit, without the keyword if minimum and maximum are tried alike. */
export const PHYSICAL: Readonly<Record<string, Case>> = {
  'set_velocity.vx': velocity('vx'),
  'set_velocity.vy': velocity('vy'),
  'set_velocity.wz': turning,
  'set_velocity.duration_s': duration,
  ...keyed('go_to.target[pose].pose.position', farPositions('go_to', 'GOAL_OUTSIDE_MAP', null)),
  ...keyed('go_to.target[pose].pose.orientation_xyzw', orientations('go_to')),
  'go_to.target[pose].pose.yaw_deg': goToYaw,
  'go_to.tolerance_m': atTolerance,
  'place_entity.target[slot].index': placeSlot,
  ...keyed('place_entity.target[pose].pose.position', farPositions('place_entity', 'HANDS_EMPTY', 'INVALID_INPUT')),
  ...keyed('place_entity.target[pose].pose.orientation_xyzw', orientations('place_entity')),
  'place_entity.target[pose].pose.yaw_deg': placeYaw,
  'set_head.yaw': head('yaw'),
  'set_head.pitch': head('pitch'),
  ...keyed('look_at.target[pose].pose.position', farPositions('look_at', null, 'OUT_OF_REACH')),
  ...keyed('look_at.target[pose].pose.orientation_xyzw', orientations('look_at')),
  'look_at.target[pose].pose.yaw_deg': lookYaw,
  'reset.seed': seedOf('reset'),
  'select_scene.seed': seedOf('select_scene'),
  ...keyed('select_scene.start_pose.position', farPositions('select_scene', 'GOAL_OUTSIDE_MAP', null)),
  ...keyed('select_scene.start_pose.orientation_xyzw', orientations('select_scene')),
  'select_scene.start_pose.yaw_deg': startYaw,
  'set_sim_speed.speed': speed,
  'configure_benchmark.benchmark.seed': beltSeed,
  'runtime.tools_call.options.deadline_s': deadline,
  'runtime.cameras_capture.options.width': captured('width'),
  'runtime.cameras_capture.options.height': captured('height'),
  'runtime.cameras_capture.options.quality': captured('quality'),
};

/** Choices: all of them at once. */
export const CHOICES: Readonly<Record<string, (t: TestRuntime, choices: readonly string[]) => string[]>> = {
  'reset.scene_id': (t, ids) => ids.flatMap((id) => done(t.invoke('reset', { scene_id: id }))),
  'select_scene.scene_id': (t, ids) => ids.flatMap((id) => done(t.invoke('select_scene', { scene_id: id }))),
  'set_color_mode.mode': colourModes,
  'runtime.scene_state.kinds[]': kindFilter,
  'runtime.control.action': controlActions,
  'runtime.control.kind': driverKinds,
};
