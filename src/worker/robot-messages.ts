import type { LogEntry } from './log.ts';

/** A place in a robot's room. */
export interface Place {
  /** Address of the SFU, `ws://…` or `wss://…`. */
  sfuUrl: string;
  /** A secret. */
  token: string;
  room: string;
  robotId: string;
}

/** What a robot is started with. */
export interface RobotOrder {
  place: Place;
  seed: number;
  productVersion: string;
  /** Are calls that move the body refused unless they are signed? */
  signedOnly: boolean;
  /** Where worlds are kept over restarts; null: nowhere. */
  worldsDir: string | null;
}

/** From the worker to the process of a robot. */
export type ToRobot =
  | { kind: 'start'; order: RobotOrder }
  /** The answer to `token-wanted`; null when there is no fresher one. */
  | { kind: 'token'; token: string | null }
  /** The room may be there again: try at once if you are not in it. */
  | { kind: 'nudge' }
  /** Stop the robot, leave, end. */
  | { kind: 'end' };

/**
 * Why a robot is no longer in its room.
 * - `session_deleted`: the room is gone, and its session with it
 * - `removed`: somebody who manages the room took it out
 * - `taken_over`: another participant came under its identity
 * - `refused`: the SFU lets it in no more; `key_expired`: because its key has expired
 * - `wrong_robot`: the room says that it belongs to another robot
 * - `ended`: as it was told
 * - `broken`: by a fault of its own
 */
export type RobotEnd =
  | 'session_deleted'
  | 'removed'
  | 'taken_over'
  | 'refused'
  | 'key_expired'
  | 'wrong_robot'
  | 'ended'
  | 'broken';

/** From the process of a robot to the worker. */
export type FromRobot =
  | { kind: 'log'; entry: LogEntry }
  /** It is in its room (again). */
  | { kind: 'joined' }
  | { kind: 'token-wanted' }
  /** Comes last. */
  | { kind: 'over'; end: RobotEnd };
