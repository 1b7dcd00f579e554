import type { SkillName } from '../../protocol/wire/skills.ts';
import { cancelSkill } from './cancel.ts';
import { goTo } from './go-to.ts';
import { lookAt, setHead } from './head-skills.ts';
import { pickEntity } from './pick-entity.ts';
import { placeEntity } from './place-entity.ts';
import { setVelocity } from './set-velocity.ts';
import { configureBenchmark, reset, selectScene, setColorMode, setSimSpeed } from './simulation-skills.ts';
import type { SkillModule } from './skill.ts';

/** The implementation of each skill of the catalogue. */
export const SKILL_MODULES: { readonly [N in SkillName]: SkillModule<N> } = {
  set_velocity: setVelocity,
  go_to: goTo,
  pick_entity: pickEntity,
  place_entity: placeEntity,
  set_head: setHead,
  look_at: lookAt,
  cancel: cancelSkill,
  reset,
  select_scene: selectScene,
  set_sim_speed: setSimSpeed,
  configure_benchmark: configureBenchmark,
  set_color_mode: setColorMode,
};
