import type { Caller } from '../../protocol/wire/caller.ts';
import type { RuntimeError } from '../../protocol/wire/error-codes.ts';
import { SETTLE_S, STEPS_PER_SECOND } from '../../protocol/wire/limits.ts';
import type { BodyPart, SkillInput, SkillName } from '../../protocol/wire/skills.ts';
import type { ActiveEntry, SkillOutcome, SkillRun } from '../action-entry.ts';
import * as actions from '../actions.ts';
import type { RuntimeCore } from '../core.ts';

/** A skill's view of the action it carries out. The world is `core.world`; read it again after every `yield`. */
export interface SkillContext {
  readonly core: RuntimeCore;
  readonly actionId: string;
  readonly caller: Caller;
  /** When the runtime stops it, milliseconds since the epoch; null when its call had no deadline. */
  readonly deadlineAtMs: number | null;
  /** States the present activity in a word or two: "walking". */
  phase(text: string): void;
  progress(current: number, total: number, unit: string): void;
}

/** The implementation of a skill. `SKILLS` of the protocol describes its input. */
export interface SkillModule<N extends SkillName> {
  /** Returns the error of an input that is invalid in the current scene; such a call does not become an action. */
  check?(core: RuntimeCore, input: SkillInput<N>): RuntimeError | null;
  /** Returns the parts of the body it needs. @default those in the catalogue */
  claims?(core: RuntimeCore, input: SkillInput<N>): readonly BodyPart[];
  /** Returns whether it ignores arms that an ended action left away from rest. @default no: base skills bring them back first */
  keepsArms?(input: SkillInput<N>): boolean;
  /** Returns a test for the actions that it may replace; other active actions make the call busy. @default none */
  takesOver?(input: SkillInput<N>): (entry: ActiveEntry) => boolean;
  /**
   * Each `yield` lets one physics step pass. Done only when the postcondition held for `SETTLE_STEPS`.
   * A skill that takes no simulated time returns its outcome itself.
   */
  run(ctx: SkillContext, input: SkillInput<N>): SkillRun | SkillOutcome;
}

/** The settle window of promise P1 in physics steps. */
export const SETTLE_STEPS = Math.ceil(SETTLE_S * STEPS_PER_SECOND);

export const createSkillContext = (core: RuntimeCore, entry: ActiveEntry): SkillContext => ({
  core,
  actionId: entry.actionId,
  caller: entry.caller,
  deadlineAtMs: entry.deadline?.atMs ?? null,
  phase: (text) => actions.setPhase(entry, text),
  progress: (current, total, unit) => actions.setProgress(entry, current, total, unit),
});

/**
 * Lets steps pass until a condition has held for the settle window without a break.
 * @param timeoutSteps gives up after this many
 * @returns whether it held
 */
export function* settle(holds: () => boolean, timeoutSteps: number, forSteps = SETTLE_STEPS): Generator<void, boolean, void> {
  let held = 0;
  for (let step = 0; ; step += 1) {
    held = holds() ? held + 1 : 0;
    // The first look costs no step, so a window of n steps has n + 1 looks.
    if (held > forSteps) return true;
    if (step >= timeoutSteps) return false;
    yield;
  }
}

/** Lets steps pass until a condition holds; false when it does not hold in time. */
export const until = (holds: () => boolean, timeoutSteps: number): Generator<void, boolean, void> =>
  settle(holds, timeoutSteps, 0);

/** Converts seconds of simulated time to physics steps, rounded up. */
export const steps = (seconds: number): number => Math.ceil(seconds * STEPS_PER_SECOND);
