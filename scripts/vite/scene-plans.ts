import type { Plugin } from 'vite';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import { type PlanShapes, planShapes } from '../../src/viewer/robots/plan/plan-shapes.ts';

const ASKED = /[\\/]simulation[\\/]scene\.ts\?plans$/;

/** Returns the plan of every scene from above, by its id. */
export const scenePlans = (): Record<string, PlanShapes> =>
  Object.fromEntries(
    SCENE_IDS.flatMap((id) => {
      const scene = builtInScene(id);
      return scene === null ? [] : [[id, planShapes({ ...scene.layout, furniture: scene.furniture })]];
    }),
  );

/**
 * Provides `simulation/scene.ts?plans`, the plans of the scenes as data. The page of all robots needs them but no scenes, which
 * would load parts of the drawn world: a hundred times as much.
 */
export const scenePlansInPage = (): Plugin => ({
  name: 'scene-plans',
  enforce: 'pre',
  load: (id) => (ASKED.test(id) ? `export const plans = ${JSON.stringify(scenePlans())};` : null),
});
