import type { Dropped } from '../protocol/dropped.ts';
import type { Vec3 } from '../protocol/geometry.ts';
import { roundLength } from '../protocol/json.ts';
import * as cubes from '../simulation/cubes.ts';
import * as grasp from '../simulation/grasp.ts';
import type { RuntimeCore } from './core.ts';

/** Cubes that left the hands though nobody put them down. Every action that ran meanwhile tells, and the state does. */

/** The last of them. */
export interface LostCube {
  entityId: string;
  step: number;
  simTimeS: number;
  /** Where it was when it left, for one that is no longer in the scene. */
  position: Vec3;
}

/** Takes note of a cube that is no longer held. */
export function noteDropped(core: RuntimeCore, entityId: string): void {
  const { world } = core;
  const cube = cubes.find(world, entityId);
  // What is held cannot leave the scene, so there is a cube, and its place is never made up.
  if (!cube) return;
  core.dropped = { entityId, step: world.step, simTimeS: world.simTimeS, position: cube.position };
  for (const entry of core.ledger.active.values()) if (entry.kind === 'tool') entry.dropped = core.dropped;
}

/** After a physics step: what physics says has left the hands; hands that hold a cube again have made up for it. */
export function watchHands(core: RuntimeCore): void {
  if (core.dropped !== null && grasp.heldEntityId(core.world) !== null) core.dropped = null;
  for (const event of core.world.events) if (event.type === 'dropped') noteDropped(core, event.entityId);
}

/** As the wire tells it, with the place where the cube is now. Null for one that is in the hands again. */
export function droppedOnWire(core: RuntimeCore, lost: LostCube): Dropped | null {
  if (grasp.heldEntityId(core.world) === lost.entityId) return null;
  const [x, y, z] = cubes.find(core.world, lost.entityId)?.position ?? lost.position;
  return { entity_id: lost.entityId, position: [roundLength(x), roundLength(y), roundLength(z)] };
}
