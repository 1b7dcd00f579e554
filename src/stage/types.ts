import type { ColourMode, Overlay, RenderState } from '../protocol/wire/render-state.ts';

/**
 * The viewer of a picture. `people` see the overlay, shadows and materials with sheen. `camera` is for the robot's cameras:
 * nothing that is only for people, and materials that software rendering draws quickly. The geometry is the same.
 */
export type Audience = 'people' | 'camera';

/** For people: `high` has sheen, reflections and a shadow map, `low` draws as the cameras do. Cameras are always `low`. */
export type StageQuality = 'low' | 'high';

/** The purpose of a frame: a picture, or entity numbers for measuring (look/ids.ts), of all entities or only one. */
export type Pass = { kind: 'picture' } | { kind: 'ids'; only: string | null };

/** The appearance of things: a colour mode, or as ids. */
export type Look = ColourMode | { only: string | null };

/** The state that the robot's own lights show. */
export type StatusLight = 'idle' | 'working' | 'failed';

/** The marks that one person wants to see over the world, and the things they point at. Only for people. */
export interface PersonMarkers {
  /** The planned path and its goal. */
  path: boolean;
  /** The reach of the hands from the base. */
  reach: boolean;
  /** The view of the head camera. */
  frustum: boolean;
  /** Entity or obstacle under the pointer. */
  hoveredId: string | null;
  selectedId: string | null;
  /** The person wants less motion: changes are shown without movement. */
  still: boolean;
  /** A place on the floor that the person pointed at, world frame, metres. */
  place: readonly [number, number] | null;
}

/** The source from which the stage reads, once a frame, what to draw. It is called in the frame loop, so keep it cheap. */
export interface FrameSource {
  /** The world now, or null while there is none yet; robot and things stay hidden until then. */
  latest(): RenderState | null;
  /** The overlay that people see over the world. @default nothing */
  overlay?(): Overlay;
  /** The marks that a person added to it. @default the path and the goal */
  markers?(): PersonMarkers;
  /** The state shown by the robot's lights. @default idle; robot cameras always see the robot idle */
  statusLight?(): StatusLight;
  /** The robot camera this frame is drawn for; for `pov`, which is inside the head, the head is left out. @default none */
  eye?(): string | null;
  /** The purpose of this frame. @default a picture */
  pass?(): Pass;
}
