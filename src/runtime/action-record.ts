import type { ActionResult } from '../protocol/action.ts';
import type { Caller } from '../protocol/caller.ts';
import type { CaptureFrame } from '../protocol/captures.ts';
import type { RenderState } from '../protocol/render-state.ts';
import type { Progress } from '../protocol/state.ts';

export type ActionKind = 'tool' | 'capture';
/** How an action ended. `cancelled` is on the wire a `failed` with the code CANCELLED. */
export type EndStatus = 'done' | 'failed' | 'cancelled';

/** One action as people see it: sent when it is accepted, when its phase or progress changes, and when it ends. */
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

/** An ended action as the ledger remembers it: plain data, so that a page can keep it across a reload. */
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

/** An action as it was accepted, before its first step: plain data, so that a page that is reloaded in the middle knows of it. */
export type AcceptedAction = Omit<StoredAction, 'status' | 'result'> & { startedAtMs: number };

/** A cancel that stops something: it becomes no action of its own. */
export interface CancelledAction {
  /** Of the action that it stops. */
  actionId: string;
  name: string;
  /** Who cancelled it. */
  by: Caller;
  /** Milliseconds since the epoch. */
  atMs: number;
}

/** A fault of the runtime's own, for whoever looks after it; callers are told the reference only. */
export interface RuntimeFault {
  /** Stands in the reply too. */
  incident: string;
  /** The action it befell, if any. */
  actionId: string | null;
  /** What was thrown. */
  thrown: unknown;
  /** Is it the physics that broke? Then nothing moves any more before a reset. */
  isPhysics: boolean;
}

/** A picture to be drawn, encoded and sent elsewhere; its outcome comes back by `finishCapture`. */
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
  /** Are boxes of the visible entities asked for? */
  annotations: boolean;
}

export type CaptureOutcome = { ok: true; byteLength: number; entities?: readonly unknown[] } | { ok: false; message: string };

/**
 * Whether pictures can be had.
 * - `starting`: the cameras are still built
 * - `broken`: they do not work here; the message is a sentence
 * - `none`: nothing here draws, and no camera is listed
 */
export type CameraState = { kind: 'ready' } | { kind: 'starting' } | { kind: 'broken'; message: string } | { kind: 'none' };
