import * as errors from '../protocol/texts/error-texts.ts';
import type { Caller } from '../protocol/wire/caller.ts';
import type { OwnerOrder } from '../protocol/wire/owner-order.ts';
import type { ScenePlace } from '../protocol/wire/place.ts';
import type { Overlay, RenderState } from '../protocol/wire/render-state.ts';
import type { SceneState } from '../protocol/wire/scene.ts';
import type { RuntimeState } from '../protocol/wire/state.ts';
import type { WorldSnapshot } from '../protocol/world-stream/world-frame.ts';
import { placeOf } from '../simulation/scene.ts';
import { disposeWorld, renderState } from '../simulation/world.ts';
import type { CameraState, CaptureOutcome, KeptAction, StoredAction } from './action-record.ts';
import * as actions from './actions.ts';
import * as captures from './calls/capture.ts';
import { contractFor } from './contract-of.ts';
import { createCore, flushOutbox, noteFault, onWall, type RuntimeCore, type RuntimeDeps, stepPhysics } from './core.ts';
import * as emergency from './emergency-stop.ts';
import { type KeptRuntime, keepRuntime, type RestoreProblem, restoreRuntime } from './kept-runtime.ts';
import * as lease from './lease.ts';
import * as ledger from './ledger.ts';
import { serve } from './methods.ts';
import { obey } from './owner-order.ts';
import { robotState, worldStatus } from './reads/robot-state.ts';
import { sceneState } from './reads/scene-state.ts';
import { encodeGuard, once } from './reply.ts';
import type { RuntimeCall } from './runtime-call.ts';

export type {
  AcceptedAction,
  ActionKind,
  ActionRecord,
  CameraState,
  CancelledAction,
  CaptureJob,
  CaptureOutcome,
  EndStatus,
  KeptAction,
  RuntimeFault,
  StoredAction,
} from './action-record.ts';
export type { RuntimeDeps } from './core.ts';
export type { KeptRuntime, RestoreProblem } from './kept-runtime.ts';

/** The robot behind the wire. Every call passes the time; nothing happens between calls. */
export interface Runtime {
  /**
   * Serves a call. Calls `reply` exactly once, now or when the action ends, with JSON text of at most 15,360 bytes. Never throws.
   */
  handle(call: RuntimeCall, reply: (text: string) => void): void;
  /** Makes one fixed step of the simulation: deadlines, physics, skills. */
  step(nowMs: number): void;
  /** Takes the outcome of a `CaptureJob`: the picture was sent, or could not be. */
  finishCapture(actionId: string, outcome: CaptureOutcome, nowMs: number): void;
  /** Sets whether pictures can be taken from this moment. */
  noteCameras(cameras: CameraState): void;
  /** Sets how far the wall clock, in which times are reported, is ahead of the clock of these calls. @default not at all */
  noteWallClock(aheadMs: number): void;
  noteTiming(timing: { realTimeFactor: number; hidden: boolean }): void;
  /** The tab was frozen: running actions end with RUNTIME_SUSPENDED and the robot stops (promise P13). */
  noteSuspended(gapMs: number, nowMs: number): void;
  /** A participant has left the room: ends its lease. */
  noteLeft(identity: string, nowMs: number): void;
  /** Obeys the owner's order, from the metadata of the room, about who drives. Obeyed once, and only while it is new. */
  obeyOwner(order: OwnerOrder, nowMs: number): void;
  /** Requested simulated seconds per real second. */
  speed(): number;
  renderState(): RenderState;
  overlay(): Overlay;
  /** Returns everything that remote viewers are shown. */
  worldSnapshot(nowMs: number): WorldSnapshot;
  state(nowMs: number): RuntimeState;
  sceneState(nowMs: number): SceneState;
  layout(): ScenePlace;
  /**
   * The page's stop button: calls the `cancel` skill, or the `stop` of the `rcw` profile, for the page; no gate can refuse it.
   */
  cancelActive(nowMs: number, by: Caller): void;
  /** The emergency stop: the base brakes, the arms go limp or stand still, and no command is accepted until it is released. */
  emergencyStop(nowMs: number, by: Caller, facts?: emergency.PressFacts): void;
  /** Releases the emergency stop, for a person at the robot. */
  releaseEmergencyStop(nowMs: number): void;
  /**
   * Returns the current data that a reload restores; null if the physics is broken or cannot be captured. Call between two steps.
   */
  keep(): KeptRuntime | null;
  /**
   * Restores kept data. Interrupts the actions that run now and those that ran then. If it refuses, nothing changes.
   * @returns the state hash of the world as it was kept, or why it is refused
   */
  restore(kept: KeptRuntime, nowMs: number): { ok: true; hash: string } | { ok: false; reason: RestoreProblem };
  /** Returns the actions that the next runtime must know, so that no action id runs twice (promise P5). */
  remembered(): KeptAction[];
  /**
   * Adds actions that an earlier runtime remembered; those that had not ended are interrupted.
   * @returns the actions that are new to this runtime, oldest first
   */
  recall(actions: readonly KeptAction[], nowMs: number): StoredAction[];
  /** Frees the world; the runtime is unusable afterwards. */
  dispose(): void;
}

