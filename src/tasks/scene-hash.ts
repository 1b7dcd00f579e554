import { sha256OfText } from '../protocol/sha256.ts';
import { canonicalJson } from '../runtime/canonical-json.ts';
import { sceneById } from '../simulation/scene.ts';

/**
 * Returns the SHA-256 of a scene as the simulation uses it, so that a proof is not held against a scene that has changed since.
 * @throws RangeError when there is no scene of that id
 */
export function sceneSha256(sceneId: string): string {
  const scene = sceneById(sceneId);
  if (scene === null) throw new RangeError(`There is no scene '${sceneId}'.`);
  return sha256OfText(canonicalJson(scene));
}
