import { WebSocket } from 'ws';
import {
  IDENTITY_ANSWER_WITHIN_MS,
  IDENTITY_LISTED_WITHIN_MS,
  type SfuSession,
  whoseSession,
} from '../../protocol/room/sfu-session.ts';
import type { Place } from '../robot-messages.ts';
import { readResponse } from './signal-gate.ts';
import { after } from './wait.ts';

/** LiveKit's number of the first protocol with everything used here. */
const SIGNAL_PROTOCOL = 16;

/**
 * Asks whether another robot of this name has taken the place meanwhile. Asked before the robot rejoins, because a join would
 * displace the other one. The SFU identifies the participant when a connection is resumed; nothing is sent over it. Also returns
 * false if the SFU does not answer.
 */
export function isIdentityTaken({ sfuUrl, token }: Place, sfuSession: SfuSession): Promise<boolean> {
  const base = sfuUrl.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const query = new URLSearchParams({
    reconnect: '1',
    sid: sfuSession.sid,
    protocol: String(SIGNAL_PROTOCOL),
    auto_subscribe: '0',
  });
  const socket = new WebSocket(`${base}/rtc?${query}`, {
    headers: { Authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: IDENTITY_ANSWER_WITHIN_MS,
  });
  return new Promise((resolve) => {
    let stopWaiting = after(IDENTITY_ANSWER_WITHIN_MS, () => answer(false));
    function answer(isTaken: boolean): void {
      stopWaiting();
      socket.close();
      resolve(isTaken);
    }
    // A rejected request means that no participant of this name is present.
    socket.on('error', () => answer(false));
    socket.on('close', () => answer(false));
    socket.on('message', (data) => {
      const { message } = readResponse(data);
      if (message.case === 'leave') return answer(false);
      if (message.case === 'reconnect') {
        stopWaiting();
        stopWaiting = after(IDENTITY_LISTED_WITHIN_MS, () => answer(false));
      }
      if (message.case !== 'update') return;
      const whose = whoseSession(message.value.participants, sfuSession, 'connected');
      if (whose !== null) answer(whose === 'other');
    });
  });
}
