import { ROBOT_IDS, type RobotId } from '../../src/protocol/wire/robot.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { renderState } from '../../src/simulation/world.ts';
import { type Chance, createChance } from '../oracle/chance.ts';
import { armsInside } from '../oracle/limbs.ts';
import { atPose, createTestRuntime, entity, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import type { PromiseSuite, Samples, SeedOutcome } from './suite.ts';

/** Maximum depth of the surface of an arm inside a box, metres. */
const MOST_INSIDE_M: Record<RobotId, number> = { humanoid: 0.06, picker: 0.035 };
/** Maximum share of all checks of a robot in a scene that may find the middle line of an arm in a box by more than grazing. */
const GRAZES_M = 0.005;
const MOST_SHARE_INSIDE = 0.08;
/** Steps between two checks of the arms. */
const LOOK_STEPS = 4;
const ROUNDS = { smoke: 5, full: 14 } as const;
const ANSWER_WITHIN_S = 60;

/** The observations of the arms in one session. */
interface Watch {
  t: TestRuntime;
  chance: Chance;
  failures: string[];
  looks: number;
  calls: number;
  /** Done calls, by the name of their skill, and all of them. */
  done: Map<string, [done: number, all: number]>;
  lineM: number;
  surfaceM: number;
  /** How many checks found a middle line in a box, not only grazing it. */
  inside: number;
}

const millimetres = (value: number): number => Math.round(value * 1000) / 1000;

/** Checks the arms as they are drawn at this moment. */
function look(watch: Watch, doing: string): void {
  const { world } = watch.t.core;
  const drawn = renderState(world);
  watch.looks += 1;
  let worst = { surfaceM: 0, lineM: 0, text: '' };
  for (const { part, obstacleId, lineM, surfaceM } of armsInside(world.robot.model, drawn, world.scene.layout.obstacles)) {
    watch.lineM = Math.max(watch.lineM, lineM);
    watch.surfaceM = Math.max(watch.surfaceM, surfaceM);
    if (surfaceM > worst.surfaceM)
      worst = {
        surfaceM,
        lineM,
        text: `${part} in ${obstacleId}: its middle ${(1000 * lineM).toFixed(0)} mm, its surface ${(1000 * surfaceM).toFixed(0)} mm`,
      };
  }
  if (worst.lineM > GRAZES_M) watch.inside += 1;
  if (worst.surfaceM > MOST_INSIDE_M[world.robot.model.id]) {
    const [entry] = watch.t.core.ledger.active.values();
    const { x, y, yawRad } = world.base.pose;
    const at = `${x.toFixed(2)}, ${y.toFixed(2)}, ${((yawRad * 180) / Math.PI).toFixed(0)}°`;
    watch.failures.push(
      `${world.scene.layout.scene_id}, ${world.robot.model.id}, ${doing}, step ${world.step}, ${entry?.phase ?? 'after it'}, at ${at}: ${worst.text}`,
    );
  }
}

/** Calls a skill and watches the arms until half a second after its answer. Only the worst check of a call is reported. */
function ask(watch: Watch, name: string, input: Record<string, unknown> = {}, mostS = ANSWER_WITHIN_S): Reply {
  const { t } = watch;
  watch.calls += 1;
  const doing = `call ${watch.calls}, ${name} ${JSON.stringify(input)}`;
  const before = watch.failures.length;
  const call = t.start(name, input);
  for (let step = 0, after = 0; step < mostS * 120 && after < 60; step += 1) {
    if (call.replies > 0) after += 1;
    t.advance();
    if (step % LOOK_STEPS === 0) look(watch, doing);
  }
  const reported = watch.failures.splice(before);
  const deepest = (text: string): number => Number(/surface (\d+) mm/.exec(text)?.[1] ?? 0);
  const [worst] = reported.sort((a, b) => deepest(b) - deepest(a));
  if (worst) watch.failures.push(`${worst} (${reported.length} looks)`);
  const [done, all] = watch.done.get(name) ?? [0, 0];
  watch.done.set(name, [done + (call.reply?.status === 'done' ? 1 : 0), all + 1]);
  return call.reply;
}

/**
 * Puts the robot beside a box of the scene, its disc clear of all of them, at a random heading. Returns the direction to the box,
 * world frame.
 */
function startBeside(watch: Watch): number | null {
  const { t, chance } = watch;
  const { layout } = t.core.world.scene;
  const { radiusM } = t.core.world.robot.model;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const box = chance.oneOf(layout.obstacles);
    const turn = ((box.pose.yaw_deg ?? 0) * Math.PI) / 180;
    const side = chance.below(4);
    const out = turn + (side * Math.PI) / 2;
    const [deep, wide] = side % 2 === 0 ? box.size : [box.size[1], box.size[0]];
    const [away, along] = [deep / 2 + radiusM + chance.between(0.005, 0.25), chance.between(-wide / 2, wide / 2)];
    const x = millimetres(box.pose.position[0] + away * Math.cos(out) - along * Math.sin(out));
    const y = millimetres(box.pose.position[1] + away * Math.sin(out) + along * Math.cos(out));
    const yaw_deg = Math.round(chance.between(-180, 180));
    const call = t.invoke('select_scene', { scene_id: layout.scene_id, start_pose: { position: [x, y, 0], yaw_deg } });
    if (call.status === 'done') return out + Math.PI - (yaw_deg * Math.PI) / 180;
  }
  return null;
}