/** Creates a runtime with its world at step 0 and the robot standing. */
export const createRuntime = (deps: RuntimeDeps): Runtime => runtimeOver(createCore(deps, contractFor(deps)));

/** Returns a runtime over a core that other code may read too. */
export function runtimeOver(core: RuntimeCore): Runtime {
  let turnAtMs = 0;
  emergency.holdBody(core);
  function beginTurn(nowMs: number): void {
    core.turnGapMs = nowMs - turnAtMs;
    turnAtMs = nowMs;
    core.nowMs = nowMs;
  }
  return {
    handle(call, reply) {
      beginTurn(call.nowMs);
      const answer = once(reply);
      try {
        // Calls may crowd out the steps; the watchdog must not wait for the next step.
        if (core.fault === null) core.contract.beforeCall(core);
        lease.expire(core);
        serve(core, call, answer);
      } catch (fault) {
        answer(encodeGuard(errors.internal(noteFault(core, fault, null))));
      }
      flushOutbox(core);
    },
    step(nowMs) {
      beginTurn(nowMs);
      captures.giveUpOnCameras(core);
      lease.expire(core);
      if (core.fault !== null) {
        flushOutbox(core);
        return;
      }
      // 1. Actions past their deadline are stopped before anything moves again.
      actions.expireDeadlines(core);
      core.contract.beforeStep(core);
      // Ended actions report the world as it is, before it moves on.
      flushOutbox(core);
      // 2. The world moves on as the actions have commanded.
      if (!tryPhysics(core)) return;
      core.contract.afterPhysics(core);
      // 3. The actions see the result: they end, or command the next step.
      actions.advanceAll(core);
      emergency.reportStanding(core);
      // 4. Outbound reports are made when everything is settled.
      flushOutbox(core);
    },
    finishCapture(actionId, outcome, nowMs) {
      core.nowMs = nowMs;
      captures.finishCapture(core, actionId, outcome);
      flushOutbox(core);
    },
    noteCameras(cameras) {
      captures.noteCameras(core, cameras);
      flushOutbox(core);
    },
    noteWallClock(aheadMs) {
      core.wallAheadMs = aheadMs;
    },
    noteTiming({ realTimeFactor, hidden }) {
      core.realTimeFactor = realTimeFactor;
      core.hidden = hidden;
    },
    noteSuspended(gapMs, nowMs) {
      core.nowMs = nowMs;
      core.suspendedMs += gapMs;
      lease.noteGap(core, gapMs);
      core.contract.suspended(core, errors.suspended(gapMs));
      for (const entry of [...core.ledger.active.values()]) {
        if (entry.kind === 'tool') actions.requestStop(core, entry, errors.suspended(gapMs));
      }
      flushOutbox(core);
    },
    noteLeft(identity, nowMs) {
      core.nowMs = nowMs;
      lease.noteLeft(core, identity);
      flushOutbox(core);
    },
    obeyOwner(order, nowMs) {
      core.nowMs = nowMs;
      obey(core, order);
      flushOutbox(core);
    },
    speed: () => core.speed,
    renderState: () => renderState(core.world),
    overlay: () => core.overlay,
    worldSnapshot: (nowMs) => ({
      sceneId: core.world.scene.layout.scene_id,
      robotId: core.world.robot.model.id,
      state: renderState(core.world),
      status: worldStatus(core),
      overlay: core.overlay,
      stepTimeMs: onWall(core, nowMs),
    }),
    state: (nowMs) => robotState(core, nowMs),
    sceneState: (nowMs) => sceneState(core, nowMs),
    layout: () => placeOf(core.world.scene, core.world.robot.model.id),
    cancelActive(nowMs, by) {
      core.nowMs = nowMs;
      core.contract.stop(core, by);
      flushOutbox(core);
    },
    emergencyStop(nowMs, by, facts) {
      core.nowMs = nowMs;
      emergency.press(core, by, facts);
      flushOutbox(core);
    },
    releaseEmergencyStop(nowMs) {
      core.nowMs = nowMs;
      emergency.release(core);
      flushOutbox(core);
    },
    keep: () => tryKeep(core),
    restore(kept, nowMs) {
      core.nowMs = nowMs;
      const restored = restoreRuntime(core, kept);
      flushOutbox(core);
      return restored;
    },
    remembered: () => ledger.remembered(core.ledger),
    recall(kept, nowMs) {
      core.nowMs = nowMs;
      return ledger.recall(core.ledger, kept, onWall(core, nowMs));
    },
    dispose: () => disposeWorld(core.world),
  };
}

/** Returns the kept runtime, or null if memory is too short to capture the world; the robot then continues unkept. */
function tryKeep(core: RuntimeCore): KeptRuntime | null {
  try {
    return keepRuntime(core);
  } catch {
    return null;
  }
}

/** Makes a physics step. If it breaks, every running action ends INTERNAL, and only a reset recovers. */
function tryPhysics(core: RuntimeCore): boolean {
  try {
    stepPhysics(core);
    return true;
  } catch (fault) {
    core.fault = noteFault(core, fault, null);
    for (const entry of [...core.ledger.active.values()]) actions.abandon(core, entry, errors.internal(core.fault));
    emergency.reportStanding(core);
    flushOutbox(core);
    return false;
  }
}
