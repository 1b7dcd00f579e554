import * as portable from '../common/portable-math.ts';
import type { Place, ThingSelector } from '../protocol/files/task-file.ts';
import { bottomM, isMeant, type JudgedThing, restsIn, restsOn, uprightnessOf } from './judged-things.ts';
import type { JudgedView, Regions } from './judged-view.ts';
import { type Atom, HEADING_WITHIN_DEG, judgeAtom, ON_FLOOR_M, UPRIGHT_WITHIN_DEG } from './predicates.ts';

/** Sentences about predicates that no other predicate stands in: what keeps one from holding, and what is the case while it holds. */

/** Atoms that hold for so many things, wherever or however these rest. */
type Counted = Extract<Atom, { kind: 'on' | 'in' | 'near' | 'upright' | 'sorted' | 'missorted' }>;

/** Returns what keeps an atom from holding, a sentence for each thing that it lacks. Empty while it holds. */
export function missingTexts(atom: Atom, view: JudgedView, regions: Regions): string[] {
  const { holds, subjects } = judgeAtom(atom, view, regions);
  if (holds) return [];
  const meant = 'things' in atom ? view.things.filter((thing) => isMeant(atom.things, thing)) : [];
  if ('things' in atom && meant.length === 0) return [`The scene has no ${kindOf(atom.things)}.`];
  switch (atom.kind) {
    case 'held':
      return [`The robot does not hold ${someOf(meant)}.`];
    case 'at':
      return [robotText(atom, view)];
    case 'visited':
      return [`The robot has not been ${placeText(atom.place)}.`];
    case 'collided':
      return [`The robot has not pressed against ${PRESSED[atom.with]}.`];
    case 'dropped':
      return [`No drop of ${someOf(meant)} happened.`];
    case 'present':
      return [`The scene has ${subjects.length} of ${atom.at_least ?? 1} things that are required: ${kindOf(atom.things)}.`];
    case 'stacked':
      return [`The highest stack has ${Math.max(1, subjects.length)} of ${atom.height} things: ${someOf(meant)}.`];
    default: {
      const lacking = meant.filter(({ id }) => !subjects.includes(id));
      const needed = (atom.at_least ?? meant.length) - subjects.length;
      const sentences = lacking.map((thing) => `${whereText(thing, view, atom)}, not ${wantedText(atom, thing, view)}.`);
      return needed >= lacking.length
        ? sentences
        : [`${subjects.length} of ${atom.at_least} required things are ${wantedText(atom, null, view)}.`, ...sentences];
    }
  }
}

/** Returns what is the case while an atom holds, in a sentence for each thing. */
export function factTexts(atom: Atom, view: JudgedView, subjects: readonly string[]): string[] {
  switch (atom.kind) {
    case 'at':
      return [`The robot stands ${placeText(atom.place)}.`];
    case 'visited':
      return [`The robot has been ${placeText(atom.place)}.`];
    case 'collided':
      return [`The robot pressed against ${PRESSED[atom.with]}.`];
    case 'dropped':
      return subjects.map((id) => `${id} fell or slipped out of the hands.`);
    case 'present':
      return [`The scene still has ${subjects.join(', ')}.`];
    default:
      return view.things.filter(({ id }) => subjects.includes(id)).map((thing) => `${whereText(thing, view, atom)}.`);
  }
}

const PRESSED = { furniture: 'furniture or a wall', things: 'a movable thing', anything: 'something' } as const;

/** Returns the thing and where it is, as far as the atom asks for it. */
function whereText(thing: JudgedThing, view: JudgedView, atom: Atom): string {
  const name = atom.kind === 'sorted' || atom.kind === 'missorted' ? `${thing.id} (${thing.colour})` : thing.id;
  if (atom.kind === 'upright' && !thing.isHeld && thing.isAtRest) {
    const leanDeg = (portable.acos(Math.min(1, Math.max(-1, uprightnessOf(thing)))) * 180) / Math.PI;
    return `${name} leans by ${leanDeg.toFixed(0)}°`;
  }
  const isAboutPlace = atom.kind === 'near' || (atom.kind === 'in' && atom.container === undefined);
  return `${name} ${stateText(thing, view)}${isAboutPlace && !thing.isHeld && !thing.isCollected ? ` at ${pointText(thing.position)}` : ''}`;
}