/** Turns and drives next to furniture: on the spot, into it, along it. */
function besideFurniture(watch: Watch): void {
  const { chance } = watch;
  const bearing = startBeside(watch);
  if (bearing === null) return;
  for (let turn = 0; turn < 2; turn += 1) {
    const speed = chance.between(0.2, 1.5);
    const drive = (angle: number, wz: number, duration: number) =>
      ask(watch, 'set_velocity', {
        vx: millimetres(speed * Math.cos(angle)),
        vy: millimetres(speed * Math.sin(angle)),
        wz: millimetres(wz),
        duration_s: millimetres(duration),
      });
    const kind = chance.below(4);
    if (kind === 0) ask(watch, 'set_velocity', { vx: 0, vy: 0, wz: chance.oneOf([-1.5, 1.5, 0.7]), duration_s: 2.5 });
    if (kind === 1) drive(bearing + chance.between(-0.6, 0.6), 0, 1);
    if (kind === 2) drive(bearing + chance.oneOf([-1, 1]) * (Math.PI / 2), 0, 0.8);
    if (kind === 3) drive(chance.between(-Math.PI, Math.PI), chance.between(-1.5, 1.5), 1.2);
  }
}

/** Walks to something, takes it, turns with it, and puts it down somewhere. */
function carrySomething(watch: Watch): void {
  const { t, chance } = watch;
  const { pads } = t.core.world.scene.layout;
  const free = t.core.world.things.all.map(({ entityId }) => entityId);
  if (free.length === 0) return;
  const id = chance.oneOf(free);
  ask(watch, 'go_to', entity(id));
  if (ask(watch, 'pick_entity', entity(id)).status !== 'done') return;
  if (chance.happens(0.3)) ask(watch, 'set_velocity', { vx: 0, vy: 0, wz: chance.oneOf([-1.5, 1.5]), duration_s: 1.2 });
  if (chance.happens(0.3)) ask(watch, 'set_velocity', { vx: millimetres(chance.between(0.2, 1.5)), duration_s: 1 });
  const pad = chance.oneOf(pads).pad_id;
  if (chance.happens(0.75)) {
    ask(watch, 'go_to', entity(pad));
    ask(watch, 'place_entity', entity(pad));
  }
  if (t.core.world.grasp.hold === null) return;
  const { x, y, yawRad } = t.core.world.base.pose;
  const [angle, far] = [yawRad + chance.between(-1.5, 1.5), chance.between(0.42, 1)];
  ask(watch, 'place_entity', atPose(millimetres(x + far * Math.cos(angle)), millimetres(y + far * Math.sin(angle)), 0.075));
}

