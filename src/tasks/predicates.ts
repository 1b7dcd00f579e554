import * as portable from '../common/portable-math.ts';
import type { Predicate, ThingSelector } from '../protocol/files/task-file.ts';
import { wrapRad } from '../protocol/wire/geometry.ts';
import { padOf } from '../simulation/scene.ts';
import { bottomM, isMeant, type JudgedThing, restsIn, restsOn, uprightnessOf } from './judged-things.ts';
import { isInPlace, type JudgedView, type Regions } from './judged-view.ts';

/** Predicates that no other predicate stands in, as pure functions of the world after a step. */

export type Atom = Exclude<Predicate, { kind: 'all' | 'any' | 'not' | 'then' | 'while' | 'still_at_end' }>;

export interface Finding {
  holds: boolean;
  /** How much of it is reached, 0 to 1. */
  share: number;
  /** Ids of the things for which it holds. */
  subjects: string[];
}

const DEG = Math.PI / 180;
/** How far a heading may be off where a task gives no other angle. */
export const HEADING_WITHIN_DEG = 15;
/** How far a thing may lean where a task gives no other angle. */
export const UPRIGHT_WITHIN_DEG = 5;
/** A thing whose lowest point is lower lies on the floor. */
export const ON_FLOOR_M = 0.02;

/** Kinds for events: once true, they stay true. */
export const EVENTS: ReadonlySet<string> = new Set(['visited', 'dropped', 'collided'] satisfies Atom['kind'][]);

/** Judges an atom after a step. An event holds in the step in which it happens. */
export function judgeAtom(predicate: Atom, view: JudgedView, regions: Regions): Finding {
  const { things } = view;
  const meant = (selector: ThingSelector): JudgedThing[] => things.filter((thing) => isMeant(selector, thing));
  switch (predicate.kind) {
    case 'on': {
      const { pad, floor, thing } = predicate;
      const bases = thing === undefined ? [] : meant(thing);
      return counted(meant(predicate.things), predicate.at_least, (one) => {
        if (!one.isAtRest) return false;
        if (pad !== undefined) return one.padId === pad;
        if (floor === true) return !one.isCollected && one.padId === null && bottomM(one) < ON_FLOOR_M;
        return bases.some((other) => restsOn(one, other));
      });
    }
    case 'in': {
      const { place, container } = predicate;
      const containers = container === undefined ? [] : meant(container);
      return counted(meant(predicate.things), predicate.at_least, (one) => {
        if (place === undefined) return containers.some((other) => restsIn(one, other));
        return one.isAtRest && isInPlace(view, place, regions, one.position[0], one.position[1]);
      });
    }
    case 'present':
      return counted(meant(predicate.things), predicate.at_least ?? 1, ({ isCollected }) => !isCollected);
    case 'held':
      return counted(meant(predicate.things), 1, ({ isHeld }) => isHeld);
    case 'at': {
      const { x, y, yawRad, isStill } = view.robot;
      const withinRad = (predicate.within_deg ?? HEADING_WITHIN_DEG) * DEG;
      const turned = predicate.yaw_deg === undefined ? 0 : Math.abs(wrapRad(yawRad - predicate.yaw_deg * DEG));
      return flat(isStill && turned <= withinRad && isInPlace(view, predicate.place, regions, x, y));
    }
    case 'near': {
      const { thing, position, within_m: withinM } = predicate;
      const points = position === undefined ? meant(thing ?? {}) : [{ id: '', position }];
      return counted(
        meant(predicate.things),
        predicate.at_least,
        (one) => one.isAtRest && !one.isCollected && points.some((point) => point.id !== one.id && apartM(one, point) <= withinM),
      );
    }
    case 'upright': {
      const least = portable.cos((predicate.within_deg ?? UPRIGHT_WITHIN_DEG) * DEG);
      return counted(meant(predicate.things), predicate.at_least, (one) => one.isAtRest && uprightnessOf(one) >= least);
    }
    case 'stacked':
      return stacked(meant(predicate.things), predicate.height);
    case 'sorted':
      return counted(meant(predicate.things), predicate.at_least, (one) => isSorted(view.world, one) === true);
    case 'missorted':
      return counted(meant(predicate.things), predicate.at_least ?? 1, (one) => isSorted(view.world, one) === false);
    case 'visited':
      return flat(isInPlace(view, predicate.place, regions, view.robot.x, view.robot.y));
    case 'dropped': {
      const ids = meant(predicate.things).map(({ id }) => id);
      const subjects = view.dropped.filter((id) => ids.includes(id));
      return { holds: subjects.length > 0, share: subjects.length > 0 ? 1 : 0, subjects };
    }
    case 'collided': {
      const { furniture, things: pushed } = view.pressed;
      return flat(predicate.with === 'furniture' ? furniture : predicate.with === 'things' ? pushed : furniture || pushed);
    }
  }
}

const flat = (holds: boolean): Finding => ({ holds, share: holds ? 1 : 0, subjects: [] });

const apartM = (one: { position: readonly number[] }, other: { position: readonly number[] }): number =>
  portable.hypot((one.position[0] ?? 0) - (other.position[0] ?? 0), (one.position[1] ?? 0) - (other.position[1] ?? 0));

/** Holds when it does for so many things, or for every one of them and there is at least one. */
function counted(things: readonly JudgedThing[], atLeast: number | undefined, holds: (thing: JudgedThing) => boolean): Finding {
  const subjects = things.filter(holds).map(({ id }) => id);
  const needed = atLeast ?? Math.max(1, things.length);
  return { holds: subjects.length >= needed, share: Math.min(1, subjects.length / needed), subjects };
}

/** Returns the highest pile of these things. */
function stacked(things: readonly JudgedThing[], height: number): Finding {
  let highest: string[] = [];
  for (const bottom of things) {
    const pile = [bottom];
    for (let next = things.find((one) => restsOn(one, bottom)); next && pile.length < things.length; ) {
      pile.push(next);
      const top = next;
      next = things.find((one) => !pile.includes(one) && restsOn(one, top));
    }
    if (bottom.isAtRest && !bottom.isCollected && pile.length > highest.length) highest = pile.map(({ id }) => id);
  }
  const holds = highest.length >= height;
  return {
    holds,
    share: Math.min(1, Math.max(0, highest.length - 1) / (height - 1)),
    subjects: highest.length > 1 ? highest : [],
  };
}

/** Returns whether a thing rests on the destination pad of its colour or of another colour; null if it rests on none. */
function isSorted(world: JudgedView['world'], { isAtRest, padId, colour }: JudgedThing): boolean | null {
  const pad = isAtRest && padId !== null ? padOf(world, padId) : null;
  return pad?.role === 'destination' && pad.color !== undefined ? pad.color === colour : null;
}
