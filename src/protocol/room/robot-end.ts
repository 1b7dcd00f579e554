import { contractOf } from '../wire/contract.ts';
import type { RuntimeProfile } from '../wire/profile.ts';

/**
 * The reason why a robot without a page has left its room.
 * - `session_deleted`: the room is gone, and its session with it
 * - `room_gone`: the room did not exist when the robot came back, for an unknown reason
 * - `removed`: a manager of the room took it out
 * - `taken_over`: another participant joined under its identity
 * - `refused`: the SFU does not admit it any more; `key_expired`: because its key has expired
 * - `wrong_robot`: the room belongs to another robot
 * - `cannot_join`: LiveKit's package does not load on its machine
 * - `ended`: it received the order to end
 * - `broken`: a fault of its own
 */
export type RobotEnd =
  | 'session_deleted'
  | 'room_gone'
  | 'removed'
  | 'taken_over'
  | 'refused'
  | 'key_expired'
  | 'wrong_robot'
  | 'cannot_join'
  | 'ended'
  | 'broken';

const SENTENCES: Readonly<Record<Exclude<RobotEnd, 'taken_over'>, string>> = {
  session_deleted: 'The session was deleted, and its room with it. The robot is free.',
  room_gone:
    'The room is no longer there: its session was deleted while the robot was away, or the SFU has lost the room. The robot comes back, with its world, when the room of its session is there again.',
  removed: 'A manager of the room took the robot out of it. It comes back with the next session that asks for it.',
  refused: 'The SFU does not accept the token of this robot: it was made for another server, or it has been changed.',
  key_expired: 'The token of this robot has expired. Ask for a new one.',
  wrong_robot: 'The room belongs to another robot than the token. Ask for a token of this robot.',
  cannot_join:
    'The package @livekit/rtc-node does not load on this machine, and without it no robot can join a room. Install it again, with the packages that npm calls optional: its native part is one of them.',
  ended: 'The robot was stopped and has left its room.',
  broken: 'The process of this robot ended by a fault of its own. Others are not touched by it.',
};

/** Returns the sentence about an end, for the operator of a robot without a page. */
export const robotEndText = (end: RobotEnd, profile: RuntimeProfile): string =>
  end === 'taken_over' ? `${TAKEN_OVER[profile]} This one does not fight for it.` : SENTENCES[end];

const byOthers = (others: string): string => `${others} came under the identity of this robot and has its place.`;
const TAKEN_OVER: Readonly<Record<RuntimeProfile, string>> = {
  simulator: byOthers('A tab, or another simulator without a page,'),
  worker: byOthers('Another worker, or a tab with profile=worker,'),
};

/** Returns the words by which callers read who stopped a robot without a page. @param which as "which ends" */
export const withoutPage = (profile: RuntimeProfile, which: string): string => `${contractOf(profile).withoutPage}, ${which}`;
