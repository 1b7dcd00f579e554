import { listed } from '../../common/shown-text.ts';
import { SCENE_IDS } from './scene-ids.ts';

/** The maximum length of a scene's id. */
const MAX_CHARS = 128;

/** Returns the scene that a session asks for in the metadata of its room; null for none. */
export function sessionSceneOf(metadata: string): string | null {
  try {
    const id = (JSON.parse(metadata) as { scene_id?: unknown } | null)?.scene_id;
    return typeof id === 'string' && id !== '' && id.length <= MAX_CHARS ? id : null;
  } catch {
    return null;
  }
}

/** Describes why a scene that a session asks for is not opened; the text follows the scene's name. */
export const UNKNOWN_SESSION_SCENE = `is not there, and the session asks for it; there are ${listed(SCENE_IDS)}.`;
