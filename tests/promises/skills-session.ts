import type { Chance } from '../oracle/chance.ts';
import { pickIsFeasible, poseIsFeasible, slotIsFeasible } from '../oracle/feasible.ts';
import { clearSpot, strew } from '../oracle/layouts.ts';
import { planar, type Truth } from '../oracle/truth.ts';
import type { TestRuntime } from '../runtime/test-runtime.ts';
import { count, createAsker } from './asks.ts';

/** One agent, and random interference in the scene, against one robot. */
export interface Session {
  next(): void;
  cases(): number;
  simulatedS(): number;
  failures: string[];
  samples: Record<string, number[]>;
}

interface Call {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of all skills.
  input: any;
  /** Whether it must succeed. Null if that cannot be decided. */
  feasible: boolean;
}

/** An interruption that may come between a call and its end. */
type Interruption =
  | { kind: 'none' }
  | { kind: 'cancel'; afterSteps: number }
  | { kind: 'deadline'; seconds: number }
  | { kind: 'knock'; afterSteps: number };

const entity = (id: string) => ({ target: { kind: 'entity', entity_id: id } });
const round = (value: number): number => Math.round(value * 1000) / 1000;

export function createSession(t: TestRuntime, chance: Chance): Session {
  const { core } = t;
  const asker = createAsker(t);
  const fromMs = t.nowMs;

  function knock(): void {
    const truth = asker.witness.now();
    const near = [...truth.things.values()].filter((thing) => planar(thing, truth.robot) < 1.3);
    if (near.length === 0) return;
    const body = core.world.things.byId.get(chance.oneOf(near).id)?.rigidBody;
    body?.applyImpulse({ x: chance.between(-0.6, 0.6), y: chance.between(-0.6, 0.6), z: chance.between(0, 0.6) }, true);
  }

  function run({ name, input, feasible }: Call, interruption: Interruption): void {
    const actionId = `storm-${asker.cases}`;
    const failuresBefore = asker.failures.length;
    asker.ask(name, input, {
      feasible: feasible && interruption.kind === 'none' ? name : undefined,
      disturbed: interruption.kind === 'knock',
      options: { action_id: actionId, ...(interruption.kind === 'deadline' ? { deadline_s: interruption.seconds } : {}) },
      meanwhile: (step) => {
        if (interruption.kind === 'cancel' && step === interruption.afterSteps)
          t.send('runtime.cancel', { options: { action_id: chance.oneOf([actionId, 'cancel-active']) } });
        if (interruption.kind === 'knock' && step === interruption.afterSteps) knock();
      },
    });
    count(asker.samples, `calls ${name}`, 1);
    if (interruption.kind === 'none') return;
    const reported = asker.failures.splice(failuresBefore).map((failure) => `${failure} (${JSON.stringify(interruption)})`);
    asker.failures.push(...reported);
  }

  const interruption = (): Interruption =>
    chance.weighted<() => Interruption>([
      [7, () => ({ kind: 'none' })],
      [1, () => ({ kind: 'cancel', afterSteps: chance.below(400) })],
      [0.7, () => ({ kind: 'deadline', seconds: round(chance.between(0.01, 4)) })],
      [0.7, () => ({ kind: 'knock', afterSteps: chance.below(300) })],
    ])();

  return {
    next() {
      const call = chooseCall(t, chance, asker.witness.now());
      run(call, interruption());
      if (call.name === 'reset' || call.name === 'select_scene') {
        strew(core, chance);
        for (let step = 0; step < 120; step += 1) asker.advance();
      }
    },
    cases: () => asker.cases,
    simulatedS: () => (t.nowMs - fromMs) / 1000,
    failures: asker.failures,
    samples: asker.samples,
  };
}

