import { sha256OfText } from '../common/sha256.ts';
import { canonicalJson } from '../runtime/canonical-json.ts';
import type { SceneDefinition } from '../simulation/scene-definition.ts';

/** Returns the SHA-256 of a scene as the simulation uses it, so that a proof is not held against a scene that has changed since. */
export const sceneSha256 = (scene: SceneDefinition): string => sha256OfText(canonicalJson(scene));
