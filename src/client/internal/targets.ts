import { isRecord } from '../../common/schema-texts.ts';
import type { PoseInput } from '../../protocol/wire/geometry.ts';
import type { Place } from '../place.ts';
import { invalidInput, kindOf } from './payload.ts';

type EntityTarget = { kind: 'entity'; entity_id: string };
type PoseTarget = { kind: 'pose'; pose: PoseInput };
type SlotTarget = { kind: 'slot'; pad_id: string; index: number };

const AN_ID = "the id of a thing, such as 'cube_0'";
const A_PLACE = 'a place, such as { x: 0.4, y: -1.5 }';
const PLACE_FIELDS: readonly string[] = ['x', 'y', 'z', 'yaw_deg'] satisfies (keyof Place)[];

/** Returns the target that an id names, as skills take it. @throws RcwRuntimeError `INVALID_INPUT` for anything but a string */
export function entityTarget(entityId: string, name = 'target'): EntityTarget {
  if (typeof entityId !== 'string') throw invalidInput(`${name} is ${kindOf(entityId)}. Pass ${AN_ID}.`);
  return { kind: 'entity', entity_id: entityId };
}

/** Returns the target of an id or a place. @throws RcwRuntimeError `INVALID_INPUT` for anything else */
export const targetOf = (target: string | Place): EntityTarget | PoseTarget =>
  typeof target === 'string' ? entityTarget(target) : placeTarget(target, 'target', `${AN_ID}, or ${A_PLACE}`);

/**
 * Returns the target of a placement; undefined if none is named, which means the nearest destination pad.
 * @throws RcwRuntimeError `INVALID_INPUT` for a slot without a pad, two targets, and values of other types
 */
export function supportTarget(
  on: string | undefined,
  slot: number | undefined,
  at: Place | undefined,
): EntityTarget | PoseTarget | SlotTarget | undefined {
  if (on !== undefined && at !== undefined) throw invalidInput('"on" and "at" are two targets. Pass one of them.');
  if (on === undefined && slot !== undefined) throw invalidInput('"slot" is a slot of a pad. Pass the id of the pad as "on".');
  if (at !== undefined) return placeTarget(at, 'at', A_PLACE);
  if (on === undefined) return undefined;
  const target = entityTarget(on, 'on');
  return slot === undefined ? target : { kind: 'slot', pad_id: on, index: slot };
}

function placeTarget(place: Place, name: string, remedy: string): PoseTarget {
  if (!isRecord(place)) throw invalidInput(`${name} is ${kindOf(place)}. Pass ${remedy}.`);
  const fields = Object.keys(place).filter((field) => place[field as keyof Place] !== undefined);
  if (!fields.includes('x') || !fields.includes('y') || !fields.every((field) => PLACE_FIELDS.includes(field))) {
    throw invalidInput(
      `A place has x, y and, if it matters, z and yaw_deg; this one has ${fields.join(', ') || 'none'}. Pass ${remedy}.`,
    );
  }
  const { x, y, z = 0, yaw_deg } = place;
  return { kind: 'pose', pose: { position: [x, y, z], ...(yaw_deg === undefined ? {} : { yaw_deg }) } };
}
