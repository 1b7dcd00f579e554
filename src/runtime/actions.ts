import * as errors from '../protocol/texts/error-texts.ts';
import type { ActionResult } from '../protocol/wire/action.ts';
import type { Caller } from '../protocol/wire/caller.ts';
import type { RuntimeError, WorldChanged } from '../protocol/wire/error-codes.ts';
import { STEPS_PER_SECOND } from '../protocol/wire/limits.ts';
import type { BodyPart } from '../protocol/wire/skills.ts';
import { NotFiniteError } from '../simulation/finite.ts';
import * as grasp from '../simulation/grasp.ts';
import type { ActiveEntry, SkillOutcome, SkillRun } from './action-entry.ts';
import type { ActionKind, ActionRecord, EndStatus, StoredAction } from './action-record.ts';
import { noteFault, onWall, type RuntimeCore } from './core.ts';
import { droppedOnWire } from './dropped.ts';
import * as ledger from './ledger.ts';
import { pathOfNotFinite } from './not-finite.ts';
import { encodeReply } from './reply.ts';
import { bringToRest, freeHead, movingNow } from './stop.ts';
import { createWaitingCalls } from './waiting-calls.ts';
import { changedSince, snapshotWorld } from './world-snapshot.ts';

/** The life of an action: accepted, advanced once per physics step, asked to stop, ended. Nothing else ends an action. */

/** Minimum interval between reports of progress to the page. A new phase is reported after the step in which it began. */
const REPORT_EVERY_STEPS = STEPS_PER_SECOND / 10;

export interface NewAction {
  actionId: string;
  kind: ActionKind;
  name: string;
  input: unknown;
  caller: Caller;
  claims: readonly BodyPart[];
  deadlineS: number | null;
  phase: string;
  /** The request that a caller can make instead when the reply is too large. */
  tooLargeHint?: string;
}

/** Writes a new action into the ledger. It does nothing yet. */
export function accept(core: RuntimeCore, action: NewAction): ActiveEntry {
  const startedAtMs = onWall(core, core.nowMs);
  const entry: ActiveEntry = {
    actionId: action.actionId,
    kind: action.kind,
    name: action.name,
    input: action.input,
    caller: action.caller,
    parametersKey: ledger.parametersKey(action.kind, action.name, action.input),
    startedAtMs,
    acceptedAtMs: Math.round(core.nowMs),
    deadline: action.deadlineS === null ? null : { atMs: core.nowMs + action.deadlineS * 1000, seconds: action.deadlineS },
    moves: action.claims,
    claims: [...action.claims],
    stage: { kind: 'starting' },
    phase: action.phase,
    progress: null,
    attempted: false,
    dropped: null,
    before: core.fault === null ? snapshotWorld(core.world) : null,
    waiting: createWaitingCalls(),
    tooLargeHint: action.tooLargeHint,
    unreported: 'nothing',
    stepsSinceReport: 0,
  };
  core.ledger.active.set(entry.actionId, entry);
  const accepted = ledger.acceptedOf(entry);
  core.outbox.push(() => core.deps.onAccepted?.(accepted));
  report(core, entry);
  return entry;
}

/** Starts a skill. Its first part runs at once, so that a skill that needs no time ends at once. */
export function start(core: RuntimeCore, entry: ActiveEntry, begin: () => SkillRun | SkillOutcome): void {
  try {
    const begun = begin();
    if ('ok' in begun) {
      end(core, entry, begun);
      return;
    }
    entry.stage = { kind: 'running', run: begun };
  } catch (fault) {
    end(core, entry, { ok: false, error: errors.internal(noteFault(core, fault, entry.actionId)) });
    return;
  }
  resume(core, entry);
}

/** Continues every action after a physics step, in the order in which they were accepted. */
export function advanceAll(core: RuntimeCore): void {
  for (const entry of [...core.ledger.active.values()]) {
    if (!isActive(core, entry) || entry.stage.kind === 'capturing') continue;
    if (!entry.attempted && entry.stage.kind === 'running') freeHead(core, entry.claims);
    entry.attempted = true;
    entry.stepsSinceReport += 1;
    resume(core, entry);
    if (isActive(core, entry)) reportProgress(core, entry);
  }
}

/** Stops actions whose deadline has passed; called before a physics step. */
export function expireDeadlines(core: RuntimeCore): void {
  for (const entry of [...core.ledger.active.values()]) {
    if (entry.deadline === null || core.nowMs < entry.deadline.atMs || entry.stage.kind === 'stopping') continue;
    requestStop(core, entry, errors.deadlineExceeded(entry.deadline.seconds, entry.phase, entry.progress ?? undefined));
  }
}

const isActive = (core: RuntimeCore, entry: ActiveEntry): boolean => core.ledger.active.get(entry.actionId) === entry;

