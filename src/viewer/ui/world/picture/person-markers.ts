import type { PersonMarkers } from '../../../../stage/types.ts';
import type { UiState } from '../../common/ui-store.ts';

/**
 * Returns the stage's markers over the world for a person's choices and pointing.
 * @param still whether the person's system asks for reduced motion
 */
export function personMarkers(
  { overlays, view, hoveredEntityId, selectedEntityId, pointedAt }: UiState,
  still: boolean,
): PersonMarkers {
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

/** Returns whether two sets of markers would be drawn alike. */
export const sameMarkers = (a: PersonMarkers, b: PersonMarkers): boolean =>
  a.path === b.path &&
  a.reach === b.reach &&
  a.frustum === b.frustum &&
  a.hoveredId === b.hoveredId &&
  a.selectedId === b.selectedId &&
  a.still === b.still &&
  a.place?.[0] === b.place?.[0] &&
  a.place?.[1] === b.place?.[1];