function walkSomewhere(watch: Watch): void {
  const { t, chance } = watch;
  const { pads } = t.core.world.scene.layout;
  ask(
    watch,
    'go_to',
    entity(chance.oneOf([...pads.map(({ pad_id }) => pad_id), ...t.core.world.things.all.map(({ entityId }) => entityId)])),
  );
}

async function session(sceneId: string, robotId: RobotId, seed: number, rounds: number): Promise<SeedOutcome> {
  const chance = createChance(seed);
  const t = await createTestRuntime({ seed, sceneId, robotId });
  const watch: Watch = { t, chance, failures: [], looks: 0, calls: 0, done: new Map(), lineM: 0, surfaceM: 0, inside: 0 };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 3 === 0) besideFurniture(watch);
    else if (t.core.world.grasp.hold === null && (round % 3 === 1 || chance.happens(0.5))) carrySomething(watch);
    else walkSomewhere(watch);
  }
  t.runtime.dispose();
  const key = `${sceneId} ${robotId}`;
  const samples: Record<string, number[]> = {
    [`line ${key}`]: [1000 * watch.lineM],
    [`surface ${key}`]: [1000 * watch.surfaceM],
    [`looks ${key}`]: [watch.looks],
    [`inside ${key}`]: [watch.inside],
  };
  for (const [name, [done, all]] of watch.done) {
    samples[`done ${name}`] = [done];
    samples[`all ${name}`] = [all];
  }
  return { cases: watch.calls, failures: watch.failures, samples };
}

/** Names robots whose arms are inside boxes too often in a scene. */
function verdict(samples: Samples): string[] {
  return Object.keys(samples)
    .filter((key) => key.startsWith('looks '))
    .flatMap((key) => {
      const name = key.slice('looks '.length);
      const [inside, looks] = [sum(samples[`inside ${name}`]), sum(samples[key])];
      if (inside <= MOST_SHARE_INSIDE * looks) return [];
      return [`${name}: ${inside} of ${looks} looks show the middle line of an arm in a box`];
    });
}

const sum = (values: readonly number[] = []): number => values.reduce((a, b) => a + b, 0);

function summary(samples: Samples): string {
  const keys = Object.keys(samples).filter((key) => key.startsWith('looks '));
  const scenes = keys.map((key) => {
    const name = key.slice('looks '.length);
    const most = (what: string): string => Math.max(0, ...(samples[`${what} ${name}`] ?? [])).toFixed(0);
    return `${name} ${most('line')}/${most('surface')} mm, ${sum(samples[`inside ${name}`])} of ${sum(samples[key])} looks`;
  });
  const done = Object.keys(samples)
    .filter((key) => key.startsWith('all '))
    .map((key) => `${key.slice(4)} ${sum(samples[`done ${key.slice(4)}`])}/${sum(samples[key])}`);
  return `middle/surface inside: ${scenes.join('; ')}; done: ${done.join(', ')}`;
}

/** Drawn arms against the boxes of every scene, for every robot: driving, turning, walking, picking and placing. */
export const arms: PromiseSuite = {
  name: 'arms',
  promises: ['P1'],
  title: 'the arms stay out of walls, tables and crates, whatever the robot does',
  seeds: { smoke: SCENE_IDS.length * ROBOT_IDS.length, full: 5 * SCENE_IDS.length * ROBOT_IDS.length },
  run(seed, size) {
    const scene = SCENE_IDS[seed % SCENE_IDS.length] ?? SCENE_IDS[0];
    const robot = ROBOT_IDS[Math.floor(seed / SCENE_IDS.length) % ROBOT_IDS.length] ?? ROBOT_IDS[0];
    return session(scene, robot ?? 'humanoid', seed, ROUNDS[size]);
  },
  summary,
  verdict,
};
