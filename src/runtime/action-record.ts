import type { ActionResult } from '../protocol/wire/action.ts';
import type { Caller } from '../protocol/wire/caller.ts';
import type { CaptureFrame } from '../protocol/wire/captures.ts';
import type { RenderState } from '../protocol/wire/render-state.ts';
import type { Progress } from '../protocol/wire/state.ts';

export type ActionKind = 'tool' | 'capture';
/** How an action ended. On the wire, `cancelled` is a `failed` with the code CANCELLED. */
export type EndStatus = 'done' | 'failed' | 'cancelled';

/** One action as people see it. It is sent when the action is accepted, when its phase or progress changes, and when it ends. */
export interface ActionRecord {
  actionId: string;
  kind: ActionKind;
  name: string;
  /** The validated input, defaults filled in. */
  input: unknown;
  caller: Caller;
  /** In a word or two: "walking", "closing hands", "settling". */
  phase: string;
  status: 'running' | EndStatus;
  startedAtMs: number;
  finishedAtMs: number | null;
  progress: Progress | null;
  result: ActionResult | null;
}

/** An ended action as the ledger remembers it: plain data, so that it can be kept over a restart. */
export interface StoredAction {
  actionId: string;
  kind: ActionKind;
  name: string;
  input: unknown;
  caller: Caller;
  /** Canonical JSON of name and input: equal exactly when a repeat asks for the same thing. */
  parametersKey: string;
  status: EndStatus;
  result: ActionResult;
}

/**
 * An action as it was accepted, before its first step: plain data, so that a runtime that starts again during the action knows of
 * it.
 */
export type AcceptedAction = Omit<StoredAction, 'status' | 'result'> & { startedAtMs: number };

/** The kept record of an action, so that its id never runs twice (promise P5): its result, or that it was accepted. */
export type KeptAction = StoredAction | AcceptedAction;

/** A cancel that stops something. It does not become an action itself. */
export interface CancelledAction {
  /** The action that it stops. */
  actionId: string;
  name: string;
  /** The caller that cancelled it. */
  by: Caller;
  /** Milliseconds since the epoch. */
  atMs: number;
}

/** A fault of the runtime itself, for its operator; callers receive only the reference. */
export interface RuntimeFault {
  /** The reference; the reply contains it too. */
  incident: string;
  /** The action that was affected, if any. */
  actionId: string | null;
  /** The thrown value. */
  thrown: unknown;
  /** Whether the physics broke. Everything then stands still until a reset. */
  isPhysics: boolean;
}

/** A picture to draw, encode and send; `finishCapture` reports the outcome. */
export interface CaptureJob {
  actionId: string;
  /** Identity of the participant who is sent the picture; null for the robot's own page, which takes its pictures itself. */
  callerIdentity: string | null;
  camera: string;
  widthPx: number;
  heightPx: number;
  quality: number;
  streamId: string;
  topic: string;
  frame: CaptureFrame;
  renderState: RenderState;
  /** Whether boxes of the visible entities are asked for. */
  annotations: boolean;
}

export type CaptureOutcome = { ok: true; byteLength: number; entities?: readonly unknown[] } | { ok: false; message: string };

/**
 * Whether pictures can be taken.
 * - `starting`: the cameras are still being built
 * - `broken`: cameras do not work here; the message is a sentence
 * - `none`: nothing here draws, and no camera is listed
 */
export type CameraState = { kind: 'ready' } | { kind: 'starting' } | { kind: 'broken'; message: string } | { kind: 'none' };
