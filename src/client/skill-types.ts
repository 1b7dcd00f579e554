import type { SkillCall, SkillName, SkillOutput } from '../protocol/skills.ts';

/** A skill the types know, or the name of another. */
export type AnySkill = SkillName | (string & {});
/** The named fields alone: the compiler then refuses one that is not among them. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
export type ParamsOf<N extends AnySkill> = N extends SkillName ? Named<SkillCall<N>> : Readonly<Record<string, unknown>>;
export type ResultOf<N extends AnySkill> = N extends SkillName ? Named<SkillOutput<N>> : Record<string, unknown>;
