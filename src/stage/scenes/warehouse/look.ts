import type { SceneLook } from '../scene-look.ts';
import { hallParts } from './hall.ts';

/** The warehouse: high walls with windows, a roller door, lamps between the beams. */
export const warehouseLook: SceneLook = { shellParts: ({ bounds }, tone) => hallParts(bounds, tone) };
