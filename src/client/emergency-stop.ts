import { PlatformSDKError } from './errors.ts';
import type { RequestOptions } from './options.ts';

/** Options of both `emergencyStop` methods. */
export interface EmergencyStopOptions extends RequestOptions {
  /** The reason, for people who find the robot stopped; cut after 200 characters. */
  reason?: string | undefined;
  /**
   * Longest wait for the confirmation that the robot stands, milliseconds. The press is repeated during this time.
   * @default 10 000
   */
  timeoutMs?: number | undefined;
}

/** The outcome of an emergency stop over one path. */
export interface StopPath {
  /**
   * `stands`: the path confirms that the robot stands. `latched`: the press arrived, but the standstill is unconfirmed. `failed`:
   * the press failed. `pending`: no answer had come when the other path confirmed, and this press continues.
   */
  status: 'stands' | 'latched' | 'failed' | 'pending';
  /** From the press to this answer, milliseconds; null while it is pending. */
  afterMs: number | null;
  /** Why the path does not confirm the standstill, in a sentence; null for `stands` and `pending`. */
  problem: string | null;
}

/** The outcome of an emergency stop over each path. */
export interface StopPaths {
  /** Over the room: a call to the runtime. */
  room: StopPath;
  /** Over HTTP: the control service, which passes the press to every runtime in the room. */
  http: StopPath;
}

/** Confirmation that the robot stands after an emergency stop. */
export interface EmergencyStopped {
  /** The path that confirmed it first. */
  by: 'room' | 'http';
  /** From the press until that confirmation, milliseconds. */
  afterMs: number;
  /** Both paths, as they were at that moment. */
  paths: StopPaths;
}

/** No path confirmed that the robot stands. The robot may still move, even if the press has reached it. */
export class EmergencyStopError extends PlatformSDKError {
  /** The name of the class, also in minified code. */
  override name = 'EmergencyStopError';
  /** The outcome over each path. */
  readonly paths: Readonly<StopPaths>;

  /** @param paths the outcome over each path */
  constructor(paths: StopPaths) {
    super(
      `No answer confirms that the robot stands. Look at it, and stop it in another way. Over the room: ${said(paths.room)} Over HTTP: ${said(paths.http)}`,
    );
    this.paths = paths;
  }
}

const said = ({ status, problem }: StopPath): string => problem ?? `${status}.`;
