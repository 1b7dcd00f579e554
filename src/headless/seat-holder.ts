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

/** This process, to the platform that says who is a robot. A platform that is slow counts as one that does not say. */
export interface OwnSeat {
  /** Asks who is the robot of a key at the moment. Never rejects. @returns null where there is no platform to ask, or it does not say */
  ask(key: KeyOfRobot): Promise<AskedSeat | null>;
  /** Reports that this process is the robot no more, so that the next one is told at once that the robot is free. Never rejects. */
  reportLeft(): Promise<void>;
}

/** The report is not worth a longer wait: without it the next one waits a few seconds. */
const REPORT_WITHIN_MS = 1_000;

/** @param id of this process, 8 to 64 characters of A-Z, a-z, 0-9, _ and - */
export function createOwnSeat(id: string): OwnSeat {
  const own = { browser: id, visit: id, page: `simulator without a page on ${hostname()}`.slice(0, 80) };
  let lastKey: KeyOfRobot | null = null;

  return {
    async ask(key) {
      lastKey = key;
      const { place } = key;
      try {
        const answer = await send(key, own, SEAT_PLATFORM_WITHIN_MS);
        if (!answer?.ok) return null;
        const { seat } = (await answer.json()) as { seat?: SeatAnswer | null };
        if (!seat) return null;
        // The place stays the one of the key, whatever answered there.
        const read = readRoomKey(encodeRoomKey({ sfuUrl: place.sfuUrl, token: seat.token }), {
          nowMs: Date.now(),
          pageProtocol: 'http:',
        });
        return read.ok && read.key.room === place.room && read.key.robotId === place.robotId ? seat : null;
      } catch {
        return null;
      }
    },
    async reportLeft() {
      if (lastKey !== null) await send(lastKey, { ...own, report: 'left' }, REPORT_WITHIN_MS).catch(() => undefined);
    },
  };
}

/** @returns null where there is no platform to ask @throws what `fetch` throws */
async function send(
  { place, platformOrigin }: KeyOfRobot,
  said: Omit<SeatAsked, 'token'>,
  withinMs: number,
): Promise<Response | null> {
  if (platformOrigin === null) return null;
  return fetch(`${platformOrigin}${SEAT_PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...said, token: place.token } satisfies SeatAsked),
    signal: AbortSignal.timeout(withinMs),
  });
}
