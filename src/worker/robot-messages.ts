import type { RobotEnd } from '../protocol/room/robot-end.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import type { RobotId } from '../protocol/wire/robot.ts';
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

/** The current address of the SFU, and a key for the same place there. */
export type FreshKey = Pick<Place, 'sfuUrl' | 'token'>;

/** The options of a robot's start. */
export interface RobotOrder {
  place: Place;
  /** The contract that it follows. @default 'worker' */
  profile?: RuntimeProfile;
  /** The kind of robot. @default the humanoid */
  modelId?: RobotId;
  /** The scene of the first world. @default the one that the session requests, or the start scene */
  sceneId?: string;
  seed: number;
  productVersion: string;
  /** Whether unsigned calls that move the body are rejected. */
  signedOnly: boolean;
  /** The folder in which worlds are saved across restarts; null: they are not saved. */
  worldsDir: string | null;
  /**
   * Whether a newer key may come, as from a worker that has the SFU's keys. If so, a rejected token does not end a rejoin.
   * @default false
   */
  renewsKeys?: boolean;
  /** Whether it starts a new world, even if one was saved. @default false */
  isFresh?: boolean;
}

/** From the worker to the process of a robot. */
export type ToRobot =
  | { kind: 'start'; order: RobotOrder }
  /** The answer to `key-wanted`; null if there is no newer one. */
  | { kind: 'key'; key: FreshKey | null }
  /** The room may exist again: a robot outside it tries to join at once. */
  | { kind: 'nudge' }
  /** Stops the robot, leaves the room, and ends the process. */
  | { kind: 'end' };

/** From the process of a robot to the worker. */
export type FromRobot =
  | { kind: 'log'; entry: LogEntry }
  /** It is in its room (again). */
  | { kind: 'joined' }
  | { kind: 'key-wanted' }
  /** The last message. */
  | { kind: 'over'; end: RobotEnd };
