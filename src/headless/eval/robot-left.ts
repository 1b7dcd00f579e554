import type { RobotEnd } from '../../protocol/room/robot-end.ts';

/** How an agent ends the robot of its run: it alone has a key to the account. */
export type EndByAgent = Extract<RobotEnd, 'session_deleted' | 'removed' | 'taken_over'>;

/** The sentence about it. */
export const END_BY_AGENT_TEXTS: Readonly<Record<EndByAgent, string>> = {
  session_deleted: "The agent ended the robot's session.",
  removed: 'The agent took the robot out of its room.',
  taken_over: "The agent took the robot's place in its room.",
};

/** Each end, and how an agent can have made it; null: a fault of this side. */
const BY_AGENT: Readonly<Record<RobotEnd, EndByAgent | null>> = {
  session_deleted: 'session_deleted',
  room_gone: 'session_deleted',
  removed: 'removed',
  taken_over: 'taken_over',
  refused: null,
  key_expired: null,
  wrong_robot: null,
  cannot_join: null,
  ended: null,
  broken: null,
};

/**
 * Returns how the agent ended the robot; null if it did not.
 * @param sfuStayed whether one SFU was there all the time: a restarted SFU knows no room, and may lose a session without a request
 */
export const endByAgent = (end: RobotEnd, sfuStayed: boolean): EndByAgent | null => (sfuStayed ? BY_AGENT[end] : null);
