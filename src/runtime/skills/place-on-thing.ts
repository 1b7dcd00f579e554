import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { type Vec3, wrapRad } from '../../protocol/wire/geometry.ts';
import { REACH_M } from '../../protocol/wire/limits.ts';
import type { Lie } from '../../simulation/extents.ts';
import type { SimWorld } from '../../simulation/sim-world.ts';
import * as things from '../../simulation/things.ts';
import { distanceToBase } from '../entities.ts';
import { faceYaws, halfAlongHands, lieOfView } from './grips.ts';
import type { HeldFor } from './held-for.ts';
import { isInside } from './piles.ts';
import type { OnThing, Place } from './place.ts';
import { liesFlat } from './stances.ts';

/** Places on top of things and in containers. */

/** Free space between the placed thing and walls or other things, metres. */
const AIR_M = 0.012;
/** Maximum gap between the underside of a thing and the top of the thing below it. */
const ON_TOP_M = 0.012;
/** Share of its own half length by which a thing may overhang a smaller one; its middle stays well over the top. */
const STANDS_OUT = 0.5;
/** Distance between the tried places, and their maximum number to either side of the middle. */
const PITCH_M = 0.05;
const MOST_PITCHES = 6;

type Places = { ok: true; places: Place[] } | { ok: false; error: RuntimeError };

/** The flat surface of a thing: its height in the world, and half of its lengths along and across the thing's heading. */
interface Surface {
  topZ: number;
  isInside: boolean;
  lie: Lie;
  alongHalfM: number;
  acrossHalfM: number;
}

/** Returns the flat top of a thing as it lies; null if it leans or is round on top. */
function flatOf(thing: things.ThingView): Surface | null {
  const lie = lieOfView(thing);
  if (!lie || !liesFlat(thing)) return null;
  const { shape, position } = thing;
  if (shape.kind === 'cylinder' && !lie.isRound) return null;
  const isOpen = shape.kind === 'container' && lie.isUp;
  const wallM = isOpen ? shape.wallM : 0;
  const halfM = lie.heightM / 2;
  return {
    topZ: isOpen ? position[2] - halfM + wallM : position[2] + halfM,
    isInside: isOpen,
    lie,
    alongHalfM: lie.alongM / 2 - wallM,
    acrossHalfM: lie.acrossM / 2 - wallM,
  };
}

/** Returns a point of the floor plane in the frame of a lying thing: along and across its heading, from its middle. */
function inLie({ position: [px, py] }: things.ThingView, { yawRad }: Lie, [x, y]: readonly [number, number]): [number, number] {
  const [c, s] = [portable.cos(yawRad), portable.sin(yawRad)];
  const [dx, dy] = [x - px, y - py];
  return [c * dx + s * dy, c * dy - s * dx];
}

/** Returns whether a point in a thing's frame is over its surface. */
function isOver({ lie, alongHalfM, acrossHalfM }: Surface, along: number, across: number): boolean {
  if (lie.isRound) return portable.hypot(along, across) <= alongHalfM;
  return Math.abs(along) <= alongHalfM && Math.abs(across) <= acrossHalfM;
}

/** Returns the surface of a thing at a point of the floor plane, or null if it has none there. Height in the world, metres. */
export function surfaceOf(thing: things.ThingView, point: readonly [number, number]): { topZ: number; isInside: boolean } | null {
  const surface = flatOf(thing);
  if (!surface) return null;
  const [along, across] = inLie(thing, surface.lie, point);
  return isOver(surface, along, across) ? { topZ: surface.topZ, isInside: surface.isInside } : null;
}

/**
 * Returns the places on top of a thing, or in it when it is an open container, nearest to its middle first; or the reason why no
 * place exists.
 * @param at the only point to try, in the floor plane of the world. @default anywhere on the thing
 */
export function placesOnThing(
  world: SimWorld,
  thing: things.ThingView,
  held: HeldFor,
  at: readonly [number, number] | null = null,
): Places {
  const refused = (error: RuntimeError): Places => ({ ok: false, error });
  const { entityId } = thing;
  if (entityId === held.entityId || thing.carried) return refused(errors.placeOnItself(entityId));
  const distanceM = distanceToBase(world, thing.position);
  if (distanceM > REACH_M) return refused(errors.placeTooFar(distanceM));
  const surface = flatOf(thing);
  if (!surface || !thing.atRest) return refused(errors.noFlatTop(entityId));
  const yaws = surface.lie.isRound ? faceYaws(held.way.yawRad) : faceYaws(surface.lie.yawRad);
  const turns = [0, 1].map((quarter) => {
    const [alongM, acrossM] = quarter === 0 ? [held.alongHalfM, held.acrossHalfM] : [held.acrossHalfM, held.alongHalfM];
    // Hands along the thing's heading or against it, then across it.
    return { alongM, acrossM, gripYaws: [0, 2].map((opposite) => yaws[quarter + opposite] ?? 0) };
  });
  const fitting = turns.filter(({ alongM, acrossM }) => roomFor(surface, alongM, acrossM) !== null);
  if (fitting.length === 0) return refused(errors.doesNotFit(held.entityId, entityId, surface.isInside));
  const others = things.list(world).filter((other) => !other.carried && other.entityId !== entityId);
  const places = fitting.flatMap(({ alongM, acrossM, gripYaws }) => {
    const room = roomFor(surface, alongM, acrossM);
    if (!room) return [];
    return spotsIn(thing, surface, room, at)
      .filter((spot) => others.every((other) => isClearOf(other, thing, surface, spot, [alongM, acrossM], held.halfHeightM)))
      .map((spot) => placeAt(thing, surface, spot, gripYaws, held));
  });
  if (places.length === 0) {
    const occupant = others.find((other) => isInside(other, thing)) ?? others.find((other) => isNearTop(other, thing, surface));
    return refused(
      errors.targetOccupied(
        surface.isInside ? `the room in ${entityId}` : `the top of ${entityId}`,
        occupant?.entityId ?? 'another thing',
      ),
    );
  }
  return { ok: true, places };
}

