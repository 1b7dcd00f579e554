import type { Caller } from '../protocol/wire/caller.ts';
import type { RuntimeError } from '../protocol/wire/error-codes.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import type { Progress } from '../protocol/wire/state.ts';
import type { ActionKind } from './action-record.ts';
import type { LostThing } from './lost-thing.ts';
import type { WaitingCalls } from './waiting-calls.ts';
import type { WorldSnapshot } from './world-snapshot.ts';

/** The outcome of a skill that ran to its end. */
export type SkillOutcome =
  | { ok: true; result: Record<string, unknown>; degraded?: boolean; note?: string }
  | { ok: false; error: RuntimeError };

/** A running skill: each `yield` lets one physics step pass. */
export type SkillRun = Generator<void, SkillOutcome, void>;

/** A part of a skill that ends with a value or with the skill's failure. */
export type Attempt<T> = Generator<void, { ok: true; value: T } | { ok: false; error: RuntimeError }, void>;

/** The parts that still moved when the time to stop was over; empty when the robot stands still. */
export type StillMoving = string[];

export type ActionStage =
  | { kind: 'starting' }
  | { kind: 'running'; run: SkillRun }
  | { kind: 'stopping'; run: Generator<void, StillMoving, void>; error: RuntimeError }
  | { kind: 'capturing' };

/** An action that has been accepted and has not ended. */
export interface ActiveEntry {
  readonly actionId: string;
  readonly kind: ActionKind;
  readonly name: string;
  readonly input: unknown;
  readonly caller: Caller;
  readonly parametersKey: string;
  readonly startedAtMs: number;
  /** The same moment on the runtime's own clock, which is never set. The duration is measured from it. */
  readonly acceptedAtMs: number;
  readonly deadline: { readonly atMs: number; readonly seconds: number } | null;
  /** Parts of the body it may move. */
  readonly moves: readonly BodyPart[];
  /**
   * Parts of the body it holds now (promise P9): those it moves, without those that a later action took over while it stopped.
   */
  claims: BodyPart[];
  stage: ActionStage;
  phase: string;
  progress: Progress | null;
  /** Whether at least one physics step was spent on it. */
  attempted: boolean;
  /** The thing that the hands lost without a release during the action, if any. */
  dropped: LostThing | null;
  /**
   * The world at acceptance, to determine what the action changed (promise P4); null for a broken world, which cannot be read.
   */
  readonly before: WorldSnapshot | null;
  /** Ends this action early. Without it, the action's skill is left and the parts it claims are brought to rest. */
  interrupt?: (error: RuntimeError) => void;
  /** The calls that wait for its end. */
  readonly waiting: WaitingCalls;
  /** The request that a caller can make instead when the reply is too large. */
  readonly tooLargeHint: string | undefined;
  /** Whether phase or progress has changed since the last report to the page. */
  unreported: 'nothing' | 'progress' | 'phase';
  stepsSinceReport: number;
}
