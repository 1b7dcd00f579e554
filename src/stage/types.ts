import type { CameraId } from '../protocol/captures.ts';
import type { ColourMode, Overlay, RenderState } from '../protocol/render-state.ts';

/**
 * Who looks. `people` see the overlay, shadows and materials with sheen; `camera` is what the robot's cameras see: nothing that is only
 * for people, and materials that software rendering draws quickly. The geometry is the same.
 */
export type Audience = 'people' | 'camera';

/** For people: `high` has sheen, reflections and a shadow map, `low` draws as the cameras do. Cameras are always `low`. */
export type StageQuality = 'low' | 'high';

/** What a frame is drawn for: a picture, or numbers of entities for measuring (look/ids.ts), of all or of one alone. */
export type Pass = { kind: 'picture' } | { kind: 'ids'; only: string | null };

/** How things are dressed: a colour mode, or as ids. */
export type Look = ColourMode | { only: string | null };

/** Where the stage reads, once a frame, what to draw. Called in the frame loop: keep it cheap. */
export interface FrameSource {
  /** The world now, or null while there is none yet; robot and cubes stay away until then. */
  latest(): RenderState | null;
  /** What people see over the world. @default nothing */
  overlay?(): Overlay;
  /** The robot camera this frame is drawn for; the head is left out for `pov`, which sits inside it. @default none */
  eye?(): CameraId | null;
  /** What this frame is for. @default a picture */
  pass?(): Pass;
}
