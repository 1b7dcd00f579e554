import type { LookId } from '../../protocol/look-ids.ts';
import { plainWallParts } from '../props/shell.ts';
import { hallLook } from './hall/look.ts';
import type { SceneLook } from './scene-look.ts';
import { warehouseLook } from './warehouse/look.ts';

/** The look of each name: walls, where there are walls, and ceiling. */
export const LOOKS: Readonly<Record<LookId, SceneLook>> = {
  plain: { shellParts: plainWallParts },
  warehouse: warehouseLook,
  hall: hallLook,
};
