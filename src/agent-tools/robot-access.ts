import type { ControlRequest } from '../protocol/wire/driver.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';

/** The end of a skill call, or its refusal, as the runtime replied. */
export interface SkillReply {
  status: 'done' | 'failed';
  /** The result of the skill, with `done`. */
  result?: Readonly<Record<string, unknown>>;
  /** With `failed`. */
  error?: { code: string; message: string; details?: Readonly<Record<string, unknown>> };
  /** Absent if the call did not become an action. */
  meta?: { action_id: string; note?: string; degraded?: boolean };
}

/** A picture of a camera, or the refusal. */
export interface AgentPicture {
  /** The reply of `runtime.cameras_capture`. */
  reply: unknown;
  /** Null with a refusal. */
  jpeg: Uint8Array | null;
}

/** The methods of the runtime that only read. */
export type ReadMethod =
  | 'runtime.state'
  | 'runtime.scene_state'
  | 'runtime.scene_layout'
  | 'runtime.action'
  | 'runtime.capabilities'
  | 'runtime.manifest';

/** The size of a requested picture. */
export interface PictureSize {
  widthPx: number;
  heightPx: number;
  /** Of the JPEG, in (0, 1]. */
  quality: number;
}

/** How a skill is called. */
export interface InvokeOptions {
  actionId: string;
  deadlineS?: number;
  /** The contract for which the input was made; a robot of another contract must not get it. */
  contract?: RuntimeProfile;
}

/**
 * One robot, through the path that carries the calls of an agent: this process, a room, the control service or the page. Each
 * method rejects with a sentence if the outcome of a call is unknown; a refusal is a reply.
 */
export interface RobotAccess {
  /** The contract of the robot. */
  readonly profile: RuntimeProfile;
  /** The identity of the agent's calls in the room; null: the robot's page; undefined: the calls come from no participant. */
  readonly identity: string | null | undefined;
  /** Learns the contract of a robot that may change, before a tool relies on `profile`. Keeps the last known one if it cannot. */
  meet?(): Promise<void>;
  /** Runs a skill, and settles when the action has ended. Lost replies are requested again under the same id. */
  invoke(skill: string, input: object, options: InvokeOptions): Promise<SkillReply>;
  read(method: ReadMethod, payload?: object): Promise<unknown>;
  /** Cancels an action. @returns the reply of `runtime.cancel` */
  cancel(actionId: string): Promise<unknown>;
  /** Changes the driver. A lease that was taken is renewed until it is released. @returns the reply of `runtime.control` */
  control(request: ControlRequest): Promise<unknown>;
  takePicture(camera: string, size: PictureSize): Promise<AgentPicture>;
}
