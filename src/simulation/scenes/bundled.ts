import hall from '../../../scenes/hall.json' with { type: 'json' };
import warehouse from '../../../scenes/warehouse.json' with { type: 'json' };
import type { SceneId } from '../../protocol/scene-ids.ts';

/** The files of the scenes that come with the product. They are trusted: the schema, which the page would have to load, is not asked again. */
export const BUNDLED_FILES: Readonly<Record<SceneId, unknown>> = { warehouse, hall };
