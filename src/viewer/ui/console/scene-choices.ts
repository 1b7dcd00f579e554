import type { EntityKind } from '../../../protocol/wire/entity-kind.ts';
import { type EntityState, NEAREST_CUBE_ALIAS, ROBOT_ENTITY_ID, type SceneState } from '../../../protocol/wire/scene.ts';
import { byId, metres } from '../common/format.ts';
import { distanceM, isCollected, padContents, sceneGroups, whereText } from '../values/scene-texts.ts';

/** One entity in a picker. */
export interface EntityChoice {
  id: string;
  kind: EntityKind;
  colour: string | undefined;
  where: string;
  distance: string;
  /** The text to search, in small letters. */
  text: string;
}

const known = new WeakMap<SceneState, Map<string, readonly EntityChoice[]>>();

/**
 * Returns the entities of a scene as choices, nearest first. If a graspable object is wanted, the alias of the nearest cube comes
 * first.
 * The same scene returns the same list.
 */
export function entityChoices(scene: SceneState, kinds: readonly EntityKind[]): readonly EntityChoice[] {
  const key = kinds.join();
  const lists = known.get(scene) ?? new Map<string, readonly EntityChoice[]>();
  known.set(scene, lists);
  const list = lists.get(key) ?? madeChoices(scene, kinds);
  lists.set(key, list);
  return list;
}

function madeChoices(scene: SceneState, kinds: readonly EntityKind[]): readonly EntityChoice[] {
  const { cubes, objects } = sceneGroups(scene);
  const entities = Object.values(scene.entities).filter(
    (entity) => entity.entity_id !== ROBOT_ENTITY_ID && !isCollected(entity) && kinds.includes(entity.kind),
  );
  const near = (entity: EntityState) => distanceM(scene, entity) ?? 0;
  const sorted = entities.toSorted((a, b) => near(a) - near(b) || byId(a.entity_id, b.entity_id));
  const choices = sorted.map((entity): EntityChoice => {
    const { entity_id: id, kind, state } = entity;
    const where = kind === 'pad' ? padContents(id, [...cubes, ...objects]) : whereText(entity);
    const colour = typeof state.color === 'string' ? state.color : undefined;
    const text = `${id} ${kind} ${colour ?? ''} ${where}`.toLowerCase();
    return { id, kind, colour, where, distance: metres(near(entity), 1), text };
  });
  if (!kinds.includes('cube') || kinds.includes('pad')) return choices;
  const alias: EntityChoice = {
    id: NEAREST_CUBE_ALIAS,
    kind: 'cube',
    colour: undefined,
    where: 'the nearest that is free',
    distance: '',
    text: 'cube nearest free',
  };
  return [alias, ...choices];
}

/** How far below or beside a slot's position a cube in it may rest, metres. */
const IN_SLOT_M = 0.12;

/** A slot of a pad and the cube in it. */
export interface SlotChoice {
  index: number;
  /** Id of the cube in it. */
  cube: string | null;
}

/** Returns the slots of a pad with the cubes in them. @param slots of the scene's layout */
export function slotChoices(
  scene: SceneState | null,
  slots: readonly { pad_id: string; index: number; position: readonly [number, number, number] }[],
  padId: string,
): readonly SlotChoice[] {
  const cubes = scene ? sceneGroups(scene).cubes : [];
  return slots
    .filter(({ pad_id }) => pad_id === padId)
    .map(({ index, position }) => ({
      index,
      cube:
        cubes.find(({ pose, attached_to }) => {
          const [dx, dy, dz] = pose.position.map((part, axis) => part - (position[axis] ?? 0));
          return attached_to === null && Math.hypot(dx ?? 9, dy ?? 9, dz ?? 9) < IN_SLOT_M;
        })?.entity_id ?? null,
    }));
}
