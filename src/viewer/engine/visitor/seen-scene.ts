import type { ScenePlace } from '../../../protocol/wire/place.ts';
import type { RenderState, RigidPose, ThingRender } from '../../../protocol/wire/render-state.ts';
import { type EntityState, type Pad, ROBOT_ENTITY_ID, type SceneState } from '../../../protocol/wire/scene.ts';
import { CUBE_SHAPE, sizeOf } from '../../../protocol/wire/thing-shape.ts';

/** A cube lies on a pad if its centre is within this distance of its position there. Metres. */
const LIES_WITHIN_M = 0.03;

/**
 * Returns the objects of an observed world and their positions: the same list that the robot returns to authorised callers, as
 * far as the picture shows it. Collected cubes are not included.
 * @param stateTimeMs time of this state, by the robot's clock
 */
export function seenScene(state: RenderState, place: ScenePlace, stateTimeMs: number): SceneState {
  const entities = [
    robotEntity(state),
    ...state.things.map((thing) => thingEntity(thing, place.pads)),
    ...place.pads.map(padEntity),
  ];
  return {
    timestamp: { step: state.step, sim_time_s: state.simTimeS, wall_time_ms: Math.round(stateTimeMs) },
    entities: Object.fromEntries(entities.map((entity) => [entity.entity_id, entity])),
  };
}

const robotEntity = ({ rootPose }: RenderState): EntityState => ({
  entity_id: ROBOT_ENTITY_ID,
  kind: 'robot',
  pose: poseOf(rootPose),
  visible: true,
  attached_to: null,
  state: {},
});

const thingEntity = (thing: ThingRender, pads: readonly Pad[]): EntityState => ({
  entity_id: thing.entityId,
  kind: thing.object ? 'object' : 'cube',
  pose: poseOf(thing),
  visible: true,
  attached_to: thing.held ? ROBOT_ENTITY_ID : null,
  state: {
    color: thing.colour,
    parent_pad_id: thing.held ? null : (pads.find((pad) => liesOn(thing, pad))?.pad_id ?? null),
    ...(thing.object ? { category: thing.object.category, mass_kg: thing.object.massKg } : {}),
  },
});

const padEntity = ({ pad_id, position, color, role }: Pad): EntityState => ({
  entity_id: pad_id,
  kind: 'pad',
  pose: { frame_id: 'world', position },
  visible: true,
  attached_to: null,
  state: { ...(color === undefined ? {} : { color }), role },
});

const poseOf = ({ position, orientation }: RigidPose): EntityState['pose'] => ({
  frame_id: 'world',
  position: [...position],
  orientation_xyzw: [...orientation],
});

/**
 * Returns whether an object lies on a pad. An object other than a cube is assumed to stand upright, with the height of its shape.
 */
function liesOn({ position: [x, y, z], object }: ThingRender, { position, size }: Pad): boolean {
  const halfM = sizeOf(object?.shape ?? CUBE_SHAPE)[2] / 2;
  return (
    Math.abs(x - position[0]) <= size[0] / 2 &&
    Math.abs(y - position[1]) <= size[1] / 2 &&
    Math.abs(z - position[2] - halfM) <= LIES_WITHIN_M
  );
}
