import type { LookId } from '../../protocol/wire/look-ids.ts';
import { hallLook } from './hall/look.ts';
import { homeLook } from './home/shell.ts';
import type { SceneLook } from './scene-look.ts';

export { dress } from './home/dress.ts';

/** The looks of scenes that robots do not start in: loaded with the first of them. */
export const LOOKS: Partial<Record<LookId, SceneLook>> = { hall: hallLook, home: homeLook };
