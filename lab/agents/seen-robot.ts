import type { AgentCall, AgentReply } from '../../src/tasks/agent-play.ts';
import type { Facts } from './shown.ts';

/** Calls a tool. @returns the facts that the model reads */
export type UseTool = (tool: string, input: object) => Promise<Facts>;

/** An entity as `get_scene` shows it. */
interface Seen {
  id: string;
  kind: string;
  colour: string | null;
  category: string | null;
  x: number | null;
  y: number | null;
  z?: number | null;
  yaw_deg?: number | null;
  on: string | null;
  held: boolean;
  role?: string;
}

/** Guesses of the extents of pads, regions and containers, which no tool shows, metres. */
const CONTAINERS: Readonly<Record<string, { size: [number, number, number]; wall_m: number }>> = {
  basket: { size: [0.4, 0.4, 0.15], wall_m: 0.015 },
};
const PAD_M = 0.8;
const REGION_M = 0.6;
/** The middle of a thing that stands on the floor, and of one on a pad. */
const FLOOR_Z_M = 0.075;
const SEEN_MAX = 40;

/**
 * Answers the calls of the planner through the tools: a model with the planner's mind that reads only what its client shows. The
 * goal is its understanding of the instruction.
 */
export function seenRobot(use: UseTool): (call: AgentCall) => Promise<AgentReply> {
  const pads = new Map<string, { x: number; y: number }>();

  async function look(): Promise<{ things: Seen[]; pads: Seen[]; regions: Facts[]; delivered: unknown[] }> {
    const all = await use('get_scene', { limit: SEEN_MAX });
    const entities = all.entities as Seen[];
    const onlyPads = (await use('get_scene', { kind: 'pad', limit: SEEN_MAX })).entities as Seen[];
    for (const { id, x, y } of onlyPads) if (x !== null && y !== null) pads.set(id, { x, y });
    return {
      things: entities.filter(({ kind }) => kind !== 'pad'),
      pads: onlyPads,
      regions: (all.regions ?? []) as Facts[],
      delivered: (all.delivered ?? []) as unknown[],
    };
  }

  async function layout(): Promise<AgentReply> {
    const seen = await look();
    const { pose } = await use('robot_status', {});
    const { x = 0, y = 0 } = (pose ?? {}) as { x?: number; y?: number };
    return {
      pads: seen.pads.map((pad) => ({
        pad_id: pad.id,
        role: pad.role ?? 'destination',
        ...(pad.colour === null ? {} : { color: pad.colour }),
        position: [pad.x ?? 0, pad.y ?? 0, 0],
        size: [PAD_M, PAD_M],
      })),
      slots: [],
      regions: seen.regions.map((region) => ({ region_id: region.id, polygon: squareAt(Number(region.x), Number(region.y)) })),
      spawn: { position: [x, y, 0] },
    };
  }

  async function sceneState(): Promise<AgentReply> {
    const { things } = await look();
    const { pose } = await use('robot_status', {});
    const { x: robotX = 0, y: robotY = 0 } = (pose ?? {}) as { x?: number; y?: number };
    const entities: Record<string, AgentReply> = {
      robot: { entity_id: 'robot', kind: 'robot', pose: { position: [robotX, robotY, 0] }, state: {}, visible: true },
    };
    for (const thing of things) {
      const under = thing.on === null ? null : pads.get(thing.on);
      const place = thing.held ? { x: robotX, y: robotY } : under;
      entities[thing.id] = {
        entity_id: thing.id,
        kind: thing.kind,
        visible: true,
        attached_to: thing.held ? 'robot' : null,
        pose: {
          position: [thing.x ?? place?.x ?? 0, thing.y ?? place?.y ?? 0, thing.z ?? FLOOR_Z_M],
          yaw_deg: thing.yaw_deg ?? 0,
        },
        state: {
          ...(thing.category === null ? {} : { category: thing.category, shape: CONTAINERS[thing.category] }),
          ...(thing.colour === null ? {} : { color: thing.colour }),
          ...(thing.on === null ? {} : { parent_pad_id: thing.on }),
        },
      };
    }
    return { entities };
  }

  async function act({ name, input }: { name: string; input: { target?: AgentReply } }): Promise<AgentReply> {
    const [tool, given] = toolOf(name, input.target);
    let facts = await use(tool, given);
    while (facts.status === 'running') facts = await use('wait', { action_id: facts.action_id });
    if (facts.status === 'done') return { status: 'done', result: facts.evidence ?? {} };
    return { status: 'failed', error: { code: facts.code, message: facts.said, details: {} } };
  }

  return ({ method, payload }) => {
    if (method === 'runtime.scene_layout') return layout();
    if (method === 'runtime.scene_state') return sceneState();
    return act(payload as { name: string; input: { target?: AgentReply } });
  };
}

function toolOf(skill: string, target: AgentReply): [tool: string, input: object] {
  const at = target?.pose?.position;
  if (skill === 'pick_entity') return ['pick', { id: target.entity_id }];
  if (skill === 'go_to') {
    const yaw = target.pose?.yaw_deg;
    const point = at === undefined ? null : { x: at[0], y: at[1], ...(yaw === undefined ? {} : { yaw_deg: yaw }) };
    return ['go_to', { to: point ?? target.entity_id }];
  }
  if (target === undefined) return ['place', {}];
  if (at !== undefined) return ['place', { at: { x: at[0], y: at[1], z: at[2] ?? 0 } }];
  return ['place', target.kind === 'slot' ? { on: target.pad_id, slot: target.index } : { on: target.entity_id }];
}

function squareAt(x: number, y: number): [number, number][] {
  const half = REGION_M / 2;
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
}
