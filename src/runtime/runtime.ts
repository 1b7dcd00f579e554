import type { Caller, HandMark } from '../protocol/caller.ts';
import * as errors from '../protocol/error-texts.ts';
import type { ScenePlace } from '../protocol/place.ts';
import type { Overlay, RenderState } from '../protocol/render-state.ts';
import type { SceneState } from '../protocol/scene.ts';
import type { RuntimeState } from '../protocol/state.ts';
import { placeOf } from '../simulation/scene.ts';
import { disposeWorld, renderState } from '../simulation/world.ts';
import type { CameraState, CaptureOutcome } from './action-record.ts';
import * as actions from './actions.ts';
import * as captures from './calls/capture.ts';
import { callFromPage, type SignedBy } from './calls/tools-call.ts';
import { createCore, flushOutbox, noteFault, type RuntimeCore, type RuntimeDeps, stepPhysics } from './core.ts';
import { type KeptRuntime, keepRuntime, type RestoreProblem, restoreRuntime } from './kept-runtime.ts';
import { serve } from './methods.ts';
import { robotState } from './reads/robot-state.ts';
import { sceneState } from './reads/scene-state.ts';
import { encodeGuard, once } from './reply.ts';
import { stopFromPage } from './worker/calls.ts';
import { latch, release, standStill } from './worker/emergency-stop.ts';
import { expireVelocity } from './worker/held-velocity.ts';
import { watch } from './worker/upper-body.ts';

export type {
  AcceptedAction,
  ActionKind,
  ActionRecord,
  CameraState,
  CancelledAction,
  CaptureJob,
  CaptureOutcome,
  EndStatus,
  RuntimeFault,
  StoredAction,
} from './action-record.ts';
export type { RuntimeDeps } from './core.ts';
export type { KeptRuntime, RestoreProblem } from './kept-runtime.ts';

/** One RPC as it came in. */
export interface RuntimeCall {
  requestId: string;
  /** Full name: "runtime.state". */
  method: string;
  payload: string;
  /** Identity of the participant who brought it; null for the robot's own page, which is nobody in the room. */
  callerIdentity: string | null;
  /** Of the page: a command of the hand. */
  hand?: HandMark | undefined;
  /** Milliseconds since the epoch, by a clock that nobody sets. */
  nowMs: number;
  /** Whose signature the call came under, for one that came in an envelope; see host/signed-desk.ts. */
  signedBy?: SignedBy | undefined;
}

/** The robot behind the wire. Time comes in with every call; nothing happens between calls. */
export interface Runtime {
  /** Serves a call; `reply` is called exactly once, now or when the action ends, with JSON text of at most 15,360 bytes. Never throws. */
  handle(call: RuntimeCall, reply: (text: string) => void): void;
  /** One fixed step of the simulation: deadlines, physics, skills. */
  step(nowMs: number): void;
  /** The picture of a `CaptureJob` was sent, or could not be. */
  finishCapture(actionId: string, outcome: CaptureOutcome, nowMs: number): void;
  /** Whether pictures can be had from now on. */
  noteCameras(cameras: CameraState): void;
  /** How far the wall clock is ahead of the clock that the calls here go by: times that are told are of the wall clock. @default not at all */
  noteWallClock(aheadMs: number): void;
  noteTiming(timing: { realTimeFactor: number; hidden: boolean }): void;
  /** The tab was frozen: what ran ends with RUNTIME_SUSPENDED and the robot stops (promise P13). */
  noteSuspended(gapMs: number, nowMs: number): void;
  /** Simulated seconds per real second that are asked for. */
  speed(): number;
  renderState(): RenderState;
  overlay(): Overlay;
  state(nowMs: number): RuntimeState;
  sceneState(nowMs: number): SceneState;
  layout(): ScenePlace;
  /** The page's stop button: the `cancel` skill, or the worker's `stop`, called by the page; no gate stands before it. */
  cancelActive(nowMs: number, by: Caller): void;
  /** Of the worker profile, the button at the robot: the base brakes, the arms go limp, nothing is taken until it is released. */
  emergencyStop(nowMs: number, by: Caller): void;
  releaseEmergencyStop(nowMs: number): void;
  /** What a reload goes on from, as it is between two steps; null when the physics is broken, or cannot be taken down. */
  keep(): KeptRuntime | null;
  /**
   * Goes on from what was kept; what runs now, and what ran then, is interrupted. A refusal changes nothing.
   * @returns the state hash of the world as it was kept, or why it is refused
   */
  restore(kept: KeptRuntime, nowMs: number): { ok: true; hash: string } | { ok: false; reason: RestoreProblem };
  /** Frees the world; the runtime is unusable afterwards. */
  dispose(): void;
}

