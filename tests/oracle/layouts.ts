import type { RuntimeCore } from '../../src/runtime/core.ts';
import { addCube } from '../../src/simulation/things.ts';
import type { Chance } from './chance.ts';
import { EDGE_M } from './places.ts';

/** Random scenes: cubes strewn over floor and pallets, some crowded, some stacked. They are placed before the first call. */

const COLOURS = ['red', 'green', 'blue', 'yellow'] as const;
const ROBOT_CLEARANCE_M = 0.45;

interface XY {
  x: number;
  y: number;
}

/** Returns whether a disc of this radius on the floor is clear of every box of the layout and every cube that lies there. */
export function floorIsClear({ world }: RuntimeCore, { x, y }: XY, radiusM: number): boolean {
  const { bounds, obstacles } = world.scene.layout;
  const inside =
    x > bounds.min[0] + radiusM && x < bounds.max[0] - radiusM && y > bounds.min[1] + radiusM && y < bounds.max[1] - radiusM;
  return (
    inside &&
    obstacles.every(({ pose: { position }, size }) => {
      const dx = Math.max(Math.abs(x - position[0]) - size[0] / 2, 0);
      const dy = Math.max(Math.abs(y - position[1]) - size[1] / 2, 0);
      return Math.hypot(dx, dy) > radiusM;
    }) &&
    world.things.all.every(({ rigidBody }) => {
      const at = rigidBody.translation();
      return at.z > 0.5 || Math.hypot(at.x - x, at.y - y) > radiusM + EDGE_M * 0.75;
    })
  );
}

/** A clear place on the floor, or null if chance finds none. */
export function clearSpot(core: RuntimeCore, chance: Chance, radiusM: number): XY | null {
  const { min, max } = core.world.scene.layout.bounds;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const spot = { x: chance.between(min[0], max[0]), y: chance.between(min[1], max[1]) };
    if (floorIsClear(core, spot, radiusM)) return spot;
  }
  return null;
}

function drop(core: RuntimeCore, chance: Chance, { x, y }: XY, z: number, turnRad: number): string {
  const thing = addCube(core.world, chance.oneOf(COLOURS), [x, y, z]);
  thing.rigidBody.setRotation({ x: 0, y: 0, z: Math.sin(turnRad / 2), w: Math.cos(turnRad / 2) }, true);
  return thing.entityId;
}

/** Strews cubes over the scene; the caller lets them come to rest. */
export function strew(core: RuntimeCore, chance: Chance): void {
  const { layout } = core.world.scene;
  const robot = core.world.base.rigidBody.translation();
  for (let left = chance.below(9); left > 0; left -= 1) {
    const spot = clearSpot(core, chance, EDGE_M * 0.75);
    if (spot && Math.hypot(spot.x - robot.x, spot.y - robot.y) > ROBOT_CLEARANCE_M)
      drop(core, chance, spot, EDGE_M / 2, chance.between(0, Math.PI / 2));
  }
  for (const pad of layout.pads) {
    if (pad.role !== 'destination' || chance.happens(0.3)) continue;
    const slots = layout.slots.filter(({ pad_id }) => pad_id === pad.pad_id);
    const manner = chance.oneOf(['slots', 'stacked', 'crowded'] as const);
    if (manner === 'crowded') {
      for (const [i, j] of [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => [i, j] as const))) {
        if (chance.happens(0.4)) continue;
        const x = pad.position[0] + (i - 1) * 0.25 + chance.between(-0.02, 0.02);
        const y = pad.position[1] + (j - 1) * 0.25 + chance.between(-0.02, 0.02);
        drop(core, chance, { x, y }, pad.position[2] + EDGE_M / 2, chance.between(0, Math.PI / 2));
      }
      continue;
    }
    const lower = slots.slice(0, 4).filter(() => chance.happens(0.5));
    for (const { position, index } of lower) {
      drop(core, chance, { x: position[0], y: position[1] }, position[2], 0);
      const upper = slots.find((slot) => slot.index === index + 4);
      if (manner === 'stacked' && upper && chance.happens(0.5))
        drop(core, chance, { x: upper.position[0], y: upper.position[1] }, upper.position[2], 0);
    }
  }
}
