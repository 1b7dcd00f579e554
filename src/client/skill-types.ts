import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import type { RcwSkillCall, RcwSkillName, RcwSkillOutput } from '../protocol/wire/rcw-skills.ts';
import type { SkillCall, SkillName, SkillOutput } from '../protocol/wire/skills.ts';

/** The robot that a session's types describe. The two contracts share little but the name `set_velocity`. */
export type RobotKind = RuntimeProfile;
/** The name of a skill of the physical robot's contract. */
export type WorkerSkillName = RcwSkillName;
/** The name of a skill with types, or of any other skill. */
export type AnySkill = SkillName | RcwSkillName | (string & {});
/** Only the named fields, so that the compiler rejects any other field. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** The parameters of a skill of the simulator's contract. */
type SimulatorParams<N extends AnySkill> = N extends SkillName ? Named<SkillCall<N>> : Readonly<Record<string, unknown>>;
/** The result of a skill of the simulator's contract. */
type SimulatorResult<N extends AnySkill> = N extends SkillName ? Named<SkillOutput<N>> : Record<string, unknown>;
/** The parameters of a skill of the physical robot's contract. */
type RcwParams<N extends AnySkill> = N extends RcwSkillName ? Named<RcwSkillCall<N>> : Readonly<Record<string, unknown>>;
/** The result of a skill of the physical robot's contract. */
type RcwResult<N extends AnySkill> = N extends RcwSkillName ? Named<RcwSkillOutput<N>> : Record<string, unknown>;

/** The parameters of a skill; `K` is the robot that the types describe. */
export type ParamsOf<N extends AnySkill, K extends RobotKind = 'simulator'> = K extends 'worker'
  ? RcwParams<N>
  : SimulatorParams<N>;
/** The result of a skill; `K` is the robot that the types describe. */
export type ResultOf<N extends AnySkill, K extends RobotKind = 'simulator'> = K extends 'worker'
  ? RcwResult<N>
  : SimulatorResult<N>;
