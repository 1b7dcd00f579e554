import type RAPIER from '@dimforge/rapier3d-compat';
import { type Vec3, yawToQuat } from '../protocol/wire/geometry.ts';
import { CUBE_CATEGORY, containerParts, type ThingShape, thingProblem } from '../protocol/wire/thing-shape.ts';
import * as groups from './collision-groups.ts';
import { beyondCubeM } from './extents.ts';
import type { SimWorld } from './sim-world.ts';
import type { Thing, ThingTraits } from './thing.ts';

/** A solid part of a thing, in its own frame: a box by its half extents, or a cylinder along z. */
type Part =
  | { kind: 'box'; centre: Vec3; half: Vec3; volume: number }
  | { kind: 'cylinder'; radiusM: number; halfM: number; volume: number };

/** The engine's cylinders stand along y: a quarter turn about x lets them stand along z. */
const ALONG_Z = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** Returns the solid parts of a shape: one, or a container's floor and its walls, which meet without overlapping. */
export function partsOf(shape: ThingShape): Part[] {
  if (shape.kind === 'cylinder') return [{ kind: 'cylinder', radiusM: shape.radiusM, halfM: shape.heightM / 2, volume: 1 }];
  if (shape.kind === 'box') return [boxPart([0, 0, 0], shape.size)];
  return containerParts(shape.size, shape.wallM).map(({ centre, size }) => boxPart(centre, size));
}

const boxPart = (centre: Vec3, [x, y, z]: Vec3): Part => ({
  kind: 'box',
  centre,
  half: [x / 2, y / 2, z / 2],
  volume: x * y * z,
});

/**
 * Adds a thing to the physics world and to the list, its centre at `position`, standing upright with its x axis along `yawRad`. One body;
 * its mass is spread evenly over its solid parts.
 * @throws RangeError when its measures are invalid, or its id is taken
 */
export function createThing(world: SimWorld, traits: ThingTraits, [x, y, z]: Vec3, yawRad: number): Thing {
  const { rapier, physics, things } = world;
  const { entityId, colour, shape, category, massKg, friction } = traits;
  const problem = thingProblem(traits);
  if (problem) throw new RangeError(`The thing "${entityId}" is invalid: ${problem.path}: ${problem.reason}.`);
  if (things.byId.has(entityId)) throw new RangeError(`There are two things with the id "${entityId}".`);
  const [qx, qy, qz, qw] = yawToQuat(yawRad);
  const body = rapier.RigidBodyDesc.dynamic().setTranslation(x, y, z);
  const rigidBody = physics.createRigidBody(yawRad === 0 ? body : body.setRotation({ x: qx, y: qy, z: qz, w: qw }));
  const parts = partsOf(shape);
  const volume = parts.reduce((sum, part) => sum + part.volume, 0);
  const colliders = parts.map((part) => {
    const share = parts.length === 1 ? massKg : (massKg * part.volume) / volume;
    return physics.createCollider(
      colliderOf(rapier, part)
        .setMass(share)
        .setFriction(friction)
        .setCollisionGroups(groups.FREE_THING_GROUP)
        // No code filters contacts. But the engine finds the contacts of filterable pairs again in each step, and does not reuse earlier ones.
        .setActiveHooks(rapier.ActiveHooks.FILTER_CONTACT_PAIRS),
      rigidBody,
    );
  });
  const thing: Thing = {
    entityId,
    colour,
    shape,
    category,
    massKg,
    friction,
    isCube: category === CUBE_CATEGORY,
    beyondCubeM: beyondCubeM(shape),
    rigidBody,
    colliders,
    position: { x, y, z },
    rotation: { x: qx, y: qy, z: qz, w: qw },
    linearSpeedMps: 0,
    angularSpeedRps: 0,
    carrier: 'none',
    restSteps: 0,
    restsOnPadId: null,
    rowSlot: null,
  };
  things.all.push(thing);
  things.byId.set(entityId, thing);
  for (const { handle } of colliders) world.colliderIds.set(handle, entityId);
  return thing;
}

function colliderOf(rapier: typeof RAPIER, part: Part): RAPIER.ColliderDesc {
  if (part.kind === 'cylinder') return rapier.ColliderDesc.cylinder(part.halfM, part.radiusM).setRotation(ALONG_Z);
  const { centre, half } = part;
  const box = rapier.ColliderDesc.cuboid(half[0], half[1], half[2]);
  return centre.some((length) => length !== 0) ? box.setTranslation(centre[0], centre[1], centre[2]) : box;
}
