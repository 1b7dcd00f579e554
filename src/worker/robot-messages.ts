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

/** The options of a robot's start. */
export interface RobotOrder {
  place: Place;
  seed: number;
  productVersion: string;
  /** Whether calls that move the body are refused unless they are signed. */
  signedOnly: boolean;
  /** The folder in which worlds are kept over restarts; null: nowhere. */
  worldsDir: string | null;
}

/** From the worker to the process of a robot. */
export type ToRobot =
  | { kind: 'start'; order: RobotOrder }
  /** The answer to `token-wanted`; null when there is no fresher one. */
  | { kind: 'token'; token: string | null }
  /** The room may exist again: a robot outside it tries at once. */
  | { kind: 'nudge' }
  /** Stop the robot, leave, end. */
  | { kind: 'end' };

/**
 * The reason why a robot is no longer in its room.
 * - `session_deleted`: the room is gone, and its session with it
 * - `removed`: a manager of the room took it out
 * - `taken_over`: another participant joined under its identity
 * - `refused`: the SFU admits it no more; `key_expired`: because its key has expired
 * - `wrong_robot`: the room says that it belongs to another robot
 * - `ended`: it was told to end
 * - `broken`: a fault of its own
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
  /** The last message. */
  | { kind: 'over'; end: RobotEnd };
