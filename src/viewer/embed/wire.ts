/** The messages between a host page and the frame, as plain types. The element's script shares only these. */

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
  /** The robot runs only in the frame. */
  local: boolean;
  connection: { kind: string; reason?: string; message?: string };
  /** Loading progress, 0 to 1. */
  loading: number;
  /** Why it does not work, as a sentence. */
  problem: string | null;
  real_time_factor: number;
  /** How new the picture of a robot that lives elsewhere is; null where the frame is the robot. */
  visit: { freshness: 'none' | 'live' | 'old' | 'lost'; age_ms: number | null; robot_is_there: boolean } | null;
  /** The answer of `runtime.state`; null before the robot is there, and for who only watches. */
  runtime: unknown;
}

/** An action that was accepted, moved on or ended. */
export interface FrameAction {
  action_id: string;
  kind: string;
  name: string;
  input: unknown;
  /** Identity of the participant, or name of the signer. Names are not unique. */
  caller: string;
  /** The frame's own page, a participant of the room, the holder of a grant, the control service, or the robot's own software. */
  caller_kind: 'page' | 'participant' | 'holder' | 'service' | 'robot';
  /** For a signed call: identity of the participant who brought it. */
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
