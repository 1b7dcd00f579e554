/** The call logs behind the golden hashes: fixed sequences that together use every part of the simulation. 10,000 steps. */
import type { CallLog, LoggedCall } from './replay-log.ts';

const skill = (step: number, name: string, input: unknown = {}, options?: unknown): LoggedCall => ({
  step,
  method: 'runtime.tools_call',
  payload: { name, input, ...(options ? { options } : {}) },
  caller: 'golden',
});
const at = (entityId: string) => ({ target: { kind: 'entity', entity_id: entityId } });
const pose = (x: number, y: number, yawDeg?: number) => ({
  target: { kind: 'pose', pose: { position: [x, y, 0], ...(yawDeg === undefined ? {} : { yaw_deg: yawDeg }) } },
});
const cancel = (step: number): LoggedCall => ({
  step,
  method: 'runtime.cancel',
  payload: { options: { action_id: 'cancel-active' } },
  caller: 'golden',
});

export const GOLDEN_LOGS: readonly CallLog[] = [
  {
    name: 'sorting',
    seed: 1,
    steps: 5_000,
    calls: [
      skill(10, 'configure_benchmark', { benchmark: { enabled: true, seed: 77 } }),
      skill(20, 'pick_entity', at('cube_0')),
      skill(700, 'look_at', at('pad_D')),
      skill(800, 'go_to', at('pad_D')),
      skill(2_300, 'place_entity', { target: { kind: 'slot', pad_id: 'pad_D', index: 0 } }),
      skill(3_000, 'go_to', at('cube_2')),
      skill(4_300, 'pick_entity', at('cube_2')),
    ],
  },
  {
    name: 'driving',
    seed: 2_024,
    steps: 3_000,
    calls: [
      skill(0, 'set_velocity', { vx: -1.5, wz: 0.6, duration_s: 3 }),
      skill(60, 'set_head', { yaw: 1.4, pitch: 1 }),
      skill(300, 'set_velocity', { vx: 0.4, vy: 0.7, wz: -1.5, duration_s: 2 }),
      skill(420, 'set_velocity'),
      skill(600, 'go_to', pose(-1, -3, 90)),
      skill(700, 'set_head', { yaw: -0.8 }),
      cancel(1_400),
      // Into the belt's side.
      skill(1_500, 'select_scene', { scene_id: 'warehouse', seed: 9, start_pose: { position: [0.4, 0.5, 0], yaw_deg: 0 } }),
      skill(1_510, 'set_velocity', { vx: 1, vy: 0.2, duration_s: 2 }),
      skill(2_000, 'reset', { seed: 4_294_967_295 }),
      skill(2_010, 'go_to', pose(-0.6, -2.2, -180)),
    ],
  },
  {
    name: 'interrupted',
    seed: 31,
    steps: 2_000,
    calls: [
      skill(5, 'pick_entity', at('cube_0'), { action_id: 'taken' }),
      cancel(90),
      skill(250, 'set_velocity', { vx: -0.5, duration_s: 1 }),
      skill(500, 'pick_entity', at('cube'), { deadline_s: 2.004 }),
      skill(900, 'go_to', at('cube_0')),
      skill(1_000, 'set_velocity', { wz: 1, duration_s: 0.5 }),
      skill(1_250, 'pick_entity', at('cube_1')),
      skill(1_900, 'set_velocity', { vx: -1.2, duration_s: 0.5 }),
    ],
  },
];
