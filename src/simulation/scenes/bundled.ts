import hall from '../../../scenes/hall.json' with { type: 'json' };
import kitchen from '../../../scenes/kitchen.json' with { type: 'json' };
import livingRoom from '../../../scenes/living_room.json' with { type: 'json' };
import maze from '../../../scenes/maze.json' with { type: 'json' };
import warehouse from '../../../scenes/warehouse.json' with { type: 'json' };
import yard from '../../../scenes/yard.json' with { type: 'json' };
import type { SceneId } from '../../protocol/wire/scene-ids.ts';

/** The files of the scenes that come with the product. They are trusted: the schema, which the page would have to load, is not asked again. */
export const BUNDLED_FILES: Readonly<Record<SceneId, unknown>> = {
  warehouse,
  hall,
  kitchen,
  living_room: livingRoom,
  maze,
  yard,
};
