import { z } from 'zod';
import { isRecord } from '../../common/schema-texts.ts';
import { quoted, shownName } from '../../common/shown-text.ts';
import { entityKindSchema } from '../../protocol/wire/entity-kind.ts';
import { REACH_M } from '../../protocol/wire/limits.ts';
import { failureOf } from '../failures.ts';
import { isFailure, readOr, round } from '../robot-facts.ts';
import { readEntities } from '../scene-entities.ts';
import { idText, metres } from '../sentences.ts';
import { answerTool, READS } from '../tool.ts';
import { done, failed, refused } from '../tool-reply.ts';
import { idSchema, metresSchema } from './motions.ts';

const LIMIT_MAX = 40;
const LIMIT_DEFAULT = 20;
const ROBOT_ID = 'robot';

/** An entity, for a model. */
interface SeenEntity {
  id: string;
  kind: string;
  colour: string | null;
  /** The category of an object, as its author named it. */
  category: string | null;
  x: number;
  y: number;
  z: number;
  yaw_deg: number | null;
  /** The pad that it rests on. */
  on: string | null;
  /** The container that it is in. */
  in: string | null;
  held: boolean;
  distance_m: number;
  in_reach: boolean;
}

/** `get_scene`. */
export const getScene = answerTool({
  name: 'get_scene',
  title: 'Things in the scene',
  description:
    'Entities with exact ids, colours and positions in metres (world frame, z up), nearest first; and the named regions of the floor. Filters are optional.',
  hints: READS,
  input: z.strictObject({
    kind: entityKindSchema.optional(),
    near: z
      .union([idSchema, z.strictObject({ x: metresSchema, y: metresSchema })])
      .optional()
      .describe('sort and measure from this id or point; default: the robot'),
    radius_m: z.number().min(0.01).max(1_000).optional(),
    ids: z.array(idSchema).max(LIMIT_MAX).optional(),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT),
  }),
  async answer(context, { kind, near = ROBOT_ID, radius_m: radiusM, ids, limit }) {
    const { robot } = context;
    const around = typeof near === 'string' ? [near] : [];
    const [state, layout] = await Promise.all([
      readEntities(robot, ids === undefined ? null : [...new Set([...ids, ...around])]),
      readOr(robot, 'runtime.scene_layout'),
    ]);
    if (isFailure(state)) return failed(failureOf(state, context), 'The scene could not be read. ');
    const { entities, unknownIds: unknown } = state;
    const delivered = ids === undefined ? [] : entities.filter(isGone).map(({ entity_id: id }) => String(id));
    const placed = entities.flatMap((one) => {
      const at = positionOf(one);
      return at && typeof one.entity_id === 'string' && !isGone(one) ? [{ one, at, id: one.entity_id }] : [];
    });
    const from = typeof near === 'string' ? await placeOf(near, placed) : near;
    if (from === null)
      return refused('UNKNOWN_ENTITY', `There is no entity ${idText(near)} to measure from.`, 'Call get_scene without "near".');
    const self = (await placeOf(ROBOT_ID, placed)) ?? from;
    const pads = padsOf(layout);
    const fitting = placed
      .map(({ one, at, id }) => seen(one, at, id, Math.hypot(at[0] - from.x, at[1] - from.y), self, pads))
      .filter((one) => (kind === undefined ? one.kind !== ROBOT_ID : one.kind === kind))
      .filter(({ distance_m }) => radiusM === undefined || distance_m <= radiusM)
      .sort((a, b) => a.distance_m - b.distance_m);
    const shown = fitting.slice(0, limit);
    const cut = shown.length < fitting.length;
    const regions = regionsOf(layout);
    const said = [
      shown.length === 0 ? 'No entity fits.' : `${shown.map(entityWords).join('; ')}.`,
      cut ? `${fitting.length - shown.length} more are farther away: raise "limit" or use filters.` : '',
      delivered.length > 0 ? `Delivered, and no longer in the scene: ${delivered.map(idText).join(', ')}.` : '',
      unknown.length > 0 ? `Unknown ids: ${unknown.map((one) => idText(isRecord(one) ? one.entity_id : one)).join(', ')}.` : '',
      regions.length > 0 ? `Regions of the floor: ${regions.map(regionWords).join('; ')}.` : '',
    ];
    return done(said.filter((one) => one !== '').join(' '), {
      entities: shown,
      total: fitting.length,
      cut,
      ...(delivered.length > 0 ? { delivered } : {}),
      ...(unknown.length > 0 ? { unknown_ids: unknown } : {}),
      regions,
    });

    /** The reference may be outside of the requested ids. */
    async function placeOf(id: string, among: typeof placed): Promise<{ x: number; y: number } | null> {
      const known = among.find((one) => one.id === id);
      if (known) return { x: known.at[0], y: known.at[1] };
      const read = await readEntities(robot, [id]);
      const one = isFailure(read) ? undefined : read.entities.find((entity) => entity.entity_id === id);
      const at = one ? positionOf(one) : null;
      return at && { x: at[0], y: at[1] };
    }
  },
});

