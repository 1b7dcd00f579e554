import type { Dropped } from '../protocol/wire/dropped.ts';
import { roundLength } from '../protocol/wire/json.ts';
import * as grasp from '../simulation/grasp.ts';
import type { SimWorld } from '../simulation/sim-world.ts';
import * as things from '../simulation/things.ts';
import type { Ledger } from './ledger.ts';
import type { LostThing } from './lost-thing.ts';

/** Things that the hands lost without a release. Every action that ran at the time reports the loss, and so does the state. */

/** State with hands that may lose a thing, and the actions that report it. */
interface HandState {
  readonly world: SimWorld;
  readonly ledger: Ledger;
  dropped: LostThing | null;
}

/** Records that the hands have lost a thing. */
export function noteDropped(core: HandState, entityId: string): void {
  const { world } = core;
  const thing = things.find(world, entityId);
  // A held thing cannot leave the scene, so the thing exists and its position is never invented.
  if (!thing) return;
  core.dropped = { entityId, step: world.step, simTimeS: world.simTimeS, position: thing.position };
  for (const entry of core.ledger.active.values()) if (entry.kind === 'tool') entry.dropped = core.dropped;
}

/** Records after a physics step which thing has left the hands; forgets the loss when the hands hold a thing again. */
export function watchHands(core: HandState): void {
  if (core.dropped !== null && grasp.heldEntityId(core.world) !== null) core.dropped = null;
  for (const event of core.world.events) if (event.type === 'dropped') noteDropped(core, event.entityId);
}

/** Returns the loss as the wire has it, with the thing's present position; null when the thing is in the hands again. */
export function droppedOnWire({ world }: Pick<HandState, 'world'>, lost: LostThing): Dropped | null {
  if (grasp.heldEntityId(world) === lost.entityId) return null;
  const [x, y, z] = things.find(world, lost.entityId)?.position ?? lost.position;
  return { entity_id: lost.entityId, position: [roundLength(x), roundLength(y), roundLength(z)] };
}
