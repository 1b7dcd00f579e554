import { hostname } from 'node:os';
import {
  HOLDER_ANSWER_WITHIN_MS,
  HOLDER_PATH,
  type HolderAnswer,
  type HolderQuestion,
  type RobotHolder,
} from '../protocol/room/holder-question.ts';
import { encodeRoomKey, readRoomKey } from '../protocol/room/room-key.ts';
import type { KeyOfRobot } from './robot-key.ts';

/** The platform's answer: another holder of the robot, and the own token with the attributes that identify its holder to the next one. */
export interface HolderReply {
  holder: RobotHolder | null;
  token: string;
}

/** This process towards the platform, which names the holder of a robot. A slow platform counts as one without an answer. */
export interface HolderClient {
  /** Asks for the present holder of the robot of a key. Never rejects. @returns null without a platform, or without its answer */
  ask(key: KeyOfRobot): Promise<HolderReply | null>;
  /** Reports that this process has left the robot, so that the next one learns at once that the robot is free. Never rejects. */
  reportLeft(): Promise<void>;
}

/** The report is not worth a longer wait: without it the next one waits a few seconds. */
const REPORT_WITHIN_MS = 1_000;

/** @param id of this process, 8 to 64 characters of A-Z, a-z, 0-9, _ and - */
export function createHolderClient(id: string): HolderClient {
  const own = { browser: id, visit: id, page: `simulator without a page on ${hostname()}`.slice(0, 80) };
  let lastKey: KeyOfRobot | null = null;

  return {
    async ask(key) {
      lastKey = key;
      const { place } = key;
      try {
        const answer = await send(key, own, HOLDER_ANSWER_WITHIN_MS);
        if (!answer?.ok) return null;
        const { seat: holderAnswer } = (await answer.json()) as { seat?: HolderAnswer | null };
        if (!holderAnswer) return null;
        // The place stays the one of the key, whatever answered there.
        const read = readRoomKey(encodeRoomKey({ sfuUrl: place.sfuUrl, token: holderAnswer.token }), {
          nowMs: Date.now(),
          pageProtocol: 'http:',
        });
        return read.ok && read.key.room === place.room && read.key.robotId === place.robotId ? holderAnswer : null;
      } catch {
        return null;
      }
    },
    async reportLeft() {
      if (lastKey !== null) await send(lastKey, { ...own, report: 'left' }, REPORT_WITHIN_MS).catch(() => undefined);
    },
  };
}

/** @returns null without a platform @throws what `fetch` throws */
async function send(
  { place, platformOrigin }: KeyOfRobot,
  said: Omit<HolderQuestion, 'token'>,
  withinMs: number,
): Promise<Response | null> {
  if (platformOrigin === null) return null;
  return fetch(`${platformOrigin}${HOLDER_PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...said, token: place.token } satisfies HolderQuestion),
    signal: AbortSignal.timeout(withinMs),
  });
}
