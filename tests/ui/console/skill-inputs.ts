import { skillDescriptor } from '../../../src/protocol/wire/skill-descriptors.ts';
import { SKILL_NAMES, SKILLS, type SkillName } from '../../../src/protocol/wire/skills.ts';
import { type Callable, skillCallable } from '../../../src/viewer/ui/console/callables.ts';

/** Every skill of the runtime as the console has it. */
export const SKILL_CALLABLES: readonly Callable[] = SKILL_NAMES.map((name) => skillCallable(skillDescriptor(name), SKILLS[name]));

export function callableOf(id: string): Callable {
  const found = SKILL_CALLABLES.find((callable) => callable.id === id);
  if (!found) throw new Error(`no skill ${id}`);
  return found;
}

const cube = { kind: 'entity', entity_id: 'cube_4' };
const place = { kind: 'pose', pose: { position: [1, -2.5, 0], yaw_deg: 90 } };

/** Inputs that each skill accepts, including unusual ones. */
export const TAKEN: Record<SkillName, readonly unknown[]> = {
  set_velocity: [{}, { vx: 0.5, wz: -0.25, duration_s: 2 }],
  go_to: [
    { target: cube },
    { target: place, tolerance_m: 0.1 },
    { target: { kind: 'pose', pose: { position: [0, 0, 0], orientation_xyzw: [0, 0, 0, 1] } } },
  ],
  pick_entity: [{ target: cube }],
  place_entity: [
    {},
    { target: { kind: 'slot', pad_id: 'pad_B', index: 2 } },
    { target: { kind: 'entity', entity_id: 'pad_C' } },
    { target: place },
  ],
  set_head: [{}, { yaw: -1.4, pitch: 1 }],
  look_at: [{ target: cube }],
  cancel: [{}],
  reset: [{}, { seed: 7, scene_id: 'warehouse' }],
  select_scene: [{ scene_id: 'warehouse' }, { scene_id: 'warehouse', start_pose: { position: [-1.2, -3.6, 0] } }],
  set_sim_speed: [{ speed: 0.5 }],
  configure_benchmark: [{ benchmark: {} }, { benchmark: { enabled: false, seed: 3 } }],
  set_color_mode: [{ mode: 'segmentation' }],
};

/** Inputs that each skill rejects. */
export const REFUSED: Partial<Record<SkillName, readonly unknown[]>> = {
  set_velocity: [{ duration_s: -1 }, { vx: 'fast' }, { speed: 1 }],
  go_to: [
    {},
    { target: {} },
    { target: { kind: 'entity' } },
    { target: { kind: 'entity', entity_id: '' } },
    { target: place, tolerance_m: 2 },
  ],
  pick_entity: [{ target: { kind: 'pose', entity_id: 'cube_4' } }, { target: 'cube_4' }, []],
  place_entity: [
    { target: { kind: 'slot', pad_id: 'pad_B', index: 8 } },
    { target: { kind: 'slot', pad_id: 'pad_B', index: 1.5 } },
  ],
  set_head: [{ yaw: 2 }, { yaw: null }],
  look_at: [
    { target: { kind: 'pose', pose: { position: [1, 2] } } },
    { target: { kind: 'pose', pose: { position: [1, 2, 'up'] } } },
  ],
  reset: [{ seed: -1 }, { scene_id: 7 }],
  set_sim_speed: [{}, { speed: 11 }],
  configure_benchmark: [{}, { benchmark: { enabled: 'yes' } }],
  set_color_mode: [{ mode: 'sepia' }],
};