function stateText(thing: JudgedThing, { things }: JudgedView): string {
  if (thing.isHeld) return "is in the robot's hands";
  if (thing.isCollected) return thing.padId === null ? 'was collected' : `was collected from ${thing.padId}`;
  if (!thing.isAtRest) return 'still moves';
  const container = things.find((other) => restsIn(thing, other));
  if (container) return `lies in ${container.id}`;
  const base = things.find((other) => restsOn(thing, other));
  if (base) return `lies on ${base.id}`;
  if (thing.padId !== null) return `lies on ${thing.padId}`;
  const heightM = bottomM(thing);
  return heightM < ON_FLOOR_M ? 'lies on the floor' : `lies ${heightM.toFixed(2)} m above the floor`;
}

/** Returns where things have to be. @param thing the one that is meant, or null for all together */
function wantedText(atom: Counted, thing: JudgedThing | null, view: JudgedView): string {
  const others = (selector: ThingSelector): string =>
    someOf(view.things.filter((other) => isMeant(selector, other) && other.id !== thing?.id)) || kindOf(selector);
  switch (atom.kind) {
    case 'on':
      return `on ${atom.pad ?? (atom.floor === true ? 'the floor' : others(atom.thing ?? {}))}`;
    case 'in':
      return atom.place === undefined ? `in ${others(atom.container ?? {})}` : placeText(atom.place);
    case 'near':
      return `within ${atom.within_m} m of ${atom.position === undefined ? others(atom.thing ?? {}) : pointText(atom.position)}`;
    case 'upright':
      return `upright within ${atom.within_deg ?? UPRIGHT_WITHIN_DEG}°`;
    case 'sorted':
      return thing === null ? 'on the pad of their colour' : `on the ${thing.colour} pad`;
    case 'missorted':
      return 'on a pad of another colour';
  }
}

function robotText(
  { place, yaw_deg: yawDeg, within_deg: withinDeg = HEADING_WITHIN_DEG }: Extract<Atom, { kind: 'at' }>,
  { robot }: JudgedView,
): string {
  const wanted = `${placeText(place)}${yawDeg === undefined ? '' : ` with a heading of ${yawDeg}° ± ${withinDeg}°`}`;
  const headingDeg = ((robot.yawRad * 180) / Math.PI).toFixed(0);
  const heading = yawDeg === undefined ? '' : ` with a heading of ${headingDeg}°`;
  return `The robot ${robot.isStill ? 'stands' : 'still moves'} at ${pointText([robot.x, robot.y])}${heading}. It has to stand ${wanted}.`;
}

function placeText(place: Place): string {
  if ('region' in place) return `in ${place.region}`;
  if ('pad' in place) return `in ${place.pad}`;
  if ('position' in place) return `within ${place.within_m} m of ${pointText(place.position)}`;
  return `within ${place.within_m} m of ${place.thing.ids?.join(' or ') ?? `a ${kindOf(place.thing)}`}`;
}

const pointText = ([x = 0, y = 0]: readonly number[]): string => `(${x.toFixed(2)}, ${y.toFixed(2)})`;

/** Returns what a selector means: "red cube", or the ids that it names. */
const kindOf = ({ ids, category, colour }: ThingSelector): string =>
  ids?.join(' or ') ?? [colour, category ?? 'thing'].filter((word) => word !== undefined).join(' ');

const NAMED_MAX = 4;

function someOf(things: readonly JudgedThing[]): string {
  const more = things.length - NAMED_MAX;
  const names = things.slice(0, NAMED_MAX).map(({ id }) => id);
  return more > 0 ? `${names.join(', ')} or ${more} more` : names.join(' or ');
}
