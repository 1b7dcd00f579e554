import type { SceneId } from '../../src/protocol/wire/scene-ids.ts';
import type { ThingShape } from '../../src/protocol/wire/thing-shape.ts';
import { type Chance, createChance } from '../oracle/chance.ts';
import { cubeTruth } from '../runtime/oracle.ts';
import { createTestRuntime, entity, type TestRuntime } from '../runtime/test-runtime.ts';
import type { PromiseSuite } from './suite.ts';

/** Maximum displacement of a container while hands work in it, metres. */
const NUDGED_M = 0.03;
/** Its upward axis leans by less than eight degrees. */
const UPRIGHT = 0.99;
const PLACES_PER_THING = 3;
const SETTLE_STEPS = 60;

const SITES: readonly { sceneId: SceneId; containerId: string }[] = [
  { sceneId: 'kitchen', containerId: 'basket' },
  { sceneId: 'living_room', containerId: 'toy_basket' },
];

interface Box {
  id: string;
  sizeM: readonly [number, number, number];
  wallM: number;
}

const isIn = (t: TestRuntime, box: Box, id: string): boolean => {
  const [thing, it] = [cubeTruth(t.core, id).position, cubeTruth(t.core, box.id)];
  const [dx, dy, up] = [thing[0] - it.position[0], thing[1] - it.position[1], thing[2] - it.position[2]];
  const [c, s] = [Math.cos(it.yawRad), Math.sin(it.yawRad)];
  const [a, b, height] = box.sizeM;
  return Math.abs(c * dx + s * dy) < a / 2 && Math.abs(c * dy - s * dx) < b / 2 && up > -height / 2 && up < height;
};

/** The upward component of its own upward axis. */
function upright(t: TestRuntime, id: string): number {
  const { x = 0, y = 0 } = t.core.world.things.byId.get(id)?.rigidBody.rotation() ?? {};
  return 1 - 2 * (x * x + y * y);
}

const idsOf = (t: TestRuntime): string[] => [...t.core.world.things.byId.keys()];

/** The effects of a call on the container and its content, as sentences. */
function harm(t: TestRuntime, box: Box, call: () => unknown, meant: string | null): string[] {
  const before = cubeTruth(t.core, box.id).position;
  const inside = idsOf(t).filter((id) => id !== box.id && id !== meant && isIn(t, box, id));
  call();
  t.advance(SETTLE_STEPS);
  const after = cubeTruth(t.core, box.id).position;
  const movedM = Math.hypot(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
  return [
    ...(movedM > NUDGED_M ? [`${box.id} was moved by ${movedM.toFixed(3)} m`] : []),
    ...(upright(t, box.id) < UPRIGHT ? [`${box.id} was tipped`] : []),
    ...inside.filter((id) => !isIn(t, box, id)).map((id) => `${id} was thrown out of ${box.id}`),
  ];
}

const heightOf = (shape: ThingShape): number => (shape.kind === 'cylinder' ? shape.heightM : shape.size[2]);

/** Takes something from any place, and puts it into the container at random points until it lies there. */
function putIn(t: TestRuntime, chance: Chance, box: Box, id: string): { cases: number; failures: string[] } {
  const failures: string[] = [];
  let cases = 0;
  if (t.invoke('go_to', entity(id)).error || t.invoke('pick_entity', entity(id)).error) return { cases, failures };
  t.invoke('go_to', entity(box.id));
  const { shape } = t.core.world.things.byId.get(id) ?? {};
  for (let turn = 0; shape && turn < PLACES_PER_THING; turn += 1) {
    const [bx, by, bz] = cubeTruth(t.core, box.id).position;
    const [roomX, roomY] = box.sizeM.map((size) => size / 2 - box.wallM - 0.03);
    const [along, across] = [chance.between(-1, 1) * (roomX ?? 0), chance.between(-1, 1) * (roomY ?? 0)];
    const position = [bx + along, by + across, bz - box.sizeM[2] / 2 + box.wallM + heightOf(shape) / 2];
    const input = chance.happens(0.3) ? entity(box.id) : { target: { kind: 'pose', pose: { position } } };
    let isDone = false;
    const wrong = harm(
      t,
      box,
      () => {
        isDone = !t.invoke('place_entity', input).error;
      },
      null,
    );
    cases += 1;
    if (isDone && !isIn(t, box, id)) wrong.push(`done, and ${id} is not in ${box.id}`);
    failures.push(...wrong.map((what) => `place_entity ${id} ${JSON.stringify(input)}: ${what}`));
    if (isDone || t.core.world.grasp.hold === null) break;
  }
  return { cases, failures };
}

/** Things are put into containers and taken out of them: the content is not thrown out, and the container stays in place. */
export const containers: PromiseSuite = {
  name: 'containers',
  promises: ['P1', 'P2'],
  title: 'things are put into containers and taken out: the container and its content stay in place',
  seeds: { smoke: 2, full: 200 },
  async run(seed) {
    const failures: string[] = [];
    let cases = 0;
    for (const { sceneId, containerId } of SITES) {
      const chance = createChance(seed);
      const t = await createTestRuntime({ sceneId, seed });
      const found = t.core.world.things.byId.get(containerId);
      if (found?.shape.kind !== 'container') throw new Error(`${sceneId} has no container ${containerId}`);
      const box: Box = { id: containerId, sizeM: found.shape.size, wallM: found.shape.wallM };
      const left = idsOf(t).filter((one) => one !== containerId);
      while (left.length > 0) {
        const [id = ''] = left.splice(chance.below(left.length), 1);
        const put = putIn(t, chance, box, id);
        cases += put.cases;
        failures.push(...put.failures.map((what) => `${sceneId}: ${what}`));
        // Anything that could not be put there goes to the floor, so that the next one can be taken.
        for (let turn = 0; t.core.world.grasp.hold && turn < 6; turn += 1) layDown(t, chance);
        if (t.core.world.grasp.hold) break;
      }
      for (const id of idsOf(t).filter((one) => one !== containerId && isIn(t, box, one))) {
        const wrong = harm(t, box, () => t.invoke('pick_entity', entity(id)), id);
        cases += 1;
        failures.push(...wrong.map((what) => `${sceneId}: pick_entity ${id}: ${what}`));
        for (let turn = 0; t.core.world.grasp.hold && turn < 6; turn += 1) layDown(t, chance);
        if (t.core.world.grasp.hold) break;
        t.invoke('go_to', entity(containerId));
      }
      t.runtime.dispose();
    }
    return { cases, failures };
  },
};

function layDown(t: TestRuntime, chance: Chance): void {
  const { x, y, yawRad } = t.core.world.base.pose;
  const [angle, distanceM] = [yawRad + chance.between(-1.5, 1.5), chance.between(0.45, 1)];
  const id = t.core.world.grasp.hold?.thing.entityId ?? '';
  const { shape } = t.core.world.things.byId.get(id) ?? {};
  if (!shape) return;
  const position = [x + distanceM * Math.cos(angle), y + distanceM * Math.sin(angle), heightOf(shape) / 2];
  if (t.invoke('place_entity', { target: { kind: 'pose', pose: { position } } }).error && chance.happens(0.5))
    t.invoke('set_velocity', { linear_x_mps: -0.2, duration_s: 1.5 });
}
