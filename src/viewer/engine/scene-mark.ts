import { isSceneId, type SceneId, START_SCENE_ID } from '../../protocol/scene-ids.ts';

/** The parameter of an address that says in which scene the robot starts. */
const PARAMETER = 'scene';

/** Reads `?scene=hall` from a page's address. A scene that there is not is ignored. */
export function readScene(href: string): SceneId {
  const asked = new URL(href).searchParams.get(PARAMETER);
  return isSceneId(asked) ? asked : START_SCENE_ID;
}

/** Returns the address with the scene that a fresh robot is to start in. The rest of the address is unchanged. */
export function markScene(href: string, sceneId: SceneId): string {
  if (readScene(href) === sceneId) return href;
  const url = new URL(href);
  if (sceneId === START_SCENE_ID) url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, sceneId);
  return url.href;
}
