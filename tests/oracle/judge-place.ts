import type { Pad } from '../../src/protocol/wire/scene.ts';
import type { Ended } from './judge.ts';
import { disturbedCubes, throughout } from './judge-skills.ts';
import { isStill, onTop, restingPad, slotOf } from './places.ts';
import { apart, leanRad, type MovableTruth } from './truth.ts';

export function judgePlace(ended: Ended): string[] {
  const { input, reply, before, after, window, layout, disturbed } = ended;
  const { placed, placed_on: placedOn, slot: slotIndex, pose, held_count: count } = reply.result;
  const breaches: string[] = [];
  if (before.held.join() !== placed) breaches.push(`${before.held} was in the hands`);
  if (count !== 0 || after.held.length > 0) breaches.push(`hands hold [${after.held}], held_count is ${count}`);
  breaches.push(
    ...throughout(reply.result.collected ? window.slice(0, -1) : window, `${placed} at rest`, (truth) => {
      const thing = truth.things.get(placed);
      return thing !== undefined && isStill(thing);
    }),
  );
  // A collected cube was last seen in the previous step.
  const last = reply.result.collected ? window.at(-2) : after;
  const thing = last?.things.get(placed);
  if (!last || !thing) return [...breaches, `${placed} does not exist`];
  const [x, y, z] = pose.position;
  if (apart(thing, { x, y, z }) > 0.005) breaches.push(`the reply's pose is ${apart(thing, { x, y, z }).toFixed(3)} m off`);
  if (leanRad(thing) > 0.1) breaches.push(`${placed} leans by ${leanRad(thing).toFixed(2)} rad`);
  const pad = restingPad(layout, last, thing);
  if ((pad?.pad_id ?? null) !== placedOn) breaches.push(`it rests on ${pad?.pad_id ?? 'no pad'}, the reply says ${placedOn}`);
  const slot = pad && slotOf(layout, pad.pad_id, thing);
  if ((slot?.index ?? null) !== slotIndex) breaches.push(`it lies in slot ${slot?.index ?? 'none'}, the reply says ${slotIndex}`);
  const target = input.target;
  if (!target) {
    if (pad?.role !== 'destination') breaches.push('without a target it went to no destination pad');
    const nearest = layout.pads
      .filter(({ role }) => role === 'destination')
      .sort(
        (a, b) =>
          Math.hypot(a.position[0] - before.robot.x, a.position[1] - before.robot.y) -
          Math.hypot(b.position[0] - before.robot.x, b.position[1] - before.robot.y),
      )[0];
    if (pad && nearest && pad.pad_id !== nearest.pad_id) breaches.push(`the nearest destination was ${nearest.pad_id}`);
  } else if (target.kind === 'entity') {
    if (pad?.pad_id !== target.entity_id) breaches.push(`${target.entity_id} was asked for`);
  } else if (target.kind === 'slot') {
    if (slot?.pad_id !== target.pad_id || slot?.index !== target.index) breaches.push('another slot was asked for');
  } else {
    const [px, py] = target.pose.position;
    if (Math.hypot(thing.x - px, thing.y - py) > 0.03)
      breaches.push(`it lies ${Math.hypot(thing.x - px, thing.y - py).toFixed(3)} m from the pose`);
  }
  if (onTop(last, thing)) breaches.push('another cube lies on it');
  breaches.push(...judgeCollection(ended, thing, pad));
  if (!disturbed) breaches.push(...disturbedCubes(ended, [placed]));
  return breaches;
}

/**
 * A correct delivery is counted, gone from physics, listed and invisible when the reply is done; any other cube stays in place.
 */
function judgeCollection(
  { reply, before, after, collects, reported, disturbed }: Ended,
  thing: MovableTruth,
  pad: Pad | null,
): string[] {
  const { placed, collected } = reply.result;
  const isRight = pad?.role === 'destination' && pad.color === thing.colour;
  const breaches: string[] = [];
  if (collected !== (collects && isRight)) {
    const where = `a ${thing.colour} cube on ${pad?.pad_id ?? 'no pad'}`;
    return [`${where} is ${collected ? '' : 'not '}collected, while collecting is ${collects ? 'on' : 'off'}`];
  }
  const isDelivery = placed.startsWith('cube_') && pad?.color !== undefined && pad.pad_id in reported.counts.pallet_stack_counts;
  const { correct, pad_color: padColour, thing_color: thingColour } = reply.result;
  const said = [correct, padColour, thingColour].join();
  const known = isDelivery ? [isRight, pad.color, thing.colour].join() : ',,';
  if (said !== known) breaches.push(`the reply has correct, pad_color, thing_color ${said}; it is ${known}`);
  const entity = reported.entities[placed];
  if (after.things.has(placed) === collected) breaches.push(`${placed} is ${collected ? 'still' : 'not'} in physics`);
  if (after.otherBodies !== before.otherBodies || after.otherColliders !== before.otherColliders)
    breaches.push(
      `physics had ${before.otherBodies} other bodies and ${before.otherColliders} colliders, and has ${after.otherBodies} and ${after.otherColliders}`,
    );
  const seen = [entity?.visible, entity?.state.collected === true, entity?.state.parent_pad_id ?? null];
  const due = [!collected, collected, pad?.pad_id ?? null];
  if (seen.join() !== due.join()) breaches.push(`scene_state has visible, collected, parent_pad_id ${seen}; it is ${due}`);
  if (!isRight || disturbed || !reported.counts.enabled) return breaches;
  const more = reported.counts.correct_count - reported.countsBefore.correct_count;
  if (more !== 1) breaches.push(`a right delivery was counted ${more} times`);
  const { pad_id: padId } = pad;
  const grown = (reported.counts.pallet_stack_counts[padId] ?? 0) - (reported.countsBefore.pallet_stack_counts[padId] ?? 0);
  if (grown !== 1) breaches.push(`the stack of ${padId} grew by ${grown}`);
  return breaches;
}
