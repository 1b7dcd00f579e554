import type { PoseInput } from '../../protocol/geometry.ts';
import type { Place } from '../place.ts';

type EntityTarget = { kind: 'entity'; entity_id: string };
type PoseTarget = { kind: 'pose'; pose: PoseInput };
type SlotTarget = { kind: 'slot'; pad_id: string; index: number };

/** Returns the target that an id names, as skills take it. */
export const entityTarget = (entityId: string): EntityTarget => ({ kind: 'entity', entity_id: entityId });

/** Returns the target of an id or a place. */
export const targetOf = (target: string | Place): EntityTarget | PoseTarget =>
  typeof target === 'string' ? entityTarget(target) : placeTarget(target);

/**
 * Returns the target of a placing; undefined where none is named, which means the nearest destination pad.
 * @throws TypeError for a slot of no pad, and for two targets
 */
export function supportTarget(
  on: string | undefined,
  slot: number | undefined,
  at: Place | undefined,
): EntityTarget | PoseTarget | SlotTarget | undefined {
  if (on !== undefined && at !== undefined) throw new TypeError('"on" and "at" are two targets. Pass one of them.');
  if (on === undefined && slot !== undefined) throw new TypeError('"slot" is a slot of a pad. Pass the id of the pad as "on".');
  if (at !== undefined) return placeTarget(at);
  if (on === undefined) return undefined;
  return slot === undefined ? entityTarget(on) : { kind: 'slot', pad_id: on, index: slot };
}

const placeTarget = ({ x, y, z = 0, yaw_deg }: Place): PoseTarget => ({
  kind: 'pose',
  pose: { position: [x, y, z], ...(yaw_deg === undefined ? {} : { yaw_deg }) },
});