function resume(core: RuntimeCore, entry: ActiveEntry): void {
  const { stage } = entry;
  try {
    if (stage.kind === 'running') {
      const { done, value } = stage.run.next();
      // A skill may have been replaced by something it started itself; its end is then already written.
      if (done && isActive(core, entry)) leave(core, entry, value);
    } else if (stage.kind === 'stopping') {
      const { done, value } = stage.run.next();
      if (done) endStopped(core, entry, stage.error, value);
    }
  } catch (fault) {
    const error = errors.internal(noteFault(core, fault, entry.actionId));
    if (stage.kind === 'running') requestStop(core, entry, error);
    else end(core, entry, { ok: false, error });
  }
}

/**
 * Ends an action whose skill has returned. Motion that a failed skill left behind is stopped, so that it ends too (promise P8).
 */
function leave(core: RuntimeCore, entry: ActiveEntry, outcome: SkillOutcome): void {
  if (outcome.ok || !entry.attempted) {
    end(core, entry, outcome);
    return;
  }
  entry.stage = { kind: 'stopping', run: bringToRest(core, () => entry.claims), error: outcome.error };
  setPhase(entry, 'stopping');
  resume(core, entry);
}

/**
 * @param notStopped parts it could not bring to rest; the answer also names parts that it moved and that another action has taken
 * over
 */
function endStopped(core: RuntimeCore, entry: ActiveEntry, error: RuntimeError, notStopped: readonly string[]): void {
  const stillMoving = [...new Set([...notStopped, ...movingNow(core, entry.moves)])];
  const details = stillMoving.length === 0 ? error.details : { ...error.details, still_moving: stillMoving };
  end(core, entry, { ok: false, error: { ...error, details } });
}

const withProgress = ({ progress }: ActiveEntry, error: RuntimeError): RuntimeError =>
  progress ? { ...error, details: { ...error.details, progress: { ...progress } } } : error;

/**
 * Ends an action for a reason of the runtime: leaves its skill at once, brings its parts of the body to rest, then answers.
 * An action that is already stopping keeps its first reason.
 */
export function requestStop(core: RuntimeCore, entry: ActiveEntry, error: RuntimeError): void {
  if (!isActive(core, entry) || entry.stage.kind === 'stopping') return;
  if (entry.interrupt) {
    entry.interrupt(error);
    return;
  }
  leaveSkill(entry);
  const failure = withProgress(entry, error);
  if (entry.kind === 'capture') {
    end(core, entry, { ok: false, error: failure });
    return;
  }
  entry.stage = { kind: 'stopping', run: bringToRest(core, () => entry.claims), error: failure };
  setPhase(entry, 'stopping');
  resume(core, entry);
}

/**
 * Ends an action at once, without a stop, because another action takes over all parts that it moves. Whatever still moves at that
 * moment belongs to the other action, and the answer names that action.
 */
export function replace(core: RuntimeCore, entry: ActiveEntry, error: RuntimeError): void {
  if (!isActive(core, entry)) return;
  const failure = entry.stage.kind === 'stopping' ? entry.stage.error : withProgress(entry, error);
  leaveSkill(entry);
  endStopped(core, entry, failure, []);
}

/** Ends an action whose world is broken: such a world cannot stop or measure anything. */
export function abandon(core: RuntimeCore, entry: ActiveEntry, error: RuntimeError): void {
  entry.stage = { kind: 'starting' };
  end(core, entry, { ok: false, error });
}

/** Leaves the skill, so that its `finally` blocks run. */
function leaveSkill(entry: ActiveEntry): void {
  if (entry.stage.kind !== 'running') return;
  const { run } = entry.stage;
  entry.stage = { kind: 'starting' };
  run.return({ ok: false, error: errors.internal('left') });
}

/** Writes the end of an action: its result, the evidence of what it changed, and the replies to all callers. */
export function end(core: RuntimeCore, entry: ActiveEntry, ended: SkillOutcome): void {
  const outcome = finite(core, entry, reportDropped(core, entry, ended));
  // Measured, because the wall clock may be set in the meantime.
  const finishedAtMs = entry.startedAtMs + Math.max(0, Math.round(core.nowMs) - entry.acceptedAtMs);
  const meta = {
    action_id: entry.actionId,
    started_at_ms: entry.startedAtMs,
    finished_at_ms: finishedAtMs,
    duration_ms: finishedAtMs - entry.startedAtMs,
    ...(outcome.ok && outcome.degraded ? { degraded: true } : {}),
    ...(outcome.ok && outcome.note !== undefined ? { note: outcome.note } : {}),
  };
  const result: ActionResult = outcome.ok
    ? { status: 'done', result: outcome.result, meta }
    : { status: 'failed', error: withFacts(core, entry, outcome.error), meta };
  const action: StoredAction = {
    actionId: entry.actionId,
    kind: entry.kind,
    name: entry.name,
    input: entry.input,
    caller: entry.caller,
    parametersKey: entry.parametersKey,
    status: endStatus(result),
    result,
  };
  ledger.remember(core.ledger, action, core.nowMs);
  const record: ActionRecord = { ...recordOf(entry), phase: action.status, status: action.status, finishedAtMs, result };
  core.outbox.push(() => core.deps.onAction(record));
  core.outbox.push(() => core.deps.onEnded?.(action));
  answerAll(core, entry, result);
}

