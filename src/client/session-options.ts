import type { SceneLayout, SceneState } from '../protocol/wire/scene.ts';
import type { RuntimeState } from '../protocol/wire/state.ts';
import type { ActionEvent } from './action-result.ts';
import type { VisionOptions } from './vision.ts';

/** Options of every call to the runtime. */
export interface CallOptions {
  /** Longest wait, milliseconds. @default runtimeCallTimeoutMs of `connect` */
  timeoutMs?: number | undefined;
  /** Ends the wait with the signal's reason; the action on the robot continues. */
  signal?: AbortSignal | undefined;
}

/** Options of `invoke` and `start`. */
export interface InvokeOptions extends CallOptions {
  /** Chosen by the caller; the same id with the same parameters never runs twice. @default a new one */
  actionId?: string | undefined;
  /** The runtime stops the action itself after this many seconds. */
  deadlineS?: number | undefined;
  /** Receives the action's events: accepted, running with its progress, and its end. */
  onEvent?: ((event: ActionEvent) => void) | undefined;
  /**
   * Whether to cancel the action on the robot if the wait ends before the action, by `signal` or `timeoutMs`. The call then
   * rejects once the action has ended there, after 5 s at most.
   * @default false: the action on the robot continues
   */
  cancelOnAbandon?: boolean | undefined;
}

/** Options of `visions`. */
export interface VisionsOptions extends VisionOptions, CallOptions {
  /** Least time from the start of one capture to the start of the next, milliseconds. @default 0 */
  intervalMs?: number | undefined;
}

/** Options of `disconnect`. */
export interface DisconnectOptions {
  /** Whether to leave the session, its room and the viewer in place. @default keepSession of `connect` */
  keepSession?: boolean | undefined;
  /** Ends the request that deletes the session; by then the room has been left. */
  signal?: AbortSignal | undefined;
}

/** The states that `state.get` reads, by key. Any other key calls the method `runtime.<key>`. */
export interface States {
  /** Status, active and last action, pose, joints, held things. */
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

/** Restricts what `scene_state` returns. */
export interface SceneFilter {
  /** Only these entities. */
  entity_ids?: readonly string[];
  /** Only entities that are in sight, or only those that are not: a cube under a cover, or delivered. */
  visible?: boolean;
  /** Only entities of these kinds. */
  kinds?: readonly ('robot' | 'cube' | 'object' | 'pad')[];
}
