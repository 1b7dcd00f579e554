import type { SceneLook } from '../scene-look.ts';
import { warehouseShell } from './shell.ts';

/** The warehouse: high walls with windows, a roller door, lamps between the beams. */
export const warehouseLook: SceneLook = { shellParts: ({ bounds }, tone) => warehouseShell(bounds, tone) };
