import { hostname } from 'node:os';
import { encodeRoomKey, readRoomKey } from '../protocol/room-key.ts';
import {
  SEAT_PATH,
  SEAT_PLATFORM_WITHIN_MS,
  type SeatAnswer,
  type SeatAsked,
  type SeatHolder,
} from '../protocol/seat-question.ts';
import type { KeyOfRobot } from './robot-key.ts';

/** The platform's answer: who else is the robot, and the own token with the marks by which the next one is told who has it. */
export interface AskedSeat {
  holder: SeatHolder | null;
  token: string;
}

/**
 * Asks the platform of a link who is the robot at the moment. A platform that is slow counts as one that does not say. Never rejects.
 * @param id of this process, 8 to 64 characters of A-Z, a-z, 0-9, _ and -
 * @returns null where there is no platform to ask, or it does not say
 */
export async function askSeat({ place, platformOrigin }: KeyOfRobot, id: string): Promise<AskedSeat | null> {
  if (platformOrigin === null) return null;
  const asked: SeatAsked = { token: place.token, browser: id, page: `simulator without a page on ${hostname()}`.slice(0, 80) };
  try {
    const answer = await fetch(`${platformOrigin}${SEAT_PATH}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
      signal: AbortSignal.timeout(SEAT_PLATFORM_WITHIN_MS),
    });
    const { seat } = (await answer.json()) as { seat?: SeatAnswer | null };
    if (!answer.ok || !seat) return null;
    // The place stays the one of the key, whatever answered there.
    const read = readRoomKey(encodeRoomKey({ sfuUrl: place.sfuUrl, token: seat.token }), {
      nowMs: Date.now(),
      pageProtocol: 'http:',
    });
    return read.ok && read.key.room === place.room && read.key.robotId === place.robotId ? seat : null;
  } catch {
    return null;
  }
}
