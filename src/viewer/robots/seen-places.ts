import type { SessionPlace, SessionState } from '../../protocol/session-state.ts';

/** Where a robot was when it said so last. It is shown with its age, and never as newer than it is. */
export interface SeenPlace {
  /** Null where the robot does not say which scene it is in. */
  sceneId: string | null;
  place: SessionPlace;
  heldEntityIds: readonly string[];
  /** The latest moment at which it was so, on the clock that nobody sets, and on the machine's, which goes on while the machine sleeps. */
  sinceMs: number;
  sinceWallMs: number;
  /** The moment at which its session was opened. */
  openedAt: string | null;
}

/** The times of both clocks. */
export interface Clocks {
  nowMs: number;
  wallMs: number;
}

/** From then on a place is drawn as old: two looks of the page brought nothing newer. */
export const OLD_AFTER_MS = 12_000;

/** Returns how old a seen place is, milliseconds: by the clock that says more. */
export const seenAgeMs = ({ sinceMs, sinceWallMs }: SeenPlace, { nowMs, wallMs }: Clocks): number =>
  Math.max(0, nowMs - sinceMs, wallMs - sinceWallMs);

/**
 * Returns the places after a look: those that robots say now; and of those that do not answer, what they said last in the same session.
 * @param askedAt before the look, so that no place is taken for newer than it is
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
