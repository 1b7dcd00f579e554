import type { ThingSelector } from '../protocol/files/task-file.ts';
import { type Quat, type Vec3, yawToQuat } from '../protocol/wire/geometry.ts';
import type { ThingColour } from '../protocol/wire/scene.ts';
import { CUBE_CATEGORY, CUBE_SHAPE, sizeOf } from '../protocol/wire/thing-shape.ts';
import { cubesAtStart } from '../simulation/fixtures.ts';
import type { SceneDefinition, ThingAtStart } from '../simulation/scene-definition.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import type { Thing } from '../simulation/thing.ts';
import { colouredThings, cubeId, isAtRest, supportingPad } from '../simulation/things.ts';
import type { Looks } from '../simulation/variation/lay-out.ts';

/** A movable thing as the judge sees it, world frame, metres. */
export interface JudgedThing {
  id: string;
  category: string;
  colour: ThingColour;
  /** Full extents along its own axes. */
  size: Vec3;
  /** Thickness of a container's walls; null for a solid thing. */
  wallM: number | null;
  position: Vec3;
  orientation: Quat;
  isHeld: boolean;
  isAtRest: boolean;
  /** The pad that it rests on, or was collected from. */
  padId: string | null;
  /** It was delivered and has left the scene. */
  isCollected: boolean;
}

/** Returns the things of the physics world. */
export const thingsOf = (world: SimWorld): JudgedThing[] => world.things.all.map((thing) => thingOf(thing, isAtRest(thing)));

/**
 * Returns the things of a world of this seed before its first step, without the world: the same as `thingsOf` it.
 * @param looks how many places may be looked at for the layout; what is left of them stays in it
 * @throws UnmetVariationError when the scene has no layout for the seed
 */
export function thingsOfStart(scene: SceneDefinition, seed: number, looks: Looks): JudgedThing[] {
  const cubes = cubesAtStart(scene, seed).map((cube) => ({ ...cube, shape: CUBE_SHAPE, category: CUBE_CATEGORY }));
  const all: ThingAtStart[] = [...cubes, ...colouredThings(scene, seed, looks)];
  let number = 0;
  return all.map(({ id, category, colour, shape, position: [x, y, z], yawRad = 0 }) => {
    const [qx, qy, qz, qw] = yawToQuat(yawRad);
    const lying = {
      shape,
      isCube: category === CUBE_CATEGORY,
      position: { x, y, z },
      rotation: { x: qx, y: qy, z: qz, w: qw },
    };
    const entityId = id ?? cubeId(number++);
    const padId = supportingPad({ scene }, lying);
    return thingOf({ ...lying, entityId, category, colour, carrier: 'none', restsOnPadId: padId }, true);
  });
}

type Seen = Pick<Thing, 'entityId' | 'category' | 'colour' | 'shape' | 'position' | 'rotation' | 'carrier' | 'restsOnPadId'>;

function thingOf(thing: Seen, rests: boolean): JudgedThing {
  const { position: p, rotation: r } = thing;
  return {
    id: thing.entityId,
    category: thing.category,
    colour: thing.colour,
    size: sizeOf(thing.shape),
    wallM: thing.shape.kind === 'container' ? thing.shape.wallM : null,
    position: [p.x, p.y, p.z],
    orientation: [r.x, r.y, r.z, r.w],
    isHeld: thing.carrier === 'hands',
    isAtRest: rests,
    padId: thing.restsOnPadId,
    isCollected: false,
  };
}

/** Returns whether a selector matches this thing. */
export const isMeant = ({ ids, except, category, colour }: ThingSelector, thing: JudgedThing): boolean =>
  (ids?.includes(thing.id) ?? true) &&
  !(except?.includes(thing.id) ?? false) &&
  (category === undefined || category === thing.category) &&
  (colour === undefined || colour === thing.colour);

/** Third row of the rotation matrix: the heights of the thing's own unit vectors. */
const heightsOfAxes = ([x, y, z, w]: Quat): Vec3 => [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];

/** Half the height of the upright box round a turned thing. */
function halfHeightM({ size, orientation }: JudgedThing): number {
  const [x, y, z] = heightsOfAxes(orientation);
  return (Math.abs(x) * size[0] + Math.abs(y) * size[1] + Math.abs(z) * size[2]) / 2;
}

/** Returns the height of a thing's lowest point above the floor, metres. */
export const bottomM = (thing: JudgedThing): number => thing.position[2] - halfHeightM(thing);
const topM = (thing: JudgedThing): number => thing.position[2] + halfHeightM(thing);

/** Cosine of the angle between the thing's own z axis and the vertical; of a cube, whose sides are alike, its most upright axis. */
export function uprightnessOf({ orientation, category }: JudgedThing): number {
  const heights = heightsOfAxes(orientation);
  return category === CUBE_CATEGORY ? Math.max(...heights.map(Math.abs)) : heights[2];
}

/** Returns a point of the world in the thing's own frame. */
function inFrameOf({ position, orientation: [x, y, z, w] }: JudgedThing, point: Vec3): Vec3 {
  const [dx, dy, dz] = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
  return [
    (1 - 2 * (y * y + z * z)) * dx + 2 * (x * y + w * z) * dy + 2 * (x * z - w * y) * dz,
    2 * (x * y - w * z) * dx + (1 - 2 * (x * x + z * z)) * dy + 2 * (y * z + w * x) * dz,
    2 * (x * z + w * y) * dx + 2 * (y * z - w * x) * dy + (1 - 2 * (x * x + y * y)) * dz,
  ];
}

const TOUCHING_M = 0.02;

/** Returns whether a thing rests on top of another. */
export function restsOn(thing: JudgedThing, other: JudgedThing): boolean {
  if (!thing.isAtRest || !other.isAtRest || thing.isCollected || other.isCollected || thing.id === other.id) return false;
  if (Math.abs(bottomM(thing) - topM(other)) > TOUCHING_M) return false;
  // Its centre is over the other one, which may lie on any of its sides.
  const centre = inFrameOf(other, thing.position);
  const standing = mostUprightAxis(other.orientation);
  return centre.every((along, axis) => axis === standing || Math.abs(along) <= (other.size[axis] ?? 0) / 2);
}

/** Index of a thing's own axis that stands most upright. */
function mostUprightAxis(orientation: Quat): number {
  const heights = heightsOfAxes(orientation).map(Math.abs);
  return heights.indexOf(Math.max(...heights));
}

/** Returns whether a thing rests within the walls of a container. */
export function restsIn(thing: JudgedThing, container: JudgedThing): boolean {
  const { wallM, size } = container;
  if (wallM === null || !thing.isAtRest || thing.isCollected || container.isCollected || thing.id === container.id) return false;
  const [x, y, z] = inFrameOf(container, thing.position);
  return Math.abs(x) < size[0] / 2 - wallM && Math.abs(y) < size[1] / 2 - wallM && Math.abs(z) < size[2] / 2 + halfHeightM(thing);
}
