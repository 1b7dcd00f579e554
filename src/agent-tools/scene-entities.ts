import { isRecord } from '../common/schema-texts.ts';
import type { RobotAccess } from './robot-access.ts';
import { isFailure, type ReadFailure, readOr } from './robot-facts.ts';

/** Entities of a scene, as the runtime reports them. */
export interface SceneEntities {
  entities: Record<string, unknown>[];
  /** Requested ids that name nothing. */
  unknownIds: unknown[];
}

/**
 * Reads entities. If the scene has more than one reply carries, reads them in parts, as the refusal of the runtime proposes. The
 * parts are read one after another, so a thing that moves may be seen at two moments.
 * @param ids only these; null reads all
 */
export async function readEntities(robot: RobotAccess, ids: readonly string[] | null): Promise<SceneEntities | ReadFailure> {
  const reply = await readOr(robot, 'runtime.scene_state', ids === null ? {} : { entity_ids: [...ids] });
  if (!isFailure(reply)) return entitiesOf(reply);
  const all = reply.details?.entity_ids;
  const { allowed } = reply.details ?? {};
  const atOnce = isRecord(allowed) && typeof allowed.entity_ids === 'number' ? Math.floor(allowed.entity_ids) : 0;
  if (reply.code !== 'PAYLOAD_TOO_LARGE' || !Array.isArray(all) || atOnce < 1) return reply;
  const read: SceneEntities = { entities: [], unknownIds: [] };
  for (let at = 0; at < all.length; at += atOnce) {
    const part = await readOr(robot, 'runtime.scene_state', { entity_ids: all.slice(at, at + atOnce).map(String) });
    if (isFailure(part)) return part;
    read.entities.push(...entitiesOf(part).entities);
  }
  return read;
}

const entitiesOf = ({ entities, unknown_ids: unknownIds }: Record<string, unknown>): SceneEntities => ({
  entities: isRecord(entities) ? Object.values(entities).filter(isRecord) : [],
  unknownIds: Array.isArray(unknownIds) ? unknownIds : [],
});
