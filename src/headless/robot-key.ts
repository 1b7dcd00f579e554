import { findRoomKey } from '../protocol/room/find-room-key.ts';
import { readRoomKey } from '../protocol/room/room-key.ts';
import { keyNamesNoRobot, keyOfOtherProfile } from '../protocol/texts/headless-texts.ts';
import type { Place } from '../worker/robot-messages.ts';

/** A robot's place, and where its link came from. */
export interface KeyOfRobot {
  place: Place;
  /** The platform that serves the link, as `http://127.0.0.1:8080`; null of a bare key. */
  platformOrigin: string | null;
}

/**
 * Reads a link or key of one robot of the simulator profile.
 * @throws Error with the problem; no text repeats any part of the key
 */
export function readRobotKey(given: string, nowMs: number): KeyOfRobot {
  const found = findRoomKey(given);
  const read = readRoomKey(found, { nowMs, pageProtocol: 'http:' });
  if (!read.ok) throw new Error(read.message);
  const { sfuUrl, token, room, robotId, profile } = read.key;
  if (profile !== 'simulator') throw new Error(keyOfOtherProfile());
  if (robotId === null) throw new Error(keyNamesNoRobot());
  return { place: { sfuUrl, token, room, robotId }, platformOrigin: originOf(found) };
}

function originOf(text: string): string | null {
  const link = text.trim();
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return null;
  return new URL(link).origin;
}
