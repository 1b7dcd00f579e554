import * as errors from '../../protocol/texts/error-texts.ts';
import { ENTITY_KINDS } from '../../protocol/wire/entity-kind.ts';
import { fitsRpc, roundDeep, utf8Bytes } from '../../protocol/wire/json.ts';
import { UNKNOWN_IDS_MAX } from '../../protocol/wire/limits.ts';
import type { MethodRequest } from '../../protocol/wire/methods.ts';
import {
  type EntityState,
  ROBOT_ENTITY_ID,
  type SceneState,
  type ThingShapeOnWire,
  type UnknownId,
} from '../../protocol/wire/scene.ts';
import type { ThingShape } from '../../protocol/wire/thing-shape.ts';
import * as base from '../../simulation/base.ts';
import * as fixtures from '../../simulation/fixtures.ts';
import * as grasp from '../../simulation/grasp.ts';
import * as scene from '../../simulation/scene.ts';
import * as things from '../../simulation/things.ts';
import type { RuntimeCore } from '../core.ts';
import { nearestEntities } from '../entities.ts';
import { pathOfNotFinite } from '../not-finite.ts';
import { basePose, wirePose } from '../poses.ts';
import { encodeGuard } from '../reply.ts';
import { isInside } from '../skills/piles.ts';
import { timestamp } from './robot-state.ts';

type Filter = MethodRequest<'runtime.scene_state'>;

/**
 * Returns the reply of `runtime.scene_state`: the robot, the pads, the cubes and other things, and the cubes collected last, as
 * far as the filter passes them, and the ids of the filter that name nothing.
 */
export function sceneState(core: RuntimeCore, nowMs: number, filter: Filter = {}): SceneState {
  const passes = (entity: EntityState): boolean =>
    (filter.entity_ids?.includes(entity.entity_id) ?? true) &&
    (filter.kinds?.includes(entity.kind) ?? true) &&
    (filter.visible === undefined || filter.visible === entity.visible);
  const all = [robot(core), ...pads(core), ...thingStates(core), ...collectedStates(core)];
  const unknown = unknownIds(core, all, filter.entity_ids ?? []);
  return {
    timestamp: timestamp(core, nowMs),
    entities: Object.fromEntries(all.filter(passes).map((entity) => [entity.entity_id, entity])),
    ...(unknown.length === 0 ? {} : { unknown_ids: unknown }),
  };
}

function unknownIds({ world }: RuntimeCore, all: readonly EntityState[], asked: readonly string[]): UnknownId[] {
  const known = new Set(all.map(({ entity_id: id }) => id));
  const unknown = [...new Set(asked)].filter((id) => !known.has(id)).slice(0, UNKNOWN_IDS_MAX);
  return unknown.map((id) => ({ entity_id: id, nearest: nearestEntities(world, id, ENTITY_KINDS) }));
}

/**
 * Returns the JSON text of a scene. A crowded scene omits unknown ids and the quaternion of upright things, which `yaw_deg`
 * expresses too. If it still does not fit a reply, the result is PAYLOAD_TOO_LARGE with the ids to ask for.
 */
export function encodeScene(state: SceneState): string {
  const path = pathOfNotFinite(state);
  if (path !== null) return encodeGuard(errors.notFinite(path));
  const whole = JSON.stringify(roundDeep(state));
  if (fitsRpc(whole)) return whole;
  const { unknown_ids: _, ...known } = state;
  const short = JSON.stringify(roundDeep(withoutPlainQuaternions(known)));
  return fitsRpc(short) ? short : encodeGuard(errors.sceneTooLarge(utf8Bytes(short), Object.keys(state.entities)));
}

/** Upright: the quaternion's components about x and y are below this, a tilt of less than 0.25°, as resting things have. */
const UPRIGHT = 0.002;

function withoutPlainQuaternions({ timestamp: at, entities }: SceneState): SceneState {
  const shorter = Object.entries(entities).map(([id, entity]): [string, EntityState] => {
    const { orientation_xyzw: quaternion, ...rest } = entity.pose;
    const upright = quaternion !== undefined && Math.max(Math.abs(quaternion[0]), Math.abs(quaternion[1])) < UPRIGHT;
    return [id, upright ? { ...entity, pose: rest } : entity];
  });
  return { timestamp: at, entities: Object.fromEntries(shorter) };
}

const robot = ({ world }: RuntimeCore): EntityState => ({
  entity_id: ROBOT_ENTITY_ID,
  kind: 'robot',
  pose: basePose(world, base.pose(world)),
  visible: true,
  attached_to: null,
  state: { held_entity_ids: [grasp.heldEntityId(world)].filter((id) => id !== null) },
});

const pads = ({ world }: RuntimeCore): EntityState[] =>
  scene.pads(world).map((pad) => ({
    entity_id: pad.pad_id,
    kind: 'pad',
    pose: wirePose(pad.position, [0, 0, 0, 1]),
    visible: true,
    attached_to: null,
    state: { ...(pad.color === undefined ? {} : { color: pad.color }), role: pad.role },
  }));

function thingStates({ world }: RuntimeCore): EntityState[] {
  const all = things.list(world);
  const containers = all.filter(({ shape }) => shape.kind === 'container');
  return all.map((thing) => ({
    entity_id: thing.entityId,
    kind: thing.isCube ? 'cube' : 'object',
    pose: wirePose(thing.position, thing.orientation),
    visible: !fixtures.hide(world, thing.position),
    attached_to: thing.held ? ROBOT_ENTITY_ID : null,
    state: {
      color: thing.colour,
      parent_pad_id: thing.parentPadId,
      slot: thing.slotIndex,
      at_rest: thing.atRest,
      ...inContainer(thing, containers),
      // A cube's make is the same for all of them, and replies are short of room.
      ...(thing.isCube ? {} : { category: thing.category, shape: shapeOnWire(thing.shape), mass_kg: thing.massKg }),
    },
  }));
}

function inContainer(thing: things.ThingView, containers: readonly things.ThingView[]): { container_id?: string } {
  const found = containers.find((outer) => outer.entityId !== thing.entityId && isInside(thing, outer));
  return !found || thing.held ? {} : { container_id: found.entityId };
}

function shapeOnWire(shape: ThingShape): ThingShapeOnWire {
  switch (shape.kind) {
    case 'box':
      return { kind: 'box', size: [...shape.size] };
    case 'cylinder':
      return { kind: 'cylinder', radius_m: shape.radiusM, height_m: shape.heightM };
    case 'container':
      return { kind: 'container', size: [...shape.size], wall_m: shape.wallM };
  }
}

/** Returns the cubes collected last, as they were delivered. They are in no slot and invisible. */
const collectedStates = ({ world }: RuntimeCore): EntityState[] =>
  world.collection.listed.map(({ entityId, colour, padId, position, orientation }) => ({
    entity_id: entityId,
    kind: 'cube',
    pose: wirePose(position, orientation),
    visible: false,
    attached_to: null,
    state: { color: colour, parent_pad_id: padId, slot: null, at_rest: true, collected: true },
  }));
