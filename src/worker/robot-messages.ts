import type { RuntimeProfile } from '../protocol/profile.ts';
import type { RobotId } from '../protocol/robot.ts';
import type { RobotEnd } from '../protocol/robot-end.ts';
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

/** Where the SFU is by now, and a key for the same place there. */
export type FreshKey = Pick<Place, 'sfuUrl' | 'token'>;

/** The options of a robot's start. */
export interface RobotOrder {
  place: Place;
  /** The contract it keeps. @default 'worker' */
  profile?: RuntimeProfile;
  /** The kind of robot. @default the humanoid */
  modelId?: RobotId;
  /** The scene of the first world. @default the one that the session asks for, or the start scene */
  sceneId?: string;
  seed: number;
  productVersion: string;
  /** Whether calls that move the body are refused unless they are signed. */
  signedOnly: boolean;
  /** The folder in which worlds are kept over restarts; null: nowhere. */
  worldsDir: string | null;
  /**
   * Whether a fresher key may come, as from a worker that has the SFU's keys: a token that is refused on the way back is then not the
   * end.
   * @default false
   */
  renewsKeys?: boolean;
  /** Whether it begins anew, whatever world was kept. @default false */
  isFresh?: boolean;
}

/** From the worker to the process of a robot. */
export type ToRobot =
  | { kind: 'start'; order: RobotOrder }
  /** The answer to `key-wanted`; null when there is no fresher one. */
  | { kind: 'key'; key: FreshKey | null }
  /** The room may exist again: a robot outside it tries at once. */
  | { kind: 'nudge' }
  /** Stop the robot, leave, end. */
  | { kind: 'end' };

/** From the process of a robot to the worker. */
export type FromRobot =
  | { kind: 'log'; entry: LogEntry }
  /** It is in its room (again). */
  | { kind: 'joined' }
  | { kind: 'key-wanted' }
  /** The last message. */
  | { kind: 'over'; end: RobotEnd };
