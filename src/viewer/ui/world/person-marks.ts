import type { PersonMarks } from '../../../stage/types.ts';
import type { UiState } from '../common/ui-store.ts';

/**
 * What the stage draws over the world for what a person has chosen and points at.
 * @param still their system asks for less motion
 */
export function personMarks(
  { overlays, view, hoveredEntityId, selectedEntityId, pointedAt }: UiState,
  still: boolean,
): PersonMarks {
  return {
    path: overlays.path,
    reach: overlays.reach,
    // Out of the head one looks along it: its edges would only be in the way.
    frustum: overlays.frustum && view !== 'head',
    hoveredId: hoveredEntityId,
    selectedId: selectedEntityId,
    still,
    place: pointedAt,
  };
}

/** Would two of them be drawn alike? */
export const sameMarks = (a: PersonMarks, b: PersonMarks): boolean =>
  a.path === b.path &&
  a.reach === b.reach &&
  a.frustum === b.frustum &&
  a.hoveredId === b.hoveredId &&
  a.selectedId === b.selectedId &&
  a.still === b.still &&
  a.place?.[0] === b.place?.[0] &&
  a.place?.[1] === b.place?.[1];
