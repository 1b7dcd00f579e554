import type { PersonMarks } from '../../../../stage/types.ts';
import type { UiState } from '../../common/ui-store.ts';

/**
 * Returns the stage's marks over the world for a person's choices and pointing.
 * @param still whether the person's system asks for reduced motion
 */
export function personMarks(
  { overlays, view, hoveredEntityId, selectedEntityId, pointedAt }: UiState,
  still: boolean,
): PersonMarks {
  return {
    path: overlays.path,
    reach: overlays.reach,
    // In the view from the head, the frustum's edges would only obstruct the picture.
    frustum: overlays.frustum && view !== 'head',
    hoveredId: hoveredEntityId,
    selectedId: selectedEntityId,
    still,
    place: pointedAt,
  };
}

/** Returns whether two sets of marks would be drawn alike. */
export const sameMarks = (a: PersonMarks, b: PersonMarks): boolean =>
  a.path === b.path &&
  a.reach === b.reach &&
  a.frustum === b.frustum &&
  a.hoveredId === b.hoveredId &&
  a.selectedId === b.selectedId &&
  a.still === b.still &&
  a.place?.[0] === b.place?.[0] &&
  a.place?.[1] === b.place?.[1];
