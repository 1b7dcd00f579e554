import * as portable from '../common/portable-math.ts';
import type { Place, Predicate, TaskFile, ThingSelector } from '../protocol/files/task-file.ts';
import type { AgentCourse, Part } from './agent-play.ts';
import {
  carry,
  isInside,
  isOver,
  putAway,
  putIntoContainer,
  putOnFloor,
  putOnTop,
  skill,
  TRIES,
  take,
} from './planner-errands.ts';
import { forbiddenBy } from './planner-forbidden.ts';
import { type KnownScene, type KnownThing, readKnown, selected } from './planner-knowledge.ts';

/**
 * An agent that brings about the goal of a task by the wire alone, as an external program would: it reads the scene, decides what is missing,
 * and calls skills. It knows the goal, and nothing of the judge. It has no chance of its own.
 */

/** Rounds over a goal of several parts. */
const ROUNDS = 3;

/** @param task its goal and what it forbids are read; its faults are not */
export function* plannerAgent(task: Pick<TaskFile, 'goal' | 'regions' | 'never'>): AgentCourse {
  const known = yield* readKnown(task.regions ?? [], forbiddenBy(task.never ?? []));
  for (let round = 0; round < ROUNDS; round += 1) if (yield* bringAbout(task.goal, known)) return;
}

/** Brings a predicate about. @returns whether it believes so */
function* bringAbout(goal: Predicate, known: KnownScene): Part<boolean> {
  switch (goal.kind) {
    case 'all':
      return yield* eachOf(goal.of, known);
    case 'then':
      return yield* inOrder(goal.of, known);
    case 'any':
      return yield* someOf(goal.of, goal.at_least ?? 1, known);
    case 'still_at_end':
      return yield* bringAbout(goal.of, known);
    case 'while':
      return (yield* bringAbout(goal.condition, known)) && (yield* bringAbout(goal.goal, known));
    case 'not':
      return yield* undo(goal.of, known);
    case 'on':
      return yield* putOn(goal, known);
    case 'in':
      return yield* putIn(goal, known);
    case 'near':
      return yield* putNear(goal, known);
    case 'sorted':
      return yield* sort(goal, known);
    case 'stacked':
      return yield* stack(goal.things, goal.height, known);
    case 'held':
      return yield* hold(goal.things, known);
    case 'at':
      return yield* walkTo(goal.place, known, goal.yaw_deg);
    case 'visited':
      return yield* walkTo(goal.place, known);
    case 'present':
    case 'upright':
    case 'missorted':
    case 'dropped':
    case 'collided':
      return true;
  }
}

function* eachOf(goals: readonly Predicate[], known: KnownScene): Part<boolean> {
  let all = true;
  for (const goal of goals) all = (yield* bringAbout(goal, known)) && all;
  return all;
}

/** A later step does not begin before the earlier one is done: too early, it would have to be undone. */
function* inOrder(goals: readonly Predicate[], known: KnownScene): Part<boolean> {
  for (const goal of goals) if (!(yield* bringAbout(goal, known))) return false;
  return true;
}

function* someOf(goals: readonly Predicate[], needed: number, known: KnownScene): Part<boolean> {
  let reached = 0;
  for (const goal of goals) {
    if (reached >= needed) break;
    if (yield* bringAbout(goal, known)) reached += 1;
  }
  return reached >= needed;
}

/** Brings it about that something does not hold: it empties its hands, and takes things from a pad to another. All else it leaves as it is. */
function* undo(unwanted: Predicate, known: KnownScene): Part<boolean> {
  if (unwanted.kind === 'held') {
    const held = (yield* known.things()).find(({ isHeld }) => isHeld);
    return held === undefined || (yield* putAway(known));
  }
  if (unwanted.kind === 'on' && unwanted.pad !== undefined) {
    const other = known.pads.find(({ id, role }) => id !== unwanted.pad && role === 'destination');
    if (other === undefined) return false;
    const there = selected(unwanted.things, yield* known.things()).filter(({ padId }) => padId === unwanted.pad);
    let all = true;
    for (const { id } of there) all = (yield* carry(id, { kind: 'entity', entity_id: other.id }, known)) && all;
    return all;
  }
  return true;
}

