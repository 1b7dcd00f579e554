import { listed, shownId } from '../common/shown-text.ts';
import { type Place, PREDICATES_MAX, type Predicate, type TaskFile, type ThingSelector } from '../protocol/files/task-file.ts';
import type { SceneDefinition } from '../simulation/scene-definition.ts';
import { regionsOf } from './judged-view.ts';

/** Faults of a task with the right shape: the names must exist, and the goal must make sense. */

export interface TaskProblem {
  /** The place in the file: "goal.of[1].pad"; empty for the file as a whole. */
  path: string;
  reason: string;
}

/** The names that a task may use in its scene. */
interface Known {
  pads: readonly string[];
  regions: readonly string[];
  /** Null if further things arrive during the run. */
  things: readonly string[] | null;
}

/** Returns the ids of the things that are in a scene at the start, in their order. */
function thingIdsAtStart({ fixtures, things }: SceneDefinition): string[] {
  let number = fixtures.reduce((sum, { startColours }) => sum + startColours.length, 0);
  const brought = Array.from({ length: number }, (_, at) => `cube_${at}`);
  const own = things.map((thing) => {
    if (thing.id !== undefined) return thing.id;
    number += 1;
    return `cube_${number - 1}`;
  });
  return [...brought, ...own];
}

/** Returns everything that is wrong with a task for its scene. */
export function meaningProblems(task: TaskFile, scene: SceneDefinition): TaskProblem[] {
  const known: Known = {
    pads: scene.layout.pads.map(({ pad_id: padId }) => padId),
    regions: [...regionsOf(task, scene).keys()],
    things: scene.fixtures.length > 0 ? null : thingIdsAtStart(scene),
  };
  const problems: TaskProblem[] = [];
  const say = (path: string, reason: string): void => {
    if (problems.length < PROBLEMS_MAX) problems.push({ path, reason });
  };
  const roots: [string, Predicate][] = [
    ...(task.given === undefined ? [] : [['given', task.given] satisfies [string, Predicate]]),
    ['goal', task.goal],
    ...(task.never ?? []).map((predicate, at): [string, Predicate] => [`never[${at}]`, predicate]),
    ...(task.subgoals ?? []).map(({ when }, at): [string, Predicate] => [`subgoals[${at}].when`, when]),
  ];
  let count = 0;
  for (const [path, predicate] of roots) {
    walk(predicate, path, null, (node, at, parent) => {
      count += 1;
      judgePredicate(node, at, parent, known, say);
    });
  }
  if (count > PREDICATES_MAX) say('', `The task has ${count} predicates; at most ${PREDICATES_MAX} are judged.`);
  const ids = (task.regions ?? []).map(({ id }) => id);
  ids.forEach((id, at) => {
    if (ids.indexOf(id) !== at) say(`regions[${at}].id`, `There are two regions "${id}"; give each an id of its own.`);
  });
  const credits = (task.subgoals ?? []).reduce((sum, { credit }) => sum + credit, 0);
  if (credits > 1 + 1e-9) say('subgoals', `The credits of the subgoals are ${credits} together; they are at most 1.`);
  const { min, max } = scene.layout.bounds;
  (task.faults ?? []).forEach((fault, at) => {
    if (fault.kind !== 'aisle_closes') return;
    const [x, y] = fault.position;
    const [halfX, halfY] = [fault.size[0] / 2, fault.size[1] / 2];
    if (x - halfX < min[0] || x + halfX > max[0] || y - halfY < min[1] || y + halfY > max[1])
      say(
        `faults[${at}].position`,
        `The box is not within the scene, which goes from (${min[0]}, ${min[1]}) to (${max[0]}, ${max[1]}).`,
      );
  });
  return problems;
}

const PROBLEMS_MAX = 20;

type Say = (path: string, reason: string) => void;

function walk(
  predicate: Predicate,
  path: string,
  parent: Predicate['kind'] | null,
  visit: (predicate: Predicate, path: string, parent: Predicate['kind'] | null) => void,
): void {
  visit(predicate, path, parent);
  const { kind } = predicate;
  switch (kind) {
    case 'all':
    case 'any':
    case 'then':
      for (const [at, inner] of predicate.of.entries()) walk(inner, `${path}.of[${at}]`, kind, visit);
      break;
    case 'not':
    case 'still_at_end':
      walk(predicate.of, `${path}.of`, kind, visit);
      break;
    case 'while':
      walk(predicate.condition, `${path}.condition`, kind, visit);
      walk(predicate.goal, `${path}.goal`, kind, visit);
  }
}

function judgePredicate(predicate: Predicate, path: string, parent: Predicate['kind'] | null, known: Known, say: Say): void {
  const padIsThere = (pad: string | undefined, at: string): void => {
    if (pad !== undefined && !known.pads.includes(pad))
      say(at, `There is no pad "${shownId(pad)}"; the scene has ${listed(known.pads)}.`);
  };
  const thingsAreThere = (selector: ThingSelector | undefined, at: string): void => {
    for (const [list, ids] of [
      ['ids', selector?.ids ?? []],
      ['except', selector?.except ?? []],
    ] as const)
      for (const [index, id] of ids.entries())
        if (known.things !== null && !known.things.includes(id))
          say(`${at}.${list}[${index}]`, `There is no thing "${shownId(id)}"; the scene has ${listed(known.things)}.`);
  };
  const placeIsThere = (place: Place | undefined, at: string): void => {
    if (place === undefined) return;
    if ('thing' in place) thingsAreThere(place.thing, `${at}.thing`);
    if ('pad' in place) padIsThere(place.pad, `${at}.pad`);
    if ('region' in place && !known.regions.includes(place.region))
      say(
        `${at}.region`,
        `There is no region "${shownId(place.region)}"; the task and its scene have ${listed(known.regions) || 'none'}.`,
      );
  };
  const oneOf = (names: readonly string[], values: readonly unknown[]): void => {
    const given = values.filter((value) => value !== undefined).length;
    if (given !== 1) say(path, `"${predicate.kind}" needs exactly one of ${listed(names)}; it has ${given}.`);
  };
  if ('things' in predicate) thingsAreThere(predicate.things, `${path}.things`);
  if ('thing' in predicate) thingsAreThere(predicate.thing, `${path}.thing`);
  if ('container' in predicate) thingsAreThere(predicate.container, `${path}.container`);
  if ('place' in predicate) placeIsThere(predicate.place, `${path}.place`);
  if ('pad' in predicate) padIsThere(predicate.pad, `${path}.pad`);
  switch (predicate.kind) {
    case 'on':
      oneOf(['pad', 'floor', 'thing'], [predicate.pad, predicate.floor, predicate.thing]);
      break;
    case 'in':
      oneOf(['place', 'container'], [predicate.place, predicate.container]);
      break;
    case 'near':
      oneOf(['thing', 'position'], [predicate.thing, predicate.position]);
      break;
    case 'any':
      if ((predicate.at_least ?? 1) > predicate.of.length)
        say(`${path}.at_least`, `It asks for ${predicate.at_least} of ${predicate.of.length}; at most all of them can hold.`);
      break;
    case 'still_at_end':
      if (parent !== 'then')
        say(path, '"still_at_end" stands only directly in "then"; anywhere else a predicate has to hold at the end anyway.');
      break;
    default:
      break;
  }
}