/** Answers all waiting calls. The text is made once, however many calls wait for it. */
function answerAll(core: RuntimeCore, { waiting, tooLargeHint }: ActiveEntry, result: ActionResult): void {
  if (waiting.replies.length === 0) return;
  const text = encodeReply(result, tooLargeHint);
  for (const reply of waiting.replies) core.outbox.push(() => reply(text));
}

/** Turns a result with a non-finite number into a failure, because such a result proves nothing. */
function finite(core: RuntimeCore, entry: ActiveEntry, outcome: SkillOutcome): SkillOutcome {
  const path = outcome.ok ? pathOfNotFinite(outcome.result) : null;
  if (path === null) return outcome;
  const thrown = new NotFiniteError(`result.${path} of ${entry.name} is not finite`);
  return { ok: false, error: errors.internal(noteFault(core, thrown, entry.actionId)) };
}

/** Adds the thing that the hands lost during the action, even if the skill reports success: the caller relies on that thing. */
function reportDropped(core: RuntimeCore, entry: ActiveEntry, outcome: SkillOutcome): SkillOutcome {
  if (entry.dropped === null || core.fault !== null || entry.before?.world !== core.world) return outcome;
  const dropped = droppedOnWire(core, entry.dropped);
  if (dropped === null) return outcome;
  if (!outcome.ok) return { ok: false, error: { ...outcome.error, details: { ...outcome.error.details, dropped } } };
  const note = [outcome.note, errors.droppedMeanwhile(dropped.entity_id)].filter((text) => text !== undefined).join(' ');
  return { ...outcome, result: { ...outcome.result, dropped }, note };
}

/** Adds the measured facts (promise P4): whether a step was spent and whether the world changed, whatever the skill assumed. */
function withFacts(core: RuntimeCore, entry: ActiveEntry, error: RuntimeError): RuntimeError {
  const changed = core.fault === null ? changes(core, entry) : 'unknown';
  const facts = { ...error.details, ...handsAfter(core, entry, error), attempted: entry.attempted, world_changed: changed };
  return { ...error, details: facts };
}

/** Adds what the hands hold at the end of an action that moved the arms, so that a caller stopped half way need not guess. */
function handsAfter(core: RuntimeCore, entry: ActiveEntry, { details }: RuntimeError): { evidence?: unknown } {
  if (!entry.attempted || !entry.moves.includes('arms') || core.fault !== null) return {};
  const held = grasp.heldEntityId(core.world);
  const evidence = details.evidence === undefined ? {} : (details.evidence as object);
  return { evidence: { ...evidence, held_entity_ids: held === null ? [] : [held] } };
}

function changes(core: RuntimeCore, entry: ActiveEntry): WorldChanged {
  if (!entry.attempted) return 'no';
  return entry.before === null ? 'unknown' : changedSince(entry.before, core.world, entry.moves);
}

function endStatus(result: ActionResult): EndStatus {
  if (result.status === 'done') return 'done';
  return result.error?.code === 'CANCELLED' ? 'cancelled' : 'failed';
}

/** Sets the phase of an action; each change is reported to callers. */
export function setPhase(entry: ActiveEntry, phase: string): void {
  if (entry.phase === phase) return;
  entry.phase = phase;
  entry.unreported = 'phase';
}

/** Sets how far an action is, in a unit that its skill chooses; it is reported to callers at intervals. */
export function setProgress(entry: ActiveEntry, current: number, total: number, unit: string): void {
  entry.progress = { current, total, unit };
  if (entry.unreported === 'nothing') entry.unreported = 'progress';
}

function reportProgress(core: RuntimeCore, entry: ActiveEntry): void {
  if (entry.unreported === 'nothing') return;
  if (entry.unreported === 'progress' && entry.stepsSinceReport < REPORT_EVERY_STEPS) return;
  report(core, entry);
}

function report(core: RuntimeCore, entry: ActiveEntry): void {
  entry.unreported = 'nothing';
  entry.stepsSinceReport = 0;
  const record = recordOf(entry);
  core.outbox.push(() => core.deps.onAction(record));
}

const recordOf = (entry: ActiveEntry): ActionRecord => ({
  actionId: entry.actionId,
  kind: entry.kind,
  name: entry.name,
  input: entry.input,
  caller: entry.caller,
  phase: entry.phase,
  status: 'running',
  startedAtMs: entry.startedAtMs,
  finishedAtMs: null,
  progress: entry.progress ? { ...entry.progress } : null,
  result: null,
});
