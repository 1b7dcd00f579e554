import type { SessionPlace, SessionState } from '../../protocol/service/session-state.ts';

/** A robot's last reported place. It is shown with its age, and never as newer than it is. */
export interface SeenPlace {
  /** Null if the robot does not report its scene. */
  sceneId: string | null;
  place: SessionPlace;
  heldEntityIds: readonly string[];
  /**
   * The latest moment for which the place is known, on the monotonic clock, and on the machine's clock, which advances while the
   * machine sleeps.
   */
  sinceMs: number;
  sinceWallMs: number;
  /** The moment at which the robot's session was opened. */
  openedAt: string | null;
}

/** The times of both clocks. */
export interface Clocks {
  nowMs: number;
  wallMs: number;
}

/** The age from which a place is drawn as old: two requests of the page brought nothing newer. */
export const OLD_AFTER_MS = 12_000;

/** Returns the age of a seen place, milliseconds, by the clock that shows the larger age. */
export const seenAgeMs = ({ sinceMs, sinceWallMs }: SeenPlace, { nowMs, wallMs }: Clocks): number =>
  Math.max(0, nowMs - sinceMs, wallMs - sinceWallMs);

/**
 * Returns the places after a request: the current reports of robots that answer, and the last reports in the same session of
 * those that do not.
 * @param askedAt the time before the request, so that no place counts as newer than it is
 */
export function placesAfter(
  before: ReadonlyMap<string, SeenPlace>,
  sessions: readonly SessionState[],
  askedAt: Clocks,
): ReadonlyMap<string, SeenPlace> {
  const places = new Map<string, SeenPlace>();
  for (const session of sessions) {
    const said = session.runtime?.state;
    if (said?.place) {
      places.set(session.robot_id, {
        sceneId: said.scene_id ?? null,
        place: said.place,
        heldEntityIds: said.held_entity_ids ?? [],
        sinceMs: askedAt.nowMs - said.place.age_ms,
        sinceWallMs: askedAt.wallMs - said.place.age_ms,
        openedAt: session.opened_at,
      });
      continue;
    }
    const last = before.get(session.robot_id);
    if (!said && last && last.openedAt === session.opened_at) places.set(session.robot_id, last);
  }
  return places;
}
