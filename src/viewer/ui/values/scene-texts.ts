import { type EntityState, ROBOT_ENTITY_ID, type SceneState } from '../../../protocol/wire/scene.ts';
import type { RuntimeState } from '../../../protocol/wire/state.ts';
import { byId, counted, decimal, metres } from '../common/format.ts';

/** The centre of a cube that rests on the floor is below this height. */
const ON_FLOOR_BELOW_M = 0.12;

export interface SceneGroups {
  cubes: readonly EntityState[];
  /** Movable objects other than cubes. */
  objects: readonly EntityState[];
  pads: readonly EntityState[];
  /** The most recently collected cubes; no action on them is possible. */
  collected: readonly EntityState[];
}

/** Returns whether a cube has been delivered and collected. It is then still listed, but not in the scene. */
export const isCollected = ({ state }: EntityState): boolean => state.collected === true;

/** Returns the cubes, the other objects and the pads of a scene, each sorted by number. */
export function sceneGroups(scene: SceneState): SceneGroups {
  const all = Object.values(scene.entities).toSorted((a, b) => byId(a.entity_id, b.entity_id));
  const cubes = all.filter(({ kind }) => kind === 'cube');
  return {
    cubes: cubes.filter((cube) => !isCollected(cube)),
    objects: all.filter(({ kind }) => kind === 'object'),
    pads: all.filter(({ kind }) => kind === 'pad'),
    collected: cubes.filter(isCollected),
  };
}

/** Describes where an entity is: "on pad_B", "held by the robot", "on the floor at x 1.20, y 0.40". */
export function whereText(entity: EntityState): string {
  if (entity.attached_to === ROBOT_ENTITY_ID) return 'held by the robot';
  const pad = entity.state.parent_pad_id;
  if (isCollected(entity)) return `delivered to ${pad}`;
  if (typeof pad === 'string') return `on ${pad}`;
  const [x, y, z] = entity.pose.position;
  const place = `x ${decimal(x, 2)}, y ${decimal(y, 2)}`;
  if (entity.kind === 'pad') return place;
  return z < ON_FLOOR_BELOW_M ? `on the floor at ${place}` : `at ${place}, z ${metres(z)}`;
}

/** Describes a cube's wrong delivery: "wrong pad, it is for red"; null for anything else. */
export function wrongPadText({ kind, state }: EntityState, pads: readonly EntityState[]): string | null {
  const pad = pads.find(({ entity_id }) => entity_id === state.parent_pad_id)?.state;
  const isWrong = kind === 'cube' && pad?.role === 'destination' && pad.color !== undefined && pad.color !== state.color;
  return isWrong ? `wrong pad, it is for ${pad.color}` : null;
}

/** Describes the count of deliveries: "Deliveries: 4 right, 1 wrong"; null if nothing is counted. */
export const deliveryCounts = (counts: RuntimeState['robot']['extra']['sort_benchmark']): string | null =>
  // Only a scene for sorting has pads with counts.
  counts.enabled && Object.keys(counts.pallet_stack_counts).length > 0
    ? `Deliveries: ${counts.correct_count} right, ${counts.wrong_count} wrong`
    : null;

/** Describes the contents of a pad: "3 cubes", "2 things", "empty". */
export function padContents(padId: string, things: readonly EntityState[]): string {
  const there = things.filter(({ state }) => state.parent_pad_id === padId);
  if (there.length === 0) return 'empty';
  return counted(there.length, there.every(({ kind }) => kind === 'cube') ? 'cube' : 'thing');
}

/** Returns the distance on the floor between the robot and an entity, metres; null without a robot. */
export function distanceM(scene: SceneState, entity: EntityState): number | null {
  const robot = scene.entities[ROBOT_ENTITY_ID];
  if (!robot) return null;
  const [x, y] = robot.pose.position;
  return Math.hypot(entity.pose.position[0] - x, entity.pose.position[1] - y);
}

/** Returns whether every word of a search appears in an entity's id, kind, colour or place. */
export function matchesEntity({ entity_id, kind, state }: EntityState, where: string, search: string): boolean {
  const text = `${entity_id} ${kind} ${state.color ?? ''} ${where}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
