/**
 * The messages between a host page and the frame, and the element `<simple-sim>`, as plain types. The viewer serves this file as
 * `/simple-sim.d.ts`, so it imports nothing.
 */

export type FrameErrorCode =
  | 'INVALID_MESSAGE'
  | 'UNKNOWN_VERSION'
  | 'NOT_GREETED'
  | 'NOT_ALLOWED'
  | 'TOO_MANY'
  | 'KEY_REFUSED'
  | 'CAPTURE_FAILED'
  | 'VIEW_UNAVAILABLE'
  | 'INTERNAL';

export interface FrameError {
  code: FrameErrorCode;
  message: string;
}

/** The robot as a host sees it, at most five times a second. */
export interface FrameState {
  phase: 'gate' | 'loading' | 'live' | 'ended';
  /** The robot's activity, in words. */
  status: string;
  robot: { id: string | null; name: string } | null;
  /** Whether the robot runs only in the frame. */
  local: boolean;
  connection: { kind: string; reason?: string; message?: string };
  /** Loading progress, 0 to 1. */
  loading: number;
  /** A sentence on why the frame does not work; null while it works. */
  problem: string | null;
  real_time_factor: number;
  /** How recent the picture of a robot that runs elsewhere is; null if the frame is the robot. */
  visit: { freshness: 'none' | 'live' | 'old' | 'lost'; age_ms: number | null; robot_is_there: boolean } | null;
  /**
   * The task of a robot of the frame alone. Its outcome is null until it is decided; its share is the reached part of the goal.
   */
  task: { id: string; seed: number; outcome: 'passed' | 'failed' | null; share: number } | null;
  /** The reply of `runtime.state`; null before the robot is ready, and for a page that only watches. */
  runtime: unknown;
}

/** An action that was accepted, has progressed or has ended. */
export interface FrameAction {
  action_id: string;
  kind: string;
  name: string;
  input: unknown;
  /** Identity of the participant, or name of the signer. Names are not unique. */
  caller: string;
  /** The frame's own page, a participant of the room, the holder of a grant, the control service, or the robot's own software. */
  caller_kind: 'page' | 'participant' | 'holder' | 'service' | 'robot';
  /** For a signed call: identity of the participant who sent it. */
  carrier?: string;
  status: 'running' | 'done' | 'failed' | 'cancelled';
  phase: string;
  progress: unknown;
  started_at_ms: number;
  finished_at_ms: number | null;
  result: unknown;
}

/** The person's view: world frame, metres. */
export interface FrameView {
  view: 'orbit' | 'top' | 'head';
  following: boolean;
  eye: readonly [number, number, number];
  target: readonly [number, number, number];
}

/** The result of a capture. */
export interface FramePicture {
  camera: string;
  media_type: 'image/jpeg';
  bytes: ArrayBuffer;
}

/** From the frame to its host. */
export type FrameMessage = { simplesim: 1 } & (
  | { type: 'loaded' }
  | { type: 'ready'; state: FrameState }
  | { type: 'state'; state: FrameState }
  | { type: 'action'; action: FrameAction }
  | { type: 'reply'; id: string; ok: true; value: unknown }
  | { type: 'reply'; id: string; ok: false; error: FrameError }
);

/** A new world for a robot of the frame alone. Omitted fields keep the frame's current values. A task determines its scene. */
export interface NewWorld {
  /** Id of a built-in scene. */
  scene?: string | undefined;
  /** Id of a built-in robot. */
  robot?: string | undefined;
  /** A whole number ≥ 0. */
  seed?: number | undefined;
  /** Id of a built-in task; null ends the current task. */
  task?: string | null | undefined;
}

/** From a host to the frame. Each message also has `simplesim: 1` and an `id`, which its reply repeats. */
export type HostMessage = { simplesim: 1; id: string } & (
  | { type: 'hello' | 'stop' | 'get_view' }
  | { type: 'key'; key: string }
  /** Methods and their payloads: docs/reference/methods.md. */
  | { type: 'call'; method: string; payload?: unknown }
  | { type: 'capture'; camera?: string | undefined; width?: number | undefined; height?: number | undefined }
  | ({ type: 'set_view' } & { [Field in keyof FrameView]?: FrameView[Field] | undefined })
  | ({ type: 'open' } & NewWorld)
);

/** The events of the element, by their types. */
export interface SimpleSimEvents {
  state: CustomEvent<FrameState>;
  ready: CustomEvent<FrameState>;
  action: CustomEvent<FrameAction>;
  /** The detail has a `code` and a sentence as its `message`. */
  refused: CustomEvent<Error & { code: string }>;
}

/** `<simple-sim>`. Its promises reject with an error that has a `code`. */
export interface SimpleSimElement extends HTMLElement {
  /** The newest state; null before the frame has answered. */
  readonly state: FrameState | null;
  /** Resolves when the robot answers calls. */
  readonly ready: Promise<SimpleSimElement>;
  /** A room key, or a link that contains one. */
  set roomKey(key: string | null);
  connect(key: string): Promise<unknown>;
  call(method: string, payload?: object): Promise<unknown>;
  invoke(skill: string, input?: object, options?: object): Promise<unknown>;
  stop(): Promise<unknown>;
  capture(options?: { camera?: string; width?: number; height?: number }): Promise<Blob>;
  open(world: NewWorld): Promise<void>;
  getView(): Promise<FrameView>;
  setView(view: Partial<FrameView>): Promise<unknown>;
  addEventListener<Type extends keyof SimpleSimEvents>(
    type: Type,
    listener: (event: SimpleSimEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'simple-sim': SimpleSimElement;
  }
}
