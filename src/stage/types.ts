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

/** What the robot's own lights say. */
export type RobotMood = 'idle' | 'working' | 'failed';

/** What one person wants to see over the world, and points at. Only for people. */
export interface PersonMarks {
  /** The planned way and its goal. */
  path: boolean;
  /** How far from the base the hands work. */
  reach: boolean;
  /** What the head camera sees. */
  frustum: boolean;
  /** Entity or obstacle under the pointer. */
  hoveredId: string | null;
  selectedId: string | null;
  /** Wants less motion: what tells of something does so without moving. */
  still: boolean;
  /** A place on the floor that was pointed at, world frame, metres. */
  place: readonly [number, number] | null;
}

/** Where the stage reads, once a frame, what to draw. Called in the frame loop: keep it cheap. */
export interface FrameSource {
  /** The world now, or null while there is none yet; robot and cubes stay away until then. */
  latest(): RenderState | null;
  /** What people see over the world. @default nothing */
  overlay?(): Overlay;
  /** What a person added to it. @default the way and the goal */
  marks?(): PersonMarks;
  /** @default idle; robot cameras always see the robot idle */
  mood?(): RobotMood;
  /** The robot camera this frame is drawn for; the head is left out for `pov`, which sits inside it. @default none */
  eye?(): string | null;
  /** What this frame is for. @default a picture */
  pass?(): Pass;
}
