import type { ErrorCode } from './error-codes.ts';
import type { RcwSkillName } from './rcw-skills.ts';
import type { SkillName } from './skills.ts';

/** Failures that any skill call may return. */
export const COMMON_FAILURES: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'NOT_READY',
  'BUSY',
  'NOT_CONTROLLER',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'DUPLICATE_ACTION',
  'RUNTIME_SUSPENDED',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL',
];

const WALKING: readonly ErrorCode[] = ['GOAL_OUTSIDE_MAP', 'GOAL_OCCUPIED', 'NO_PATH', 'NAVIGATION_STUCK', 'NOT_AT_GOAL'];

/** Further failures of each skill, for its manual; the runtime's tests check every reply against them. */
export const SKILL_FAILURES: Readonly<Record<SkillName, readonly ErrorCode[]>> = {
  set_velocity: ['NOT_AT_GOAL'],
  go_to: ['UNKNOWN_ENTITY', ...WALKING],
  pick_entity: [
    'UNKNOWN_ENTITY',
    'NOT_GRASPABLE',
    'HANDS_FULL',
    'OUT_OF_REACH',
    'GRASP_MISSED',
    'DROPPED',
    'WRONG_ENTITY_HELD',
    ...WALKING,
  ],
  place_entity: [
    'UNKNOWN_ENTITY',
    'HANDS_EMPTY',
    'OUT_OF_REACH',
    'TARGET_OCCUPIED',
    'NO_FREE_SLOT',
    'DROPPED',
    'NOT_ON_TARGET',
    ...WALKING,
  ],
  set_head: ['NOT_AT_GOAL'],
  look_at: ['UNKNOWN_ENTITY', 'OUT_OF_REACH', ...WALKING],
  cancel: ['NOT_AT_GOAL'],
  reset: ['PERMISSION_DENIED'],
  select_scene: ['GOAL_OUTSIDE_MAP', 'GOAL_OCCUPIED', 'PERMISSION_DENIED'],
  set_sim_speed: [],
  configure_benchmark: ['PERMISSION_DENIED'],
  set_color_mode: [],
};

/** The same for the skills of the `rcw` profile. */
export const RCW_FAILURES: Readonly<Record<RcwSkillName, readonly ErrorCode[]>> = {
  set_velocity: ['PERMISSION_DENIED'],
  stop: ['PERMISSION_DENIED', 'NOT_AT_GOAL'],
  get_state: [],
  set_upper_body: ['PERMISSION_DENIED'],
};