/** A runtime with its world at step 0, the robot standing. */
export const createRuntime = (deps: RuntimeDeps): Runtime => runtimeOver(createCore(deps));

/** The runtime's calls over a core that somebody else may look into too. */
export function runtimeOver(core: RuntimeCore): Runtime {
  let turnAtMs = 0;
  function takeTurn(nowMs: number): void {
    core.turnGapMs = nowMs - turnAtMs;
    turnAtMs = nowMs;
    core.nowMs = nowMs;
  }
  return {
    handle(call, reply) {
      takeTurn(call.nowMs);
      const answer = once(reply);
      try {
        // Calls may crowd the steps out; the watchdog must not wait for the next of them.
        if (core.fault === null) watch(core);
        serve(core, call, answer);
      } catch (fault) {
        answer(encodeGuard(errors.internal(noteFault(core, fault, null))));
      }
      flushOutbox(core);
    },
    step(nowMs) {
      takeTurn(nowMs);
      captures.giveUpOnCameras(core);
      if (core.fault !== null) {
        flushOutbox(core);
        return;
      }
      // 1. What may not go on any longer is stopped before it moves again.
      actions.expireDeadlines(core);
      expireVelocity(core);
      watch(core);
      // What has ended tells of the world as it is, before that moves on.
      flushOutbox(core);
      // 2. The world moves on as the actions have commanded.
      if (!tryPhysics(core)) return;
      core.bodyLink.reportedAtMs = nowMs;
      // 3. The actions see what came of it: they end, or command the next step.
      actions.advanceAll(core);
      // 4. The outside hears of it when all of it is settled.
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
      if (core.profile === 'worker') standStill(core, errors.suspended(gapMs));
      for (const entry of [...core.ledger.active.values()]) {
        if (entry.kind === 'tool') actions.requestStop(core, entry, errors.suspended(gapMs));
      }
      flushOutbox(core);
    },
    speed: () => core.speed,
    renderState: () => renderState(core.world),
    overlay: () => core.overlay,
    state: (nowMs) => robotState(core, nowMs),
    sceneState: (nowMs) => sceneState(core, nowMs),
    layout: () => placeOf(core.world.scene),
    cancelActive(nowMs, by) {
      core.nowMs = nowMs;
      if (core.profile === 'worker') stopFromPage(core, by);
      else callFromPage(core, 'cancel', {}, by);
      flushOutbox(core);
    },
    emergencyStop(nowMs, by) {
      // The simulator has no such button, and nothing in it would release one.
      if (core.profile !== 'worker') return;
      core.nowMs = nowMs;
      latch(core, by);
      flushOutbox(core);
    },
    releaseEmergencyStop(nowMs) {
      core.nowMs = nowMs;
      release(core);
      flushOutbox(core);
    },
    keep: () => tryKeep(core),
    restore(kept, nowMs) {
      core.nowMs = nowMs;
      const restored = restoreRuntime(core, kept);
      flushOutbox(core);
      return restored;
    },
    dispose: () => disposeWorld(core.world),
  };
}

/** The robot does not end because its world cannot be taken down, for want of memory. */
function tryKeep(core: RuntimeCore): KeptRuntime | null {
  try {
    return keepRuntime(core);
  } catch {
    return null;
  }
}

/** A step of the physics; if it breaks, everything that ran ends INTERNAL, and only a reset goes on from there. */
function tryPhysics(core: RuntimeCore): boolean {
  try {
    stepPhysics(core);
    return true;
  } catch (fault) {
    core.fault = noteFault(core, fault, null);
    for (const entry of [...core.ledger.active.values()]) actions.abandon(core, entry, errors.internal(core.fault));
    flushOutbox(core);
    return false;
  }
}
