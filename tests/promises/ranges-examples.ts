/** A call of every skill and method for each shape of its input, with every field: the sweep changes one field at a time. */
import type { Json } from './ranges-schema.ts';

const entity = { kind: 'entity', entity_id: 'cube_0' };
const pose = {
  kind: 'pose',
  pose: { frame_id: 'world', position: [0.2, -3, 0], orientation_xyzw: [0, 0, 0, 1], yaw_deg: 10 },
};

export const SKILL_EXAMPLES: Readonly<Record<string, readonly Json[]>> = {
  set_velocity: [{ vx: 0.1, vy: 0.1, wz: 0.1, duration_s: 0.1 }],
  go_to: [
    { target: entity, tolerance_m: 0.1 },
    { target: pose, tolerance_m: 0.1 },
  ],
  pick_entity: [{ target: entity }],
  place_entity: [
    { target: { kind: 'entity', entity_id: 'pad_B' } },
    { target: { kind: 'slot', pad_id: 'pad_B', index: 0 } },
    { target: { ...pose, pose: { ...pose.pose, position: [0.2, -3, 0.075] } } },
  ],
  set_head: [{ yaw: 0.1, pitch: 0.1 }],
  look_at: [{ target: entity }, { target: pose }],
  cancel: [{}],
  reset: [{ seed: 1, scene_id: 'warehouse' }],
  select_scene: [{ scene_id: 'warehouse', seed: 1, start_pose: pose.pose }],
  set_sim_speed: [{ speed: 1 }],
  configure_benchmark: [{ benchmark: { enabled: true, seed: 1 } }],
  set_color_mode: [{ mode: 'natural' }],
  // Only of the worker profile.
  stop: [{}],
  get_state: [{}],
  set_upper_body: [{ r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] }],
};

export const METHOD_EXAMPLES: Readonly<Record<string, readonly Json[]>> = {
  'runtime.tools_list': [{}],
  'runtime.tools_call': [{ name: 'set_head', input: { yaw: 0.1 }, options: { action_id: 'example', deadline_s: 9 } }],
  'runtime.cancel': [{ options: { action_id: 'example' } }],
  'runtime.state': [{}],
  'runtime.scene_state': [{ entity_ids: ['cube_0'], visible: true, kinds: ['cube'] }],
  'runtime.scene_layout': [{}],
  'runtime.manifest': [{}],
  'runtime.capabilities': [{}],
  'runtime.action': [{ action_id: 'example' }],
  'runtime.cameras_capture': [
    {
      selector: { kind: 'id', id: 'pov' },
      options: { width: 64, height: 48, format: 'jpeg', quality: 0.5, annotations: ['boxes'] },
      stream: { id: 'example', topic: 'example' },
    },
  ],
  'runtime.forward_envelope': [{}],
  // The only action that leaves no driver behind.
  'runtime.control': [{ action: 'release', name: 'example', kind: 'agent', to: 'client:example' }],
};
