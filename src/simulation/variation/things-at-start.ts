import type { SceneDefinition, ThingAtStart } from '../scene-definition.ts';
import { OWN_ROW_SEED } from '../start-row.ts';
import { drawLayout, type Looks } from './lay-out.ts';

/**
 * Returns the things of a scene where they are at the start of a world of this seed: at the places of the file for seed 1 and
 * in a scene without variation, otherwise as they are drawn. The same seed gives the same layout everywhere.
 * @param looks as for `drawLayout`
 * @throws UnmetVariationError when what the scene asks for cannot be met
 */
export function thingsAtStart(scene: SceneDefinition, seed: number, looks?: Looks): readonly ThingAtStart[] {
  const { variation } = scene.file;
  return variation === undefined || seed >>> 0 === OWN_ROW_SEED ? scene.things : drawLayout(scene, variation, seed, looks);
}