/** A call that is usually sensible: it approaches a thing that it is about to pick, and carries a held thing to a pad. */
function chooseCall(t: TestRuntime, chance: Chance, truth: Truth): Call {
  const { core } = t;
  const { layout } = core.world.scene;
  const cubes = [...truth.things.values()];
  const pads = layout.pads.map(({ pad_id }) => pad_id);
  const near = cubes.filter((thing) => planar(thing, truth.robot) < 1.2 && thing.joints === 0);
  const holds = truth.held.length > 0;
  const sure = (name: string, input: Call['input'] = {}): Call => ({ name, input, feasible: true });
  const maybe = (name: string, input: Call['input']): Call => ({ name, input, feasible: false });

  const pick = (): Call => {
    if (near.length === 0 || chance.happens(0.05))
      return maybe('pick_entity', entity(chance.oneOf([...cubes.map(({ id }) => id), 'cube', 'pad_B', 'cube_999'])));
    if (chance.happens(0.15)) return maybe('pick_entity', entity('cube'));
    const { id } = chance.oneOf(near);
    return { name: 'pick_entity', input: entity(id), feasible: pickIsFeasible(core, truth, id) };
  };
  const place = (): Call => {
    const manner = chance.oneOf(['nothing', 'pad', 'slot', 'slot', 'pose'] as const);
    const nearPads = layout.pads.filter(
      (pad) => Math.hypot(pad.position[0] - truth.robot.x, pad.position[1] - truth.robot.y) < 1.2,
    );
    const pad = nearPads.length > 0 && chance.happens(0.9) ? chance.oneOf(nearPads).pad_id : chance.oneOf(pads);
    if (manner === 'nothing') return maybe('place_entity', {});
    if (manner === 'pad') return maybe('place_entity', entity(pad));
    if (manner === 'slot') {
      const { index } = chance.oneOf(layout.slots.filter(({ pad_id }) => pad_id === pad));
      const feasible = slotIsFeasible(core, layout, truth, pad, index);
      return { name: 'place_entity', input: { target: { kind: 'slot', pad_id: pad, index } }, feasible };
    }
    const [angle, distance] = [chance.between(-Math.PI, Math.PI), chance.between(0.3, 1.25)];
    const x = round(truth.robot.x + distance * Math.cos(angle));
    const y = round(truth.robot.y + distance * Math.sin(angle));
    return maybe('place_entity', { target: { kind: 'pose', pose: { position: [x, y, 0.075] } } });
  };
  const walk = (): Call => {
    if (holds ? chance.happens(0.7) : chance.happens(0.2)) return maybe('go_to', entity(chance.oneOf(pads)));
    if (chance.happens(0.5)) return maybe('go_to', entity(chance.oneOf(cubes).id));
    const spot = (chance.happens(0.8) && clearSpot(core, chance, 0.3)) || { x: chance.between(-6, 6), y: chance.between(-9, 5) };
    const [x, y] = [round(spot.x), round(spot.y)];
    const pose = { position: [x, y, 0], ...(chance.happens(0.6) ? { yaw_deg: round(chance.between(-180, 180)) } : {}) };
    const tolerance = chance.happens(0.2) ? { tolerance_m: round(chance.between(0.02, 0.3)) } : {};
    return {
      name: 'go_to',
      input: { target: { kind: 'pose', pose }, ...tolerance },
      feasible: poseIsFeasible(core, truth, { x, y }),
    };
  };
  const look = (): Call => {
    if (chance.happens(0.6)) return maybe('look_at', entity(chance.oneOf([...cubes.map(({ id }) => id), ...pads])));
    const position = [round(chance.between(-5, 5)), round(chance.between(-8, 4)), round(chance.between(0, 2))];
    return maybe('look_at', { target: { kind: 'pose', pose: { position } } });
  };
  const drive = (): Call =>
    sure('set_velocity', {
      vx: round(chance.between(-1, 1.8)),
      vy: chance.happens(0.5) ? round(chance.between(-0.8, 0.8)) : 0,
      wz: chance.happens(0.6) ? round(chance.between(-1.8, 1.8)) : 0,
      duration_s: round(chance.between(0, 1.5)),
    });

  return chance.weighted<() => Call>([
    [holds ? 1 : 5, pick],
    [holds ? 5 : 0.6, place],
    [4, walk],
    [2, look],
    [
      2,
      () =>
        sure('set_head', {
          yaw: round(chance.between(-1.4, 1.4)),
          ...(chance.happens(0.7) ? { pitch: round(chance.between(-0.6, 1)) } : {}),
        }),
    ],
    [2, drive],
    [1.2, () => sure('cancel')],
    [1.2, () => sure('set_sim_speed', { speed: round(chance.between(0.1, 10)) })],
    [1.2, () => sure('configure_benchmark', { benchmark: { enabled: chance.happens(0.8) } })],
    [1.2, () => sure('set_color_mode', { mode: chance.oneOf(['natural', 'plain', 'segmentation']) })],
    [1.3, () => sure('reset', { seed: chance.below(1000) })],
    [1.3, () => sure('select_scene', { scene_id: 'warehouse' })],
  ])();
}
