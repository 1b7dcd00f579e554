import { PlatformSDKError } from './errors.ts';
import type { RequestOptions } from './options.ts';

/** Options of both `emergencyStop`. */
export interface EmergencyStopOptions extends RequestOptions {
  /** Why, for those who find the robot stopped; cut after 200 characters. */
  reason?: string | undefined;
  /** Longest wait until somebody says that the robot stands, milliseconds; the press is repeated for so long. @default 10 000 */
  timeoutMs?: number | undefined;
}

/** How an emergency stop went by one path. */
export interface StopPath {
  /** `stands`: it says that the robot stands. `latched`: it took the press, and does not know that. `failed`: it did not. `pending`: it had not answered when the other one had, and goes on. */
  status: 'stands' | 'latched' | 'failed' | 'pending';
  /** From the press to this answer, milliseconds; null while it is pending. */
  afterMs: number | null;
  /** Why it does not stand, in a sentence; null where it does, or is pending. */
  problem: string | null;
}

/** How an emergency stop went by each path. */
export interface StopPaths {
  /** Over the room: a call of the runtime. */
  room: StopPath;
  /** Over HTTP: the control service, which tells every runtime in the room. */
  http: StopPath;
}

/** A robot that stands by an emergency stop. */
export interface EmergencyStopped {
  /** The path that said so first. */
  by: 'room' | 'http';
  /** From the press until then, milliseconds. */
  afterMs: number;
  /** Both paths, as they were at that moment. */
  paths: StopPaths;
}

/** By no path came the word that the robot stands. It may still move, although it may have been told. */
export class EmergencyStopError extends PlatformSDKError {
  /** The name of the class, also in code that was made smaller. */
  override name = 'EmergencyStopError';
  /** How it went by each path. */
  readonly paths: Readonly<StopPaths>;

  /** @param paths how it went by each */
  constructor(paths: StopPaths) {
    super(
      `Nobody says that the robot stands. Look at it, and stop it in another way. Over the room: ${said(paths.room)} Over HTTP: ${said(paths.http)}`,
    );
    this.paths = paths;
  }
}

const said = ({ status, problem }: StopPath): string => problem ?? `${status}.`;
