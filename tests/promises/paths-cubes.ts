import RAPIER from '@dimforge/rapier3d-compat';
import type { SimWorld } from '../../src/simulation/sim-world.ts';
import { addCube } from '../../src/simulation/things.ts';
import { cubeShape, type JudgesFloor, type Shape, type XY } from './paths-floor.ts';
import type { Dice } from './paths-random.ts';

let ready: Promise<void> | null = null;

/** The physics library, initialised. */
export async function physics(): Promise<typeof RAPIER> {
  ready ??= RAPIER.init();
  await ready;
  return RAPIER;
}

/** Sets a new cube on the floor, turned, and returns its body. */
export function putNewCube(world: SimWorld, { x, y }: XY, yawRad: number, z = 0.076) {
  const thing = addCube(world, 'red', [x, y, z]);
  thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(yawRad / 2), w: Math.cos(yawRad / 2) }, true);
  return thing;
}

/**
 * Random places of loose cubes: strewn over the floor, in rows that close passages, in rings, on the edges of pallets.
 * @param keepClear no cube's centre comes nearer than half a metre to these
 */
export function strewnPlaces(dice: Dice, floor: JudgesFloor, count: number, keepClear: readonly XY[]): XY[] {
  const places: XY[] = [];
  const isFree = (place: XY): boolean =>
    floor.isInside(place) &&
    floor.nearest(place).distanceM > 0.11 &&
    keepClear.every(({ x, y }) => Math.hypot(x - place.x, y - place.y) > 0.5) &&
    places.every(({ x, y }) => Math.hypot(x - place.x, y - place.y) > 0.22);
  const add = (place: XY): void => {
    if (places.length < count && isFree(place)) places.push(place);
  };
  const anywhere = (): XY => ({ x: dice.between(floor.min.x, floor.max.x), y: dice.between(floor.min.y, floor.max.y) });
  for (let tries = 0; places.length < count && tries < 40 * count; tries += 1) {
    const centre = anywhere();
    const kind = dice.next();
    if (kind < 0.7) add(centre);
    else if (kind < 0.85) {
      const angle = dice.between(0, 2 * Math.PI);
      for (let i = 0; i < 7; i += 1) add({ x: centre.x + 0.35 * i * Math.cos(angle), y: centre.y + 0.35 * i * Math.sin(angle) });
    } else {
      const radiusM = dice.between(0.4, 0.9);
      const round = Math.ceil((2 * Math.PI * radiusM) / 0.45);
      for (let i = 0; i < round; i += 1) {
        const angle = (2 * Math.PI * i) / round;
        add({ x: centre.x + radiusM * Math.cos(angle), y: centre.y + radiusM * Math.sin(angle) });
      }
    }
  }
  return places;
}

/** Shadows of all cubes that are not held, from their bodies. */
export function cubeShapes(world: SimWorld, upright: boolean): Shape[] {
  return world.things.all
    .filter(({ carrier }) => carrier !== 'hands')
    .map(({ entityId, rigidBody }) => cubeShape(entityId, rigidBody, upright))
    .filter((shape): shape is Shape => shape !== null);
}
