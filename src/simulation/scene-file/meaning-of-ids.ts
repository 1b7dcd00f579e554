import type { SceneFile } from '../../protocol/files/scene-file.ts';
import { HEAD_CAMERA_ID } from '../../protocol/wire/captures.ts';
import { NEAREST_CUBE_ALIAS, ROBOT_ENTITY_ID } from '../../protocol/wire/scene.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import { walls } from './definition-of.ts';

type Named = readonly [path: string, id: string];

const named = (list: string, all: readonly { id?: string | undefined }[] = []): Named[] =>
  all.flatMap(({ id }, index): Named[] => (id === undefined ? [] : [[`${list}[${index}].id`, id]]));

/** Ids that the world assigns. */
const GIVEN = /^cube_\d+$/;

/** Ids that are there twice, or that the world has for something else. */
export function idProblems(file: SceneFile): SceneProblem[] {
  const problems: SceneProblem[] = [];
  const standing = file.walls === false ? [] : walls(file.bounds).map(({ obstacle_id }) => obstacle_id);
  const taken = new Map<string, string>([
    [ROBOT_ENTITY_ID, 'the robot has it'],
    [NEAREST_CUBE_ALIAS, 'it means the nearest cube'],
    ...standing.map((id): [string, string] => [id, 'a wall of the room has it']),
  ]);
  const take = ([path, id]: Named, owners: Map<string, string>): void => {
    const owner = owners.get(id) ?? (GIVEN.test(id) ? 'cubes get ids of this form' : undefined);
    if (owner !== undefined) problems.push({ path, reason: `must be an id that nothing else has; ${owner}.` });
    owners.set(id, `${path} has it`);
  };
  const { obstacles, pads, regions, things } = file;
  for (const one of [
    ...named('obstacles', obstacles),
    ...named('pads', pads),
    ...named('regions', regions),
    ...named('things', things),
  ])
    take(one, taken);
  const cameras = new Map([[HEAD_CAMERA_ID, 'the camera in the head has it']]);
  for (const one of named('cameras', file.cameras)) take(one, cameras);
  return problems;
}

/** Which properties a kind of obstacle needs; it takes no others of them. */
const NEEDS: Readonly<Record<string, readonly ('pad_id' | 'belt_id' | 'letter')[]>> = {
  pallet: ['pad_id'],
  table: ['pad_id'],
  belt: ['pad_id'],
  infeed: ['belt_id'],
  sign: ['pad_id', 'letter'],
};

/** Ids that name nothing, and obstacles of a kind that needs a name and has none, or has one for nothing. */
export function referenceProblems(file: SceneFile): SceneProblem[] {
  const problems: SceneProblem[] = [];
  const { obstacles = [], pads = [] } = file;
  const padIds = pads.map(({ id }) => id);
  const beltIds = obstacles.filter(({ kind }) => kind === 'belt').map(({ id }) => id);
  const carried = new Map<string, string>();
  const find = (path: string, id: string | undefined, ids: readonly string[], what: string): void => {
    if (id !== undefined && !ids.includes(id))
      problems.push({
        path,
        reason: `must name ${what} of this scene; there ${ids.length > 0 ? `are ${ids.join(', ')}` : 'is none'}.`,
      });
  };
  for (const [index, obstacle] of obstacles.entries()) {
    const at = `obstacles[${index}]`;
    const needs = NEEDS[obstacle.kind ?? ''] ?? [];
    for (const name of ['pad_id', 'belt_id', 'letter'] as const) {
      const isThere = obstacle[name] !== undefined;
      if (needs.includes(name) && !isThere)
        problems.push({ path: `${at}.${name}`, reason: `is missing; ${obstacle.kind} needs it.` });
      if (!needs.includes(name) && isThere)
        problems.push({
          path: `${at}.${name}`,
          reason: `means nothing for ${obstacle.kind ?? 'an obstacle without kind'}; leave it out.`,
        });
    }
    find(`${at}.pad_id`, obstacle.pad_id, padIds, 'a pad');
    find(`${at}.belt_id`, obstacle.belt_id, beltIds, 'a belt');
    if (obstacle.kind === 'sign' || obstacle.pad_id === undefined) continue;
    const other = carried.get(obstacle.pad_id);
    if (other !== undefined)
      problems.push({ path: `${at}.pad_id`, reason: `must name a pad that nothing else carries; ${other} does.` });
    carried.set(obstacle.pad_id, obstacle.id);
  }
  return problems;
}
