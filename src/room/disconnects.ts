import { ConnectionError, ConnectionErrorReason, DisconnectReason } from 'livekit-client';
import { SIGNAL_LOST } from '../protocol/texts/room-texts.ts';
import type { EndReason } from './connection-state.ts';

/** The next step when the tab is out of the room, or did not get into it. */
export type Aftermath = { kind: 'end'; reason: EndReason } | { kind: 'rejoin'; why: string };

const end = (reason: EndReason): Aftermath => ({ kind: 'end', reason });

/** Returns the next step of a tab that may come back. @param why a sentence */
export const rejoin = (why: string): Aftermath => ({ kind: 'rejoin', why });

/** The connection stands, but its messages come late. */
export const SILENT_FOR_LONG = 'The room was silent for a while.';

/**
 * The next step after a final disconnect: LiveKit's own resume has given up, or the server ended the connection.
 * A room that was closed because it was empty is joined again; if the server does not create it again, the join fails with the reason.
 */
const AFTER_DISCONNECT: Record<DisconnectReason, Aftermath> = {
  [DisconnectReason.UNKNOWN_REASON]: rejoin(SIGNAL_LOST),
  // Caused by this side only in appearance: leaving on purpose does not come here, but the browser freezing the page does.
  [DisconnectReason.CLIENT_INITIATED]: rejoin('The browser had suspended this tab.'),
  [DisconnectReason.DUPLICATE_IDENTITY]: end('taken_over'),
  [DisconnectReason.SERVER_SHUTDOWN]: rejoin('The server is restarting.'),
  [DisconnectReason.PARTICIPANT_REMOVED]: end('removed'),
  [DisconnectReason.ROOM_DELETED]: end('session_deleted'),
  [DisconnectReason.STATE_MISMATCH]: rejoin(SIGNAL_LOST),
  [DisconnectReason.JOIN_FAILURE]: rejoin('The room did not answer in time.'),
  [DisconnectReason.MIGRATION]: rejoin('The room moved to another server.'),
  [DisconnectReason.SIGNAL_CLOSE]: rejoin(SIGNAL_LOST),
  [DisconnectReason.ROOM_CLOSED]: rejoin('The room was closed because it was empty.'),
  [DisconnectReason.USER_UNAVAILABLE]: rejoin(SIGNAL_LOST),
  [DisconnectReason.USER_REJECTED]: end('refused'),
  [DisconnectReason.SIP_TRUNK_FAILURE]: rejoin(SIGNAL_LOST),
  [DisconnectReason.CONNECTION_TIMEOUT]: rejoin('The room did not answer in time.'),
  [DisconnectReason.MEDIA_FAILURE]: rejoin(SIGNAL_LOST),
  [DisconnectReason.AGENT_ERROR]: rejoin(SIGNAL_LOST),
};

/** Returns the next step after a disconnect that this side did not ask for. */
export function afterDisconnect(reason: DisconnectReason | undefined): Aftermath {
  return AFTER_DISCONNECT[reason ?? DisconnectReason.UNKNOWN_REASON] ?? rejoin(SIGNAL_LOST);
}

/** Returns the next step after a failed join. The error's own text is never shown, because the server puts the token into it. */
export function afterFailedJoin(error: unknown): Aftermath {
  if (!(error instanceof ConnectionError)) return rejoin('The room could not be joined.');
  if (error.reason === ConnectionErrorReason.NotAllowed) return end(error.status === 404 ? 'session_deleted' : 'refused');
  if (error.reason === ConnectionErrorReason.LeaveRequest && typeof error.context === 'number') {
    return afterDisconnect(error.context);
  }
  return rejoin('The room does not answer.');
}