/**
 * Returns how far from the middle of a surface a thing of these half lengths may be put, along and across; null when it does not
 * fit.
 */
function roomFor(
  { isInside: isIn, lie, alongHalfM, acrossHalfM }: Surface,
  alongM: number,
  acrossM: number,
): [number, number] | null {
  const room = (halfM: number, thingM: number): number => {
    if (isIn) return halfM - thingM - AIR_M;
    const wholeM = halfM - thingM;
    if (wholeM >= 0) return wholeM;
    return thingM - halfM <= STANDS_OUT * thingM ? 0 : -1;
  };
  const [along, across] = [room(alongHalfM, alongM), room(acrossHalfM, acrossM)];
  if (along < 0 || across < 0) return null;
  // On a round top the corners count.
  const share = lie.isRound ? Math.SQRT1_2 : 1;
  return [along * share, across * share];
}

type Spot = readonly [along: number, across: number];

function spotsIn(
  thing: things.ThingView,
  { lie }: Surface,
  [alongM, acrossM]: readonly [number, number],
  at: readonly [number, number] | null,
): Spot[] {
  if (at) {
    const [along, across] = inLie(thing, lie, at);
    return Math.abs(along) <= alongM + 1e-9 && Math.abs(across) <= acrossM + 1e-9 ? [[along, across]] : [];
  }
  const offsets = (mostM: number): number[] => {
    const count = Math.min(MOST_PITCHES, Math.floor(mostM / PITCH_M + 1e-9));
    const inner = Array.from({ length: count }, (_, k) => (k + 1) * PITCH_M);
    const all = mostM > 0 && mostM - count * PITCH_M > 0.01 ? [...inner, mostM] : inner;
    return [0, ...all.flatMap((offset) => [offset, -offset])];
  };
  return offsets(alongM)
    .flatMap((along) => offsets(acrossM).map((across): Spot => [along, across]))
    .sort((a, b) => portable.hypot(a[0], a[1]) - portable.hypot(b[0], b[1]));
}

/** Returns whether a thing at a spot would be clear of another one. */
function isClearOf(
  other: things.ThingView,
  thing: things.ThingView,
  { topZ, lie }: Surface,
  [along, across]: Spot,
  [alongM, acrossM]: readonly [number, number],
  halfHeightM: number,
): boolean {
  const [bottomZ, upperZ] = [other.position[2] - other.halfHeightM, other.position[2] + other.halfHeightM];
  if (upperZ < topZ + 0.005 || bottomZ > topZ + 2 * halfHeightM + AIR_M) return true;
  const [otherAlong, otherAcross] = inLie(thing, lie, [other.position[0], other.position[1]]);
  const room = halfAlongHands(other.shape, other.orientation, lie.yawRad);
  return (
    Math.abs(otherAlong - along) >= room.alongM + alongM + AIR_M ||
    Math.abs(otherAcross - across) >= room.acrossM + acrossM + AIR_M
  );
}

function isNearTop(other: things.ThingView, thing: things.ThingView, surface: Surface): boolean {
  const [along, across] = inLie(thing, surface.lie, [other.position[0], other.position[1]]);
  return isOver(surface, along, across) && other.position[2] > surface.topZ;
}

function placeAt(
  thing: things.ThingView,
  { topZ, isInside: isIn, lie }: Surface,
  [along, across]: Spot,
  gripYaws: readonly number[],
  { halfHeightM }: HeldFor,
): Place {
  const [c, s] = [portable.cos(lie.yawRad), portable.sin(lie.yawRad)];
  const [x, y] = thing.position;
  const centre: Vec3 = [x + c * along - s * across, y + s * along + c * across, topZ + halfHeightM];
  return {
    label: isIn ? `the room in ${thing.entityId}` : `the top of ${thing.entityId}`,
    padId: thing.parentPadId,
    slot: null,
    on: { entityId: thing.entityId, isInside: isIn },
    centre,
    gripYaws: gripYaws.map(wrapRad),
  };
}

/** Returns whether a resting thing currently lies on that thing's flat top, or in that container. */
export function restsOn(world: SimWorld, put: things.ThingView, { entityId, isInside: isIn }: OnThing): boolean {
  const thing = things.find(world, entityId);
  if (!thing?.atRest || thing.held) return false;
  if (isIn) return isInside(put, thing);
  const surface = flatOf(thing);
  if (!surface || surface.isInside) return false;
  const [along, across] = inLie(thing, surface.lie, [put.position[0], put.position[1]]);
  return isOver(surface, along, across) && Math.abs(put.position[2] - put.halfHeightM - surface.topZ) < ON_TOP_M;
}
