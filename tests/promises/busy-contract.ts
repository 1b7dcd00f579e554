import { atPose, entity } from '../runtime/test-runtime.ts';

/** Promise P9 according to the contract, written without looking at the runtime. */

export type Part = 'base' | 'arms' | 'head' | 'simulation';

export interface Ask {
  label: string;
  name: string;
  input: Record<string, unknown>;
  parts: readonly Part[];
}

/** A point over the robot's shoulder, beyond the reach of the head alone; the robot looks along +x there. */
const BEHIND = atPose(-3, -1.5, 0.6);
const AHEAD = atPose(4, -1.2, 0.6);

/** One call of every skill; two calls of skills with two kinds. */
export const ASKS: readonly Ask[] = [
  { label: 'set_velocity', name: 'set_velocity', input: { vx: -0.15, wz: 0.2, duration_s: 1.5 }, parts: ['base'] },
  { label: 'set_velocity zero', name: 'set_velocity', input: {}, parts: ['base'] },
  { label: 'go_to', name: 'go_to', input: entity('pad_D'), parts: ['base'] },
  { label: 'pick_entity', name: 'pick_entity', input: entity('cube_1'), parts: ['base', 'arms'] },
  {
    label: 'place_entity',
    name: 'place_entity',
    input: { target: { kind: 'entity', entity_id: 'pad_D' } },
    parts: ['base', 'arms'],
  },
  { label: 'set_head', name: 'set_head', input: { yaw: 0.9, pitch: 0.2 }, parts: ['head'] },
  { label: 'look_at', name: 'look_at', input: AHEAD, parts: ['head'] },
  { label: 'look_at behind', name: 'look_at', input: BEHIND, parts: ['head', 'base'] },
  { label: 'cancel', name: 'cancel', input: {}, parts: [] },
  { label: 'reset', name: 'reset', input: {}, parts: ['simulation'] },
  { label: 'select_scene', name: 'select_scene', input: { scene_id: 'warehouse' }, parts: ['simulation'] },
  { label: 'set_sim_speed', name: 'set_sim_speed', input: { speed: 2 }, parts: [] },
  { label: 'configure_benchmark', name: 'configure_benchmark', input: { benchmark: { enabled: true } }, parts: [] },
  { label: 'set_color_mode', name: 'set_color_mode', input: { mode: 'plain' }, parts: [] },
];

export type Meeting = 'beside' | 'busy' | 'replaces' | 'stops' | 'cancels';

/** Returns the outcome of a call while another runs. */
export function meeting(active: Ask, asked: Ask): Meeting {
  if (asked.name === 'cancel') return 'cancels';
  if (asked.parts.includes('simulation')) return 'busy';
  const shared = asked.parts.some((part) => active.parts.includes(part));
  if (!shared) return 'beside';
  if (asked.label === 'set_velocity zero') return 'stops';
  if (asked.name === 'set_velocity' && (active.name === 'go_to' || active.name === 'set_velocity')) return 'replaces';
  return 'busy';
}

/** The parts that a rejection names: those that both need; for the simulation as a whole itself. */
export const sharedParts = (active: Ask, asked: Ask): readonly Part[] =>
  asked.parts.includes('simulation') ? ['simulation'] : asked.parts.filter((part) => active.parts.includes(part));

/** The calls that take some time, so that others may arrive during them. */
export const LASTING = ['set_velocity', 'go_to', 'pick_entity', 'place_entity', 'set_head', 'look_at', 'look_at behind'];
export const askOf = (label: string): Ask => {
  const found = ASKS.find((ask) => ask.label === label);
  if (!found) throw new Error(`no ask ${label}`);
  return found;
};

export const READS = [
  'runtime.state',
  'runtime.scene_state',
  'runtime.scene_layout',
  'runtime.manifest',
  'runtime.capabilities',
  'runtime.tools_list',
  'runtime.action',
];
