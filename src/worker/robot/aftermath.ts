import { DisconnectReason } from '@livekit/protocol';
import type { RobotEnd } from '../../protocol/room/robot-end.ts';
import { readSfuAnswer } from '../../protocol/room/sfu-answer.ts';
import { SIGNAL_LOST } from '../../protocol/texts/room-texts.ts';

/** The next step when the robot is out of its room, or could not enter it. */
export type Aftermath = { kind: 'end'; end: RobotEnd } | { kind: 'rejoin'; why: string };

/** The connection is up, but messages that wait on it arrive late. */
export const SILENT_FOR_LONG =
  'Nothing had come from the room for a while; a new connection is quicker than what waits on the old one.';
export const NO_ANSWER = 'The SFU does not answer.';
export const NO_MEDIA =
  'The SFU let the robot in, but no connection for data came about. Look whether its UDP and TCP ports for media can be reached from here.';

const end = (why: RobotEnd): Aftermath => ({ kind: 'end', end: why });

/** Returns the next step of a robot that may return. @param why a sentence */
export const rejoin = (why: string): Aftermath => ({ kind: 'rejoin', why });

/** Returns the next step after the SFU ended the session, or after an unexpected disconnect. */
export function afterDisconnect(reason: DisconnectReason): Aftermath {
  switch (reason) {
    case DisconnectReason.DUPLICATE_IDENTITY:
      return end('taken_over');
    case DisconnectReason.PARTICIPANT_REMOVED:
      return end('removed');
    case DisconnectReason.ROOM_DELETED:
      return end('session_deleted');
    case DisconnectReason.USER_REJECTED:
      return end('refused');
    case DisconnectReason.SERVER_SHUTDOWN:
      return rejoin('The SFU is restarting.');
    case DisconnectReason.JOIN_FAILURE:
      return rejoin('The SFU could not let the robot in. Perhaps another of its name joined at the same moment.');
    default:
      return rejoin(SIGNAL_LOST);
  }
}

/** Returns the next step when the SFU rejects a connection with an HTTP status. */
export function afterRefusal(status: number, text: string): Aftermath {
  const answer = readSfuAnswer(status, text);
  if (answer === 'unreachable') return rejoin(NO_ANSWER);
  if (answer === 'welcome') return rejoin(`The SFU does not let the robot in: it answers with HTTP status ${status}.`);
  return end(answer);
}

/** Returns the next step when this machine does not let the robot open a port. */
export function afterNoPort(thrown: unknown): Aftermath {
  const code = thrown instanceof Error && 'code' in thrown ? ` (${thrown.code})` : '';
  return rejoin(
    `No port could be opened on this machine for the connection to the room${code}. Look how many files and connections its processes have open.`,
  );
}
