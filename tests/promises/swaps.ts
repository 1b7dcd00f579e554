import { addCube } from '../../src/simulation/things.ts';
import { type Chance, createChance } from '../oracle/chance.ts';
import { createTestRuntime, entity, type TestRuntime } from '../runtime/test-runtime.ts';
import { createAsker, type DriverFacts, ratesText, ratesVerdict } from './asks.ts';
import type { PromiseSuite } from './suite.ts';

interface Place {
  padId: string;
  index: number;
}

const slotTarget = ({ padId, index }: Place) => ({ target: { kind: 'slot', pad_id: padId, index } });
const LOWER_LAYER = 4;

/**
 * Two cubes change places by way of a third, on one pallet or across two, in any order: each move by its id, each to its
 * requested place.
 */
export const swaps: PromiseSuite = {
  name: 'swaps',
  promises: ['P1', 'P2'],
  title: 'two cubes change places by pick and place',
  seeds: { smoke: 3, full: 100 },
  async run(seed) {
    const chance = createChance(seed);
    const t = await createTestRuntime({ seed });
    const places = choosePlaces(t, chance);
    const [first, second, spare] = places;
    if (!first || !second || !spare) throw new Error('no three places');
    const one = put(t, first, 'red');
    const other = put(t, second, 'blue');
    t.advance(60);
    // A swapped cube stays on its pallet, also if a cube passes over the pad of its colour.
    t.invoke('configure_benchmark', { benchmark: { collect: false } });
    const asker = createAsker(t);
    const moves: [string, Place, Place][] = [
      [one, first, spare],
      [other, second, first],
      [one, spare, second],
    ];
    for (const [id, from, to] of moves) if (!move(asker, id, from, to)) break;
    judgeSwapped(asker, one, second, t);
    judgeSwapped(asker, other, first, t);
    t.runtime.dispose();
    return { cases: asker.cases, failures: asker.failures, samples: asker.samples };
  },
  summary: (samples) => `feasible: ${ratesText(samples)}`,
  verdict: ratesVerdict,
};

/** Three different slots of the lower layer, on one pallet or on two. */
function choosePlaces(t: TestRuntime, chance: Chance): Place[] {
  const pads = t.core.world.scene.layout.pads.filter(({ role }) => role === 'destination').map(({ pad_id }) => pad_id);
  const here = chance.oneOf(pads);
  const there = chance.happens(0.4) ? chance.oneOf(pads) : here;
  const all = [here, there].flatMap((padId) => Array.from({ length: LOWER_LAYER }, (_, index) => ({ padId, index })));
  const chosen: Place[] = [];
  while (chosen.length < 3) {
    const place = chance.oneOf(all);
    if (!chosen.some(({ padId, index }) => padId === place.padId && index === place.index)) chosen.push(place);
  }
  return chosen;
}

function positionOf(t: TestRuntime, { padId, index }: Place): readonly [number, number, number] {
  const slot = t.core.world.scene.layout.slots.find((candidate) => candidate.pad_id === padId && candidate.index === index);
  if (!slot) throw new Error(`no slot ${index} of ${padId}`);
  return slot.position;
}

const put = (t: TestRuntime, place: Place, colour: 'red' | 'blue'): string =>
  addCube(t.core.world, colour, positionOf(t, place)).entityId;

function move(asker: DriverFacts, id: string, from: Place, to: Place): boolean {
  const ok = (reply: { status: string }): boolean => reply.status === 'done';
  return (
    ok(asker.ask('go_to', entity(from.padId), { feasible: 'go to a pad' })) &&
    ok(asker.ask('pick_entity', entity(id), { feasible: 'pick from a pallet' })) &&
    ok(asker.ask('go_to', entity(to.padId), { feasible: 'carry to a pad' })) &&
    ok(asker.ask('place_entity', slotTarget(to), { feasible: 'place in a slot' }))
  );
}

function judgeSwapped(asker: DriverFacts, id: string, place: Place, t: TestRuntime): void {
  const thing = asker.witness.now().things.get(id);
  const [x, y, z] = positionOf(t, place);
  if (!thing || Math.hypot(thing.x - x, thing.y - y, thing.z - z) > 0.03)
    asker.failures.push(`${id} is not in slot ${place.index} of ${place.padId}`);
}
