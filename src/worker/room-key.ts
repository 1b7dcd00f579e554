import { findRoomKey } from '../protocol/room/find-room-key.ts';
import { readRoomKey } from '../protocol/room/room-key.ts';
import { rcwIdentity } from '../protocol/wire/identity.ts';
import type { Place } from './robot-messages.ts';

/**
 * Reads the key of one robot's room: a room key, or the control service's answer with participant token and address, issued for
 * the identity `rcw-<robot_id>`.
 * @throws with the problem; no message repeats any part of the key
 */
export function readWorkerKey(given: string, nowMs: number): Place {
  const read = readRoomKey(findRoomKey(given), { nowMs, pageProtocol: 'http:' });
  if (!read.ok) throw new Error(read.message);
  const { sfuUrl, token, room, identity, robotId } = read.key;
  if (robotId === null || identity !== rcwIdentity(robotId)) {
    throw new Error(
      'The identity in this key is not rcw-<robot_id>. Ask for a participant token with that participant_identity.',
    );
  }
  return { sfuUrl, token, room, robotId };
}
