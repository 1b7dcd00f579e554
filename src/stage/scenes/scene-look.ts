import type { DataTexture } from 'three';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import type { Part } from '../geometry/paint.ts';
import type { Tone } from '../look/people-palette.ts';
import type { Reading } from '../props/textures.ts';
import type { Audience } from '../types.ts';

/** The look of a scene: all that is drawn round its floor and furniture. */
export interface SceneLook {
  /** Returns walls, ceiling and what hangs on them: world frame, faces inwards. They lie behind everything else. */
  shellParts(place: ScenePlace, tone: Tone, audience: Audience): Part[];
  /** The look of a place whose file defines how floor and boxes are drawn. */
  dressed?: DressedLook | undefined;
}

/** How floor and boxes of one place look. */
export interface DressedLook {
  /** Returns a box as what it is drawn as, world frame, inside of it; null when it is drawn as its kind. */
  boxParts(obstacle: Obstacle): Part[] | null;
  /** Returns what lies flat on the floor, below the lines: world frame. */
  rugParts(): Part[];
  /** The floor, unless it is of concrete. @returns its grain covers as much as that of concrete */
  floor: { colour: number; grain(reading: Reading): DataTexture } | null;
}