/** A cube that was delivered is not in the scene any more. */
const isGone = ({ state }: Record<string, unknown>): boolean => isRecord(state) && state.collected === true;

function positionOf({ pose }: Record<string, unknown>): [number, number, number] | null {
  const position = isRecord(pose) ? pose.position : null;
  if (!Array.isArray(position) || position.length !== 3 || !position.every(Number.isFinite)) return null;
  return position as [number, number, number];
}

interface PadFacts {
  colour: string | null;
  role: string | null;
}

function padsOf(layout: Record<string, unknown> | { code: string }): Map<string, PadFacts> {
  const pads = 'pads' in layout && Array.isArray(layout.pads) ? layout.pads.filter(isRecord) : [];
  return new Map(
    pads.map((pad) => [
      String(pad.pad_id),
      { colour: typeof pad.color === 'string' ? pad.color : null, role: typeof pad.role === 'string' ? pad.role : null },
    ]),
  );
}

function seen(
  entity: Record<string, unknown>,
  [x, y, z]: [number, number, number],
  id: string,
  distanceM: number,
  self: { x: number; y: number },
  pads: ReadonlyMap<string, PadFacts>,
): SeenEntity & { role?: string } {
  const state = isRecord(entity.state) ? entity.state : {};
  const pose = isRecord(entity.pose) ? entity.pose : {};
  const pad = pads.get(id);
  return {
    id,
    kind: String(entity.kind),
    colour: typeof state.color === 'string' ? state.color : (pad?.colour ?? null),
    category: typeof state.category === 'string' ? shownName(state.category) : null,
    x: round(x),
    y: round(y),
    z: round(z),
    yaw_deg: typeof pose.yaw_deg === 'number' ? round(pose.yaw_deg, 1) : null,
    on: typeof state.parent_pad_id === 'string' ? state.parent_pad_id : null,
    in: typeof state.container_id === 'string' ? state.container_id : null,
    held: entity.attached_to === ROBOT_ID,
    distance_m: round(distanceM),
    in_reach: Math.hypot(x - self.x, y - self.y) <= REACH_M,
    ...(pad?.role ? { role: pad.role } : {}),
  };
}

/** A named part of the floor, with its centre. */
interface SeenRegion {
  id: string;
  title: string;
  x: number;
  y: number;
}

const regionWords = ({ id, title, x, y }: SeenRegion): string =>
  `${idText(id)}${title === '' ? '' : ` (${quoted(title)})`} around x ${metres(x)}, y ${metres(y)}`;

function regionsOf(layout: Record<string, unknown> | { code: string }): SeenRegion[] {
  const regions = 'regions' in layout && Array.isArray(layout.regions) ? layout.regions.filter(isRecord) : [];
  return regions.map((region) => {
    const corners = (Array.isArray(region.polygon) ? region.polygon : []) as [number, number][];
    const mean = (at: 0 | 1) => round(corners.reduce((sum, corner) => sum + corner[at], 0) / Math.max(1, corners.length));
    return { id: String(region.region_id), title: shownName(String(region.title ?? '')), x: mean(0), y: mean(1) };
  });
}

function entityWords(entity: SeenEntity & { role?: string }): string {
  const { id, kind, colour, category, on, held, distance_m: distanceM, x, y, z, yaw_deg: yawDeg, role } = entity;
  const named = category === null ? [role, kind].filter(Boolean).join(' ') : idText(category);
  const what = colour === null ? named : `${idText(colour)} ${named}`;
  const where = [
    held ? 'held by the robot' : '',
    entity.in === null ? '' : `in ${idText(entity.in)}`,
    on === null ? '' : `on ${idText(on)}`,
    `at x ${metres(x)}, y ${metres(y)}, z ${metres(z)}`,
  ];
  const heading = yawDeg === null || Math.round(yawDeg) === 0 ? '' : `, heading ${Math.round(yawDeg)}°`;
  const reach = entity.in_reach ? ', in reach' : '';
  return `${idText(id)} (${what}) ${where.filter((one) => one !== '').join(' ')}${heading}, ${metres(distanceM)} away${reach}`;
}
