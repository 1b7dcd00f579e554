import type { SceneLayout, SceneState } from '../protocol/scene.ts';
import type { RuntimeState } from '../protocol/state.ts';
import type { ActionEvent } from './action-result.ts';
import type { VisionOptions } from './vision.ts';

/** Options of every call to the runtime. */
export interface CallOptions {
  /** Longest wait, milliseconds. @default runtimeCallTimeoutMs of `connect` */
  timeoutMs?: number | undefined;
  /** Ends the waiting with the signal's reason; what runs on the robot runs on. */
  signal?: AbortSignal | undefined;
}

/** Options of `invoke` and `start`. */
export interface InvokeOptions extends CallOptions {
  /** Chosen by the caller; the same id with the same parameters never runs twice. @default a fresh one */
  actionId?: string | undefined;
  /** The runtime stops the action itself after this many seconds. */
  deadlineS?: number | undefined;
  /** Is told what happens to the action: accepted, running with its progress, its end. */
  onEvent?: ((event: ActionEvent) => void) | undefined;
  /**
   * When the waiting ends before the action, by `signal` or `timeoutMs`, the action is cancelled on the robot too, and the call rejects once
   * it has ended there, after 5 s at most.
   * @default false: what runs on the robot runs on
   */
  cancelOnAbandon?: boolean | undefined;
}

/** Options of `visions`. */
export interface VisionsOptions extends VisionOptions, CallOptions {
  /** Least time from the start of one capture to that of the next, milliseconds. @default 0 */
  intervalMs?: number | undefined;
}

/** Options of `disconnect`. */
export interface DisconnectOptions {
  /** Leaves alone: the session, its room and the viewer in it stay. @default keepSession of `connect` */
  keepSession?: boolean | undefined;
  /** Ends the request that deletes the session; the room has been left by then. */
  signal?: AbortSignal | undefined;
}

/** The states that `state.get` reads, by key. Any other key asks the method `runtime.<key>`. */
export interface States {
  /** Status, active and last action, pose, joints, what it holds. */
  robot_status: RuntimeState;
  /** Poses of robot, things and pads, metres in the frame `world`. */
  scene_state: SceneState;
  /** The fixed parts of the scene: bounds, obstacles, pads and their slots, regions, metres. */
  scene_layout: SceneLayout;
  /** Product, versions, robot model, scenes and methods of the runtime. */
  manifest: Record<string, unknown>;
  /** Cameras, captures, limits, simulation controls, promises kept. */
  capabilities: Record<string, unknown>;
}

/** Restricts what `scene_state` tells. */
export interface SceneFilter {
  /** These entities alone. */
  entity_ids?: readonly string[];
  /** Only entities that are in sight, or only those that are not: a cube under a cover, or delivered. */
  visible?: boolean;
  /** Entities of these kinds alone. */
  kinds?: readonly ('robot' | 'cube' | 'object' | 'pad')[];
}
