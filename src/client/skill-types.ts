import type { RuntimeProfile } from '../protocol/profile.ts';
import type { SkillCall, SkillName, SkillOutput } from '../protocol/skills.ts';
import type { WorkerSkillCall, WorkerSkillName, WorkerSkillOutput } from '../protocol/worker-skills.ts';

/** Which robot a session's types are for: they share the name `set_velocity`, and little else. */
export type RobotKind = RuntimeProfile;
/** A skill the types know, or the name of another. */
export type AnySkill = SkillName | WorkerSkillName | (string & {});
/** The named fields alone: the compiler then refuses one that is not among them. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

type SimulatorParams<N extends AnySkill> = N extends SkillName ? Named<SkillCall<N>> : Readonly<Record<string, unknown>>;
type SimulatorResult<N extends AnySkill> = N extends SkillName ? Named<SkillOutput<N>> : Record<string, unknown>;
type WorkerParams<N extends AnySkill> = N extends WorkerSkillName ? Named<WorkerSkillCall<N>> : Readonly<Record<string, unknown>>;
type WorkerResult<N extends AnySkill> = N extends WorkerSkillName ? Named<WorkerSkillOutput<N>> : Record<string, unknown>;

export type ParamsOf<N extends AnySkill, K extends RobotKind = 'simulator'> = K extends 'worker'
  ? WorkerParams<N>
  : SimulatorParams<N>;
export type ResultOf<N extends AnySkill, K extends RobotKind = 'simulator'> = K extends 'worker'
  ? WorkerResult<N>
  : SimulatorResult<N>;
