import type { SceneFile } from '../../protocol/files/scene-file.ts';
import type { SceneProblem } from '../../protocol/wire/scene-outcome.ts';
import type { SceneDefinition } from '../scene-definition.ts';
import { cameraProblems, lookProblems, regionProblems, sizeProblems } from './meaning-of-extras.ts';
import { fixtureProblems } from './meaning-of-fixtures.ts';
import { idProblems, referenceProblems } from './meaning-of-ids.ts';
import {
  boundsProblems,
  measureProblems,
  obstacleProblems,
  padProblems,
  spawnProblems,
  thingProblems,
} from './meaning-of-places.ts';
import { variationProblems } from './meaning-of-variation.ts';

/**
 * Returns what is wrong with a scene whose parts have the right shape: unknown names and impossible places. Supports are
 * checked first, so that one mistake is reported once.
 */
export function meaningProblems(file: SceneFile, scene: SceneDefinition): SceneProblem[] {
  const stages = [
    () => [...idProblems(file), ...boundsProblems(file)],
    () => referenceProblems(file),
    () => [...obstacleProblems(file), ...padProblems(file), ...fixtureProblems(file), ...measureProblems(file, scene)],
    () => [
      ...thingProblems(file, scene),
      ...spawnProblems(file, scene),
      ...cameraProblems(file, scene),
      ...regionProblems(file),
      ...lookProblems(file),
      ...sizeProblems(scene),
    ],
    () => variationProblems(file, scene),
  ];
  for (const stage of stages) {
    const problems = stage();
    if (problems.length > 0) return problems;
  }
  return [];
}
