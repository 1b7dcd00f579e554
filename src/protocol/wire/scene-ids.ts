import { SCENES } from './scene-titles.ts';

export { SCENES };

export type SceneId = keyof typeof SCENES;
export const SCENE_IDS = Object.keys(SCENES) as [SceneId, ...SceneId[]];

/** The scene that a robot starts in unless another is asked for. */
export const START_SCENE_ID: SceneId = 'warehouse';

export const isSceneId = (text: unknown): text is SceneId => SCENE_IDS.some((id) => id === text);
