import { SCENE_IDS, START_SCENE_ID } from '../../protocol/scene-ids.ts';
import { addressChoice } from './address-choice.ts';

/** `?scene=hall`: the scene that a fresh robot starts in. */
export const { read: readScene, mistake: sceneMistake, mark: markScene } = addressChoice('scene', SCENE_IDS, START_SCENE_ID);
