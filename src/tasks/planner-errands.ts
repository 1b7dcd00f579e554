import * as portable from '../common/portable-math.ts';
import type { Place } from '../protocol/files/task-file.ts';
import { roundLength } from '../protocol/wire/json.ts';
import type { AgentReply, Part } from './agent-play.ts';
import type { KnownScene, KnownThing } from './planner-knowledge.ts';

/** The planner's errands: a thing is taken, carried and put somewhere, with what has to be done about it when something is in the way. */

/** Tries of one errand before it is given up. */
export const TRIES = 4;
/** A thing as near as this is taken without a walk. */
const NEAR_M = 1.15;
/** A thing as near to another as this may be in the way of the hands. */
const BESIDE_M = 0.45;
/** The codes of a pick if no hand reaches the thing from any side, or other things are too close to it. */
const IN_THE_WAY: readonly unknown[] = ['OUT_OF_REACH', 'NOT_GRASPABLE'];
/** A thing that is so often out of reach is left for later. */
const OUT_OF_REACH_MOST = 2;

/** Returns whether a thing lies on another, by their centres. */
export const isOver = (one: KnownThing, base: KnownThing): boolean =>
  one.id !== base.id && !one.isHeld && one.z > base.z + 0.05 && portable.hypot(one.x - base.x, one.y - base.y) < 0.08;

/** Returns whether a thing is in a container, or on it. */
export const isInside = (one: KnownThing, box: KnownThing): boolean =>
  one.id !== box.id && !one.isHeld && portable.hypot(one.x - box.x, one.y - box.y) < box.widthM / 2;

/** Takes a thing into the hands; what is in them is put down first, and what is in the way is cleared away. */
export function* take(id: string, known: KnownScene, { mayClear = true } = {}): Part<boolean> {
  let outOfReach = 0;
  for (let turn = 0; turn < TRIES; turn += 1) {
    const things = yield* known.things();
    const held = things.find(({ isHeld }) => isHeld);
    if (held?.id === id) return true;
    if (held && !(yield* putAway(known))) return false;
    if (!things.some((thing) => thing.id === id)) return false;
    const wanted = things.find((thing) => thing.id === id);
    const target = { target: { kind: 'entity', entity_id: id } };
    if (wanted && wanted.order > NEAR_M) yield* skill('go_to', target);
    const picked = yield* skill('pick_entity', target);
    if (picked.status === 'done') return true;
    // It stands before it, and something that stands beside it is in the way of the hands.
    if (IN_THE_WAY.includes(picked.error?.code)) {
      if (mayClear && (yield* clearBeside(id, known))) continue;
      outOfReach += 1;
      // From before it nothing has changed; when something else was taken away, it may be within reach.
      if (outOfReach >= OUT_OF_REACH_MOST) return false;
    }
    yield* skill('go_to', target);
  }
  return false;
}

/** Moves what stands nearest to a thing, as far as it may be moved, to a free place of the floor near by. @returns whether it moved something */
function* clearBeside(id: string, known: KnownScene): Part<boolean> {
  const things = yield* known.things();
  const wanted = things.find((thing) => thing.id === id);
  if (wanted === undefined || !known.mayLieOnFloor) return false;
  const apartM = ({ x, y }: KnownThing): number => portable.hypot(x - wanted.x, y - wanted.y);
  const beside = things
    .filter((thing) => thing.id !== id && !thing.isHeld && known.mayHold(thing) && apartM(thing) < BESIDE_M)
    .sort((a, b) => apartM(a) - apartM(b));
  for (const thing of beside) {
    if (!(yield* take(thing.id, known, { mayClear: false }))) continue;
    return (yield* putOnFloorNear(thing, known)) || (yield* putAway(known));
  }
  return false;
}

/** Puts what is in the hands where the robot stands: on the pad before it, or else on the floor near by, farthest from where it came from. */
export function* putAway(known: KnownScene): Part<boolean> {
  if ((yield* skill('place_entity', {})).status === 'done') return true;
  const held = (yield* known.things()).find(({ isHeld }) => isHeld);
  return held === undefined || (known.mayLieOnFloor && (yield* putOnFloorNear(held, known)));
}

