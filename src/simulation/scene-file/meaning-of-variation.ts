import type { SceneFile } from '../../protocol/files/scene-file.ts';
import type { Placing, Variation } from '../../protocol/files/variation-file.ts';
import { PLACINGS } from '../../protocol/wire/placings.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import { CUBE_CATEGORY } from '../../protocol/wire/thing-shape.ts';
import type { SceneDefinition } from '../scene-definition.ts';
import { drawLayout, LOOKS_MAX } from '../variation/lay-out.ts';
import { UnmetVariationError } from '../variation/unmet.ts';

/** So many seeds are tried: what one of them cannot meet is refused. Seed 1 has the places of the file. */
const SEEDS_TRIED = 24;
const FIRST_SEED = 2;
/** With so many places looked at in all, so that no file keeps its reader busy for long. */
const LOOKS_IN_ALL = 2 * LOOKS_MAX;

type Report = (path: string, reason: string) => void;

/** Unknown names, missing parts and impossible demands of a variation. */
export function variationProblems({ variation }: SceneFile, scene: SceneDefinition): SceneProblem[] {
  if (variation === undefined) return [];
  const problems: SceneProblem[] = [];
  const report: Report = (path, reason) => void problems.push({ path: `variation.${path}`, reason });
  const things = new Map(scene.things.flatMap((thing) => (thing.id === undefined ? [] : [[thing.id, thing] as const])));
  const isThing = (path: string, id: string): void => {
    if (!things.has(id)) report(path, `must name a thing of this scene by its id; ${namesOf([...things.keys()])}.`);
  };
  const { count = [], choose = [], permute = [], jitter = [], place = [] } = variation;
  for (const [index, { things: ids, least, most }] of count.entries()) {
    for (const [at, id] of ids.entries()) isThing(`count[${index}].things[${at}]`, id);
    if (most < least || most > ids.length)
      report(`count[${index}].most`, `must be from least, ${least}, to the number of things, ${ids.length}; it is ${most}.`);
  }
  for (const [index, { thing, from }] of choose.entries()) {
    isThing(`choose[${index}].thing`, thing);
    const coloured = from.findIndex(({ color }) => color !== undefined);
    if (coloured !== -1 && things.get(thing)?.category === CUBE_CATEGORY)
      report(
        `choose[${index}].from[${coloured}].color`,
        'means nothing for a cube; every seed draws the colours of the cubes that keep none.',
      );
  }
  for (const [index, ids] of permute.entries()) for (const [at, id] of ids.entries()) isThing(`permute[${index}][${at}]`, id);
  for (const [index, { thing }] of jitter.entries()) isThing(`jitter[${index}].thing`, thing);
  const placed = new Set<string>();
  for (const [index, entry] of place.entries()) {
    isThing(`place[${index}].thing`, entry.thing);
    placeProblem(entry, `place[${index}]`, scene, placed, report);
  }
  return problems.length > 0 ? problems : unmet(variation, scene);
}

const namesOf = (ids: readonly string[]): string => (ids.length === 0 ? 'no thing has one' : `there are ${ids.join(', ')}`);

function placeProblem(
  { thing, is, of, ...limits }: Placing,
  at: string,
  scene: SceneDefinition,
  placed: Set<string>,
  report: Report,
): void {
  const { layout, regions, things, fixtures } = scene;
  const containers = things.flatMap(({ id, shape }) => (id !== undefined && shape.kind === 'container' ? [id] : []));
  const surfaces = [...layout.pads.map(({ pad_id }) => pad_id), ...layout.obstacles.map(({ obstacle_id }) => obstacle_id)];
  const others = [...surfaces, ...things.flatMap(({ id }) => id ?? [])];
  const wanted = { on: surfaces, in: [...regions.map(({ id }) => id), ...containers] }[is as string] ?? others;
  const text = { on: 'a pad or an obstacle', in: 'a region or a container' }[is as string] ?? 'a pad, an obstacle or a thing';
  if (!wanted.includes(of) || of === thing)
    report(
      `${at}.of`,
      `must name ${text} of this scene, other than the thing itself; ${namesOf(wanted.filter((id) => id !== thing))}.`,
    );
  if (fixtures.some(({ padId, beltObstacleId }) => padId === of || beltObstacleId === of))
    report(`${at}.of`, 'must be a place that no belt brings things to.');
  if (PLACINGS.some((one) => one === is)) {
    if (placed.has(thing)) report(`${at}.thing`, 'must be one that no earlier entry puts somewhere.');
    placed.add(thing);
  }
  const needed = { near: 'within_m', clear_of: 'least_m' }[is as string];
  const taken = { near: 'within_m', clear_of: 'least_m', facing: 'within_deg' }[is as string];
  if (needed !== undefined && limits[needed as 'within_m'] === undefined)
    report(`${at}.${needed}`, `is missing; ${is} needs it.`);
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined && name !== taken) report(`${at}.${name}`, `means nothing for ${is}; leave it out.`);
}

function unmet(variation: Variation, scene: SceneDefinition): SceneProblem[] {
  let looksLeft = LOOKS_IN_ALL;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS_TRIED && looksLeft > 0; seed += 1) {
    const looks = { left: LOOKS_MAX };
    try {
      drawLayout(scene, variation, seed, looks);
      looksLeft -= LOOKS_MAX - looks.left;
    } catch (error) {
      if (!(error instanceof UnmetVariationError)) throw error;
      const reason = `could not be met for the seed ${seed}; make room for it, ask for less, or leave it out.`;
      return [{ path: `variation.${error.path}`, reason }];
    }
  }
  return [];
}
