import type { Chance } from '../oracle/chance.ts';
import { createChance } from '../oracle/chance.ts';
import { pickIsFeasible, slotIsFeasible } from '../oracle/feasible.ts';
import { floorIsClear, strew } from '../oracle/layouts.ts';
import { planar } from '../oracle/truth.ts';
import { createTestRuntime, entity, type TestRuntime } from '../runtime/test-runtime.ts';
import { createAsker, type DriverFacts, ratesText, ratesVerdict } from './asks.ts';
import type { PromiseSuite } from './suite.ts';

const ROUNDS_PER_SEED = 8;

const slotTarget = (padId: string, index: number) => ({ target: { kind: 'slot', pad_id: padId, index } });
const poseTarget = (x: number, y: number, z: number, yawDeg?: number) => ({
  target: { kind: 'pose', pose: { position: [x, y, z], ...(yawDeg === undefined ? {} : { yaw_deg: yawDeg }) } },
});
const millimetres = (value: number): number => Math.round(value * 1000) / 1000;

/** A new scene, strewn, stacked and crowded by the seed, at rest. */
async function strewnScene(seed: number): Promise<{ chance: Chance; t: TestRuntime; asker: DriverFacts }> {
  const chance = createChance(seed);
  const t = await createTestRuntime({ seed });
  strew(t.core, chance);
  t.advance(120);
  return { chance, t, asker: createAsker(t) };
}

/** Goes to a cube at any place, picks exactly that one, and takes it to a pad, a slot or a place on the floor. */
function carryOne(t: TestRuntime, asker: DriverFacts, chance: Chance): void {
  const truth = asker.witness.now();
  const { layout } = t.core.world.scene;
  const free = [...truth.things.values()].filter(({ joints }) => joints === 0);
  const { id } = chance.oneOf(free);
  if (asker.ask('go_to', entity(id)).status !== 'done') return;
  const feasible = pickIsFeasible(t.core, asker.witness.now(), id) ? 'pick' : undefined;
  if (asker.ask('pick_entity', entity(id), { feasible }).status !== 'done') return;
  const manner = chance.oneOf(['slot', 'slot', 'pad', 'floor', 'pallet pose', 'back on the belt', 'here'] as const);
  if (manner === 'here') {
    const { robot } = asker.witness.now();
    const place = {
      x: millimetres(robot.x + 0.5 * Math.cos(robot.yawRad)),
      y: millimetres(robot.y + 0.5 * Math.sin(robot.yawRad)),
    };
    asker.ask('place_entity', poseTarget(place.x, place.y, 0.075));
    return;
  }
  if (manner === 'floor') {
    placeOnFloor(t, asker, chance);
    return;
  }
  const pad =
    manner === 'back on the belt' ? 'pad_A' : chance.oneOf(layout.pads.filter(({ role }) => role === 'destination')).pad_id;
  if (asker.ask('go_to', entity(pad)).status !== 'done') return;
  const now = asker.witness.now();
  if (manner === 'pad' || manner === 'back on the belt')
    asker.ask('place_entity', chance.happens(0.5) && manner === 'pad' ? {} : entity(pad));
  else if (manner === 'slot') {
    const slots = layout.slots.filter(({ pad_id }) => pad_id === pad);
    const { index } = chance.oneOf(slots);
    asker.ask('place_entity', slotTarget(pad, index), {
      feasible: slotIsFeasible(t.core, layout, now, pad, index) ? 'place in a slot' : undefined,
    });
  } else {
    const [x = 0, y = 0, z = 0] = layout.pads.find(({ pad_id }) => pad_id === pad)?.position ?? [];
    const at = [millimetres(x + chance.between(-0.25, 0.25)), millimetres(y + chance.between(-0.25, 0.25))] as const;
    asker.ask(
      'place_entity',
      poseTarget(at[0], at[1], z + 0.075, chance.happens(0.5) ? Math.round(chance.between(-90, 90)) : undefined),
    );
  }
  if (asker.witness.now().held.length > 0) placeOnFloor(t, asker, chance);
}

