import type { SessionState } from '../../../protocol/service/session-state.ts';
import { degrees, metres } from '../../ui/common/format.ts';
import { heldText } from '../robot-texts.ts';
import { OLD_AFTER_MS, type SeenPlace } from '../seen-places.ts';
import { isOnFloor, type PlanShapes } from './plan-shapes.ts';

/** A robot counts as at a pad if its centre is within this distance. */
const AT_PAD_M = 1.2;

/** Returns a short text on why there is no plan of a robot. @param session null: it has none; undefined: its state is unknown */
export function noPlaceText(session: SessionState | null | undefined): string {
  if (session === undefined) return 'Its place is unknown at the moment.';
  if (session === null || session.phase !== 'open') return 'It is in no room.';
  if (session.runtime === null) return 'It is offline.';
  if (session.runtime.state === null) return 'It has not reported its place yet.';
  return 'It does not report its place.';
}

/** Returns the content of a plan as text, for people who do not see it and for facts that the plan cannot show. */
export function placeText({ place, heldEntityIds }: SeenPlace, shapes: PlanShapes | null): string {
  const { x_m: x, y_m: y, yaw_deg: yawDeg } = place;
  const pad = shapes && nearestPad(shapes, x, y);
  const parts = [
    `at x ${metres(x, 1)}, y ${metres(y, 1)}, heading ${degrees(yawDeg)}`,
    ...(pad === null ? [] : [`beside ${pad}`]),
    ...(shapes && !isOnFloor(shapes, x, y) ? ['outside of the plan'] : []),
    ...(heldEntityIds.length === 0 ? [] : [`holds ${heldText(heldEntityIds)}`]),
  ];
  return parts.join(', ');
}

function nearestPad(shapes: PlanShapes, xM: number, yM: number): string | null {
  const byDistance = shapes.pads
    .map(({ id, x, y }) => ({ id, m: Math.hypot(x - xM, y + yM) }))
    .filter(({ m }) => m <= AT_PAD_M)
    .sort((a, b) => a.m - b.m);
  return byDistance[0]?.id ?? null;
}

/** Returns whether a place of this age is drawn as old. */
export const isOld = (ageMs: number): boolean => ageMs > OLD_AFTER_MS;

/** Formats the age of a place: "now", "4 s ago", "3 min ago", "2 h ago". The text is too low by less than one of its units. */
export function placeAgeText(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1_000);
  if (seconds < 1) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
