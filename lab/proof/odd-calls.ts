/**
 * Calls for the proof by volume. Most of them are malformed or hostile; some are calls of a sane client, so that the others have
 * something to disturb.
 */
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import type { Chance } from '../../tests/oracle/chance.ts';
import { strangePayload } from '../../tests/runtime/rcw/strange-calls.ts';

/** After an emergency stop nothing else happens until a person releases it. */
const STRANGE_METHODS = METHOD_NAMES.filter((method) => method !== 'runtime.emergency_stop');

export interface OddCall {
  method: string;
  payload: string;
  caller: string;
}

const CALLERS = ['agent-1', 'agent-2', 'operator', 'stranger', '__proto__'];
const NUMBERS = [0, -0, 1, -1, 0.3, 3.2, 1e-320, 1e308, -1e308, 9_007_199_254_740_992];
const ENTITIES = ['cube', 'cube_0', 'cube_3', 'pad_A', 'pad_D', 'rack_1', 'nothing', 'constructor', ''];
const READS = [
  'state',
  'state',
  'state',
  'scene_state',
  'action',
  'tools_list',
  'scene_state',
  'scene_layout',
  'manifest',
  'capabilities',
];
/** Few, so that many calls meet an action of another caller. */
const ACTION_IDS = 40;

function sane(chance: Chance): { name: string; input: unknown } {
  const number = (limit: number): number => (chance.happens(0.1) ? chance.oneOf(NUMBERS) : chance.between(-limit, limit));
  const entity = { target: { kind: 'entity', entity_id: chance.oneOf(ENTITIES) } };
  const pose = { position: [number(4), number(4), 0], yaw_deg: number(180) };
  return chance.oneOf<() => { name: string; input: unknown }>([
    () => ({ name: 'set_velocity', input: { vx: number(1), vy: number(1), wz: number(1), duration_s: Math.abs(number(2)) } }),
    () => ({ name: 'set_velocity', input: { vx: number(1), vyaw: number(1) } }),
    () => ({ name: 'set_head', input: { yaw: number(1.4), pitch: number(0.8) } }),
    () => ({ name: 'go_to', input: chance.happens(0.5) ? entity : { target: { kind: 'pose', pose } } }),
    () => ({ name: chance.oneOf(['pick_entity', 'place_entity', 'look_at']), input: entity }),
    () => ({ name: 'stop', input: {} }),
    () => ({ name: 'cancel', input: {} }),
    () => ({ name: 'set_upper_body', input: { r_arm: [0.35, 0.18, 0, number(1), 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] } }),
    () => ({ name: 'set_color_mode', input: { mode: chance.oneOf(['natural', 'plain', 'segmentation']) } }),
    () => ({ name: 'set_sim_speed', input: { speed: Math.abs(number(10)) } }),
    () => ({ name: chance.happens(0.02) ? 'reset' : 'get_state', input: {} }),
  ])();
}

/** Returns one call from a seeded random source. */
export function oddCall(chance: Chance): OddCall {
  const caller = chance.oneOf(CALLERS);
  const call = (method: string, payload: unknown): OddCall => ({
    caller,
    method: `runtime.${method}`,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  const roll = chance.float();
  if (roll < 0.25) return call('tools_call', strangePayload(chance));
  if (roll < 0.35) return { caller, method: chance.oneOf(STRANGE_METHODS), payload: strangePayload(chance) };
  if (roll < 0.41) return call(chance.oneOf(READS), {});
  if (roll < 0.43) return call('cameras_capture', { selector: { kind: 'id', id: chance.oneOf(['pov', 'topdown', 'none']) } });
  if (roll < 0.47)
    return call('cancel', chance.happens(0.5) ? {} : { options: { action_id: `odd-${chance.below(ACTION_IDS)}` } });
  const { name, input } = sane(chance);
  const id = chance.happens(0.5) ? { action_id: `odd-${chance.below(ACTION_IDS)}` } : {};
  const deadline = chance.happens(0.1) ? { deadline_s: chance.between(0.01, 3) } : {};
  return call('tools_call', { name, input, options: { ...id, ...deadline } });
}
