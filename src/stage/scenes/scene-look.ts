import type { ScenePlace } from '../../protocol/place.ts';
import type { Part } from '../geometry/paint.ts';
import type { Tone } from '../look/people-palette.ts';

/** The look of a scene: all that is drawn round its floor and furniture, which every scene draws the same way. */
export interface SceneLook {
  /** Returns walls, ceiling and what hangs on them: world frame, faces inwards. They lie behind everything else. */
  shellParts(place: ScenePlace, tone: Tone): Part[];
}
