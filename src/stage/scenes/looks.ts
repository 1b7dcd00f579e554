import type { LookId } from '../../protocol/wire/look-ids.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import { plainWallParts } from '../props/shell.ts';
import type { Audience } from '../types.ts';
import type { DressedLook, SceneLook } from './scene-look.ts';
import { warehouseLook } from './warehouse/look.ts';

/** The look of each loaded name: its walls, if any, and its ceiling. */
const looks: Partial<Record<LookId, SceneLook>> = { warehouse: warehouseLook };
const PLAIN: SceneLook = { shellParts: plainWallParts };

let dress: ((place: ScenePlace, audience: Audience) => DressedLook | undefined) | null = null;

/**
 * Loads the look of a place; that of the scene in which robots start is there at once. Await it before the stage is built. When
 * it cannot be loaded, the place is drawn plain: its boxes are where they are.
 */
export async function loadLook({ look, dressing }: Pick<ScenePlace, 'look' | 'dressing'>): Promise<void> {
  if ((look === 'plain' || looks[look]) && (!dressing || dress)) return;
  const more = await import('./more-looks.ts').catch(() => null);
  if (more === null) return;
  Object.assign(looks, more.LOOKS);
  dress = more.dress;
}

/** Returns the look of a place as far as it is loaded. */
export const lookOf = (place: ScenePlace, audience: Audience): SceneLook => ({
  ...(looks[place.look] ?? PLAIN),
  dressed: dress?.(place, audience),
});
