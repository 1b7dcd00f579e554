import { encodeRoomKey, readRoomKey } from '../../protocol/room-key.ts';
import type { Place } from '../robot-messages.ts';

/**
 * Returns the place with a token that the SFU has given a participant, where it opens the same place for longer than the present one;
 * null where it does not. A server gives these while one is in the room, so that a rejoin needs no new link.
 */
export function lengthened(place: Place, token: string, nowMs: number): Place | null {
  const [present, renewed] = [place.token, token].map((one) =>
    readRoomKey(encodeRoomKey({ sfuUrl: place.sfuUrl, token: one }), { nowMs, pageProtocol: 'http:' }),
  );
  if (!renewed?.ok || renewed.key.room !== place.room || renewed.key.robotId !== place.robotId) return null;
  // A present one that has ended opens nothing.
  const untilMs = present?.ok ? present.key.expiresAtMs : nowMs;
  return renewed.key.expiresAtMs > untilMs ? { ...place, token } : null;
}