function* putOnFloorNear(thing: KnownThing, known: KnownScene): Part<boolean> {
  for (const { x, y } of known.freeFloorNear(thing)) {
    const pose = { position: [x, y, thing.heightM / 2] };
    if ((yield* skill('place_entity', { target: { kind: 'pose', pose } })).status === 'done') return true;
  }
  return false;
}

/**
 * Takes a thing somewhere.
 * @param target as `place_entity` takes it
 * @param beside where to stand for that, as `go_to` takes it; the target itself unless given
 */
export function* carry(
  id: string,
  target: Target,
  known: KnownScene,
  { tries = TRIES, beside = target }: CarryOptions = {},
): Part<boolean> {
  for (let turn = 0; turn < tries; turn += 1) {
    if (!(yield* take(id, known))) return false;
    yield* skill('go_to', { target: beside });
    if ((yield* skill('place_entity', { target })).status === 'done') return true;
    // Its reply may have been lost.
    if (target.kind === 'entity' && (yield* isOn(id, target.entity_id, known))) return true;
  }
  return false;
}

function* isOn(id: string, padId: unknown, known: KnownScene): Part<boolean> {
  const things = yield* known.things();
  return [...things, ...known.collected()].some((thing) => thing.id === id && !thing.isHeld && thing.padId === padId);
}

type Target = Record<string, unknown>;
interface CarryOptions {
  tries?: number;
  beside?: Target;
}

/** Puts a thing on the floor in a place, or at a free spot. */
export function* putOnFloor(id: string, place: Place | null, known: KnownScene): Part<boolean> {
  const thing = (yield* known.things()).find((one) => one.id === id);
  if (thing === undefined) return false;
  for (const { x, y } of known.floorPoints(place)) {
    const pose = { position: [x, y, thing.heightM / 2] };
    if (yield* carry(id, { kind: 'pose', pose }, known, { tries: 1, beside: { kind: 'pose', pose: known.standNear(x, y) } }))
      return true;
  }
  return false;
}

/** Stacks one thing on another, in several tries. @returns whether it lies there */
export function* putOnTop(id: string, baseId: string, known: KnownScene): Part<boolean> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const things = yield* known.things();
    const [thing, base] = [id, baseId].map((wanted) => things.find((one) => one.id === wanted));
    if (!thing || !base) return false;
    if (isOver(thing, base)) return true;
    // Cubes are stacked by the pose; every other thing has its own rule for what can rest on it.
    const pose = { position: [base.x, base.y, base.z + (base.heightM + thing.heightM) / 2] };
    const beside = { kind: 'entity', entity_id: baseId };
    yield* carry(id, base.category === 'cube' ? { kind: 'pose', pose } : beside, known, { tries: 2, beside });
    const now = yield* known.things();
    const [over, under] = [id, baseId].map((wanted) => now.find((one) => one.id === wanted));
    if (over && under && isOver(over, under)) return true;
  }
  return false;
}

/** Calls a skill; a robot that is busy is called again. */
export function* skill(name: string, input: Record<string, unknown>): Part<AgentReply> {
  let reply: AgentReply = null;
  for (let turn = 0; turn < TRIES; turn += 1) {
    reply = yield { method: 'runtime.tools_call', payload: { name, input } };
    if (reply.error?.code !== 'BUSY') break;
  }
  return reply;
}

/** Puts a thing into a container: at a wall, to leave room for another one at the opposite wall; if that fails, anywhere in it. */
export function* putIntoContainer(id: string, boxId: string, known: KnownScene): Part<boolean> {
  const inIt = { kind: 'entity', entity_id: boxId };
  if (!(yield* take(id, known))) return false;
  yield* skill('go_to', { target: inIt });
  const things = yield* known.things();
  const [thing, box] = [id, boxId].map((wanted) => things.find((one) => one.id === wanted));
  if (thing === undefined || box === undefined) return false;
  for (const { x, y } of known.spotsByWalls(thing, box)) {
    const pose = { position: [x, y, roundLength(box.z + (thing.heightM - box.heightM) / 2 + (box.wallM ?? 0))] };
    if ((yield* skill('place_entity', { target: { kind: 'pose', pose } })).status === 'done') return true;
    // Its reply may have been lost.
    const now = (yield* known.things()).find((one) => one.id === id);
    if (now !== undefined && isInside(now, box)) return true;
    if (now?.isHeld !== true) break;
  }
  return yield* carry(id, inIt, known);
}
