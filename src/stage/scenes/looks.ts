import type { SceneId } from '../../protocol/scene-ids.ts';
import { plainWallParts } from '../props/shell.ts';
import { hallLook } from './hall/look.ts';
import type { SceneLook } from './scene-look.ts';
import { warehouseLook } from './warehouse/look.ts';

/** The scenes with a look of their own. */
const LOOKS: ReadonlyMap<string, SceneLook> = new Map<SceneId, SceneLook>([
  ['warehouse', warehouseLook],
  ['hall', hallLook],
]);

/** The look of every other scene: plain walls where it has walls. */
const PLAIN_LOOK: SceneLook = { shellParts: plainWallParts };

/** Returns the look of the scene of this id. */
export const lookOf = (sceneId: string): SceneLook => LOOKS.get(sceneId) ?? PLAIN_LOOK;
