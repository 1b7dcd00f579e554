import type { RenderState } from '../../../../protocol/wire/render-state.ts';

/** An invisible difference: 0.2 mm, 0.01 degrees. */
const UNSEEN = 2e-4;

/** Returns whether two states of the world would be drawn alike. The frame then need not be drawn again. */
export function samePicture(a: RenderState, b: RenderState): boolean {
  if (a === b) return true;
  if (a.colourMode !== b.colourMode || a.things.length !== b.things.length) return false;
  // The animation of a collected cube runs for a while, frame by frame.
  if (a.collected.length !== b.collected.length || a.collected.some(({ ageS }, k) => ageS !== b.collected[k]?.ageS)) return false;
  if (a.fixtures.some(({ travelM }, k) => Math.abs(travelM - (b.fixtures[k]?.travelM ?? 0)) > UNSEEN)) return false;
  if (!close(a.rootPose.position, b.rootPose.position) || !close(a.rootPose.orientation, b.rootPose.orientation)) return false;
  if (!close(a.jointPositions, b.jointPositions)) return false;
  return a.things.every((thing, index) => {
    const other = b.things[index];
    return (
      other !== undefined &&
      other.entityId === thing.entityId &&
      close(thing.position, other.position) &&
      close(thing.orientation, other.orientation)
    );
  });
}

function close(a: readonly number[], b: readonly number[]): boolean {
  for (let index = 0; index < a.length; index += 1) {
    if (Math.abs((a[index] ?? 0) - (b[index] ?? 0)) > UNSEEN) return false;
  }
  return true;
}