/** Puts down the held thing on the nearest free floor, so that the next round starts with empty hands. */
function placeOnFloor(t: TestRuntime, asker: DriverFacts, chance: Chance): void {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { robot } = asker.witness.now();
    const angle = robot.yawRad + chance.between(-1.2, 1.2);
    const distanceM = chance.between(0.42, 1.1);
    const at = { x: millimetres(robot.x + distanceM * Math.cos(angle)), y: millimetres(robot.y + distanceM * Math.sin(angle)) };
    const isOpen = floorIsClear(t.core, at, 0.75) && floorIsClear(t.core, robot, 0.3);
    const reply = asker.ask('place_entity', poseTarget(at.x, at.y, 0.075), {
      feasible: isOpen ? 'place on the floor' : undefined,
    });
    if (reply.status === 'done') return;
  }
}

/**
 * Picks and places in scenes that are crowded, stacked and strewn: the named cube or nothing, at the requested place and at rest.
 */
export const hands: PromiseSuite = {
  name: 'hands',
  promises: ['P1', 'P2', 'P4'],
  title: 'picks and places in crowded scenes: exactly the named cube, at rest in its place, its neighbours untouched',
  seeds: { smoke: 3, full: 250 },
  regressions: [
    { seed: 33, was: 'opening palms lifted the upper cube of the stack beside the place' },
    { seed: 60, was: 'a cube put upon a crooked one leaned, and was called placed' },
  ],
  async run(seed) {
    const { chance, t, asker } = await strewnScene(seed);
    for (let round = 0; round < ROUNDS_PER_SEED; round += 1) {
      carryOne(t, asker, chance);
      if (asker.witness.now().held.length > 0) placeOnFloor(t, asker, chance);
      if (asker.witness.now().held.length > 0) break;
    }
    t.runtime.dispose();
    return { cases: asker.cases, failures: asker.failures, samples: asker.samples };
  },
  summary: (samples) => `feasible: ${ratesText(samples)}`,
  verdict: ratesVerdict,
};

/** Things are struck while the hands close on them: held, missed or tried again, never another. */
export const strikes: PromiseSuite = {
  name: 'strikes',
  promises: ['P1', 'P2'],
  title: 'a cube struck away in the middle of a pick, at any moment of it',
  seeds: { smoke: 5, full: 400 },
  regressions: [
    { seed: 16, was: 'a cube that sat low in the hands could not be put down anywhere' },
    { seed: 127, was: 'a struck cube was held by its edge' },
    { seed: 93, was: 'the judge took a held cube that trembled after a blow for one that slides' },
  ],
  async run(seed) {
    const { chance, t, asker } = await strewnScene(seed);
    for (let round = 0; round < 3; round += 1) {
      const free = [...asker.witness.now().things.values()].filter(({ joints }) => joints === 0);
      const { id } = chance.oneOf(free);
      if (asker.ask('go_to', entity(id)).status !== 'done') continue;
      const when = chance.oneOf(['reaching', 'closing hands', 'lifting', 'opening hands', 'walking']);
      const after = chance.below(40);
      const near = free.filter((thing) => planar(thing, asker.witness.now().robot) < 1);
      const struck = chance.happens(0.7) || near.length === 0 ? id : chance.oneOf(near).id;
      const hit = { x: chance.between(-1, 1), y: chance.between(-1, 1), z: chance.between(0, 0.5) };
      asker.ask('pick_entity', entity(id), {
        disturbed: true,
        meanwhile: (_step, phase, since) => {
          if (phase === when && since === after) t.core.world.things.byId.get(struck)?.rigidBody.applyImpulse(hit, true);
        },
      });
      if (asker.witness.now().held.length > 0) placeOnFloor(t, asker, chance);
      if (asker.witness.now().held.length > 0) break;
    }
    t.runtime.dispose();
    return { cases: asker.cases, failures: asker.failures, samples: asker.samples };
  },
  summary: (samples) => `feasible: ${ratesText(samples)}`,
  verdict: ratesVerdict,
};
