import type { FreshKey } from '../worker/robot-messages.ts';
import { type KeyOfRobot, readRobotKey } from './robot-key.ts';

/**
 * Makes the question for a fresher key of a robot's place, to be put before each attempt to return to its room. A link that was read
 * before, that cannot be read, or that opens another place gives none.
 * @param read returns the newest link that there is
 * @param mark returns the token of a key with the marks of this process; null when nothing adds them
 */
export function followLink(
  { place: { room, robotId } }: KeyOfRobot,
  read: () => string | null,
  mark: (key: KeyOfRobot) => Promise<{ token: string } | null>,
  nowMs: () => number = Date.now,
): () => Promise<FreshKey | null> {
  let seen = read();
  return async () => {
    const link = read();
    if (link === null || link === seen) return null;
    seen = link;
    const key = keyOf(link, nowMs());
    if (key?.place.room !== room || key.place.robotId !== robotId) return null;
    return { sfuUrl: key.place.sfuUrl, token: (await mark(key))?.token ?? key.place.token };
  };
}

/** Whether a link opens the place of a key. */
export const opensPlaceOf = ({ place }: KeyOfRobot, link: string | null, nowMs: number): boolean => {
  const key = link === null ? null : keyOf(link, nowMs);
  return key?.place.room === place.room && key.place.robotId === place.robotId;
};

function keyOf(link: string, nowMs: number): KeyOfRobot | null {
  try {
    return readRobotKey(link, nowMs);
  } catch {
    return null;
  }
}