/** The things that are still missing, and no more than are needed. */
function missing(things: readonly KnownThing[], isThere: (thing: KnownThing) => boolean, atLeast?: number): KnownThing[] {
  const there = things.filter(isThere).length;
  const needed = (atLeast ?? things.length) - there;
  // The one in the hands comes first, and of the others what can be taken at once.
  const open = things.filter((thing) => !isThere(thing)).sort((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.order - b.order);
  return open.slice(0, Math.max(0, needed));
}

function* putOn(
  { things, pad, floor, thing, at_least: atLeast }: Extract<Predicate, { kind: 'on' }>,
  known: KnownScene,
): Part<boolean> {
  const all = yield* known.things();
  const wanted = selected(things, all);
  let reached = true;
  if (pad !== undefined) {
    for (const { id } of missing(wanted, ({ padId }) => padId === pad, atLeast))
      reached = (yield* carry(id, { kind: 'entity', entity_id: pad }, known)) && reached;
    return reached;
  }
  if (floor === true) {
    for (const { id } of missing(wanted, ({ padId, z, isHeld }) => padId === null && !isHeld && z < 0.2, atLeast))
      reached = (yield* putOnFloor(id, null, known)) && reached;
    return reached;
  }
  const [base] = selected(thing ?? {}, all);
  if (base === undefined) return false;
  for (const { id } of missing(wanted, (one) => isOver(one, base), atLeast))
    reached = (yield* putOnTop(id, base.id, known)) && reached;
  return reached;
}

function* putIn(
  { things, place, container, at_least: atLeast }: Extract<Predicate, { kind: 'in' }>,
  known: KnownScene,
): Part<boolean> {
  const all = yield* known.things();
  let reached = true;
  if (place !== undefined) {
    for (const { id } of missing(selected(things, all), ({ x, y, isHeld }) => !isHeld && known.isIn(place, x, y), atLeast)) {
      const there =
        'pad' in place ? yield* carry(id, { kind: 'entity', entity_id: place.pad }, known) : yield* putOnFloor(id, place, known);
      reached = there && reached;
    }
    return reached;
  }
  const [box] = selected(container ?? {}, all);
  if (box === undefined) return false;
  for (const { id } of missing(selected(things, all), (one) => isInside(one, box), atLeast))
    reached = (yield* putIntoContainer(id, box.id, known)) && reached;
  return reached;
}

function* putNear(goal: Extract<Predicate, { kind: 'near' }>, known: KnownScene): Part<boolean> {
  const all = yield* known.things();
  const [other] = goal.position ? [{ id: '', x: goal.position[0], y: goal.position[1] }] : selected(goal.thing ?? {}, all);
  if (other === undefined) return false;
  const { within_m: withinM } = goal;
  const isThere = (one: KnownThing): boolean => !one.isHeld && portable.hypot(one.x - other.x, one.y - other.y) <= withinM;
  let reached = true;
  for (const { id } of missing(selected(goal.things, all), isThere, goal.at_least)) {
    const pad = known.padAt(other.x, other.y);
    reached =
      (pad === null
        ? yield* putOnFloor(id, { position: [other.x, other.y], within_m: withinM }, known)
        : yield* putOnPadNear(id, pad, { ...other, withinM }, known)) && reached;
  }
  return reached;
}

/** Puts a thing into the free slot of a pad that is nearest to a point. */
function* putOnPadNear(
  id: string,
  padId: string,
  point: { id: string; x: number; y: number; withinM: number },
  known: KnownScene,
): Part<boolean> {
  const slots = known.slotsOf(padId).map((slot) => ({ ...slot, apartM: portable.hypot(slot.x - point.x, slot.y - point.y) }));
  const near = slots.filter(({ apartM }) => apartM <= point.withinM).sort((a, b) => a.apartM - b.apartM);
  for (const { index } of near) {
    const beside = { kind: 'entity', entity_id: point.id === '' ? padId : point.id };
    if (yield* carry(id, { kind: 'slot', pad_id: padId, index }, known, { tries: 1, beside })) return true;
  }
  return false;
}

/** Takes each thing to the pad of its colour; what cannot be reached now is left for the next. */
function* sort({ things, at_least: atLeast }: Extract<Predicate, { kind: 'sorted' }>, known: KnownScene): Part<boolean> {
  const isSorted = ({ padId, colour }: KnownThing): boolean => padId !== null && known.padOfColour(colour) === padId;
  const count = function* (): Part<number> {
    return selected(things, yield* known.things()).filter(isSorted).length + selected(things, known.collected()).length;
  };
  const needed = atLeast ?? selected(things, yield* known.things()).length;
  for (let turn = 0; turn < 2 * needed + TRIES && (yield* count()) < needed; turn += 1) {
    const open = selected(things, yield* known.things()).filter(
      (thing) => !isSorted(thing) && known.padOfColour(thing.colour) !== null,
    );
    const [next] = open.sort((a, b) => Number(b.isHeld) - Number(a.isHeld) || a.order - b.order);
    if (next === undefined) return false;
    yield* carry(next.id, { kind: 'entity', entity_id: known.padOfColour(next.colour) ?? '' }, known);
  }
  return (yield* count()) >= needed;
}

function* stack(things: ThingSelector, height: number, known: KnownScene): Part<boolean> {
  const wanted = selected(things, yield* known.things()).slice(0, height);
  for (const [at, { id }] of wanted.entries()) {
    const below = wanted[at - 1];
    if (below !== undefined && !(yield* putOnTop(id, below.id, known))) return false;
  }
  return wanted.length >= height;
}

function* hold(things: ThingSelector, known: KnownScene): Part<boolean> {
  const wanted = selected(things, yield* known.things());
  if (wanted.some(({ isHeld }) => isHeld)) return true;
  for (const { id } of wanted.sort((a, b) => a.order - b.order)) if (yield* take(id, known)) return true;
  return false;
}

function* walkTo(place: Place, known: KnownScene, yawDeg?: number): Part<boolean> {
  if ('thing' in place) return yield* walkToThing(place.thing, known);
  const { x, y } = known.pointOf(place);
  const pose = { position: [x, y, 0], ...(yawDeg === undefined ? {} : { yaw_deg: yawDeg }) };
  for (let turn = 0; turn < TRIES; turn += 1)
    if ((yield* skill('go_to', { target: { kind: 'pose', pose } })).status === 'done') return true;
  return false;
}

function* walkToThing(things: ThingSelector, known: KnownScene): Part<boolean> {
  for (const { id } of selected(things, yield* known.things()).sort((a, b) => a.order - b.order))
    if ((yield* skill('go_to', { target: { kind: 'entity', entity_id: id } })).status === 'done') return true;
  return false;
}
